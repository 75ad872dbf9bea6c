"""The C files of `_tflm` and their compiler options: the one list for make and CMake."""

from ..places import SOURCES
from .frozen import PREPARED, names_of
from .squeeze import SERVICES

AUDIO = ("audio/front.c", "audio/tables.c", "audio/window.c")
MEL = ("audio/mel.c", "audio/mel_normal.c")  # most of their time is in a kernel
# Kernels of a folder that are linked behind another one. In an RP2040 or RP2350, lines of flash
# 8 KB apart compete for two places of the cache, of which weights take one: a loop and what calls
# it lie side by side. `make bench-waits` shows what an order costs.
BEHIND = {
    "armv6m": {
        "conv_f32.c": "dense_f32.c",
        "conv_s16.c": "dense_rows.c",
        "lstm.c": "dense_rows.c",
    },
    "dsp": {
        "conv_threes.c": "conv_positions.c",
        "conv_threes_sums.c": "conv_positions.c",
        "conv_wide.c": "conv_positions.c",
        "lstm.c": "dense_rows.c",
    },
}
IMAGE_LOOPS = ("image/loops.c",)
IMAGE = ("image/fit.c", "image/pixels.c")  # RGB565 to grey is a loop
# Read models and divide nodes: built small, as ports build everything.
SMALL = ("flatbuffer.c", "describe.c", "convolution.c", "planning.c", "slices.c", "elements.c")
SMALL += ("fence.c", *MEL, *IMAGE)
FAST = ("runner.c", "dispatch.c", "groups.c", "quantization.c", *AUDIO, *IMAGE_LOOPS)
# Kernels built for size. The first take no longer so: most of their time is in other files, or in
# long sums. The others no model of bench/figures.csv runs for 3 % of its time; on a Cortex-M0+
# with its cache of flash the shorter code waits less.
SMALL_KERNELS = (
    *("angle_f32.c", "axes_computed.c", "conv_blocks.c", "detection.c", "expm1_f32.c"),
    *("inverse_root.c", "log_f32.c", "pad_computed.c", "power_f32.c", "reduce_axes.c"),
    *("scan_computed.c", "shape.c", "sine_f32.c"),
    *("addn.c", "bilinear_f32.c", "broadcast_f32.c", "broadcast_prelu.c", "circular.c"),
    *("compare.c", "conv_hybrid.c", "convert_wide.c", "decode.c", "dense_hybrid.c"),
    *("elementwise_f32.c", "elementwise_s16.c", "elementwise_transforms.c"),
    *("embedding.c", "erfc_f32.c", "floor_f32.c", "lstm_f32.c", "lstm_s16.c", "pool_f32.c"),
    *("pool_s16.c", "reduce_f32.c", "reduce_s16.c", "rows_f32.c", "rows_s16.c", "scan.c"),
    *("scan_f32.c", "scatter.c", "select.c", "signal_fft_f32.c", "signal_fft_s32.c", "spatial.c"),
    *("spatial_computed.c", "svdf_f32.c", "topk.c", "update.c"),
    # Built for size, these take at most 0.2 % more of any model of bench/figures.csv (M4).
    *("broadcast_add_line.c", "cast.c", "lstm.c", "pad.c", "reduce.c"),
)
# Built for size, too, in firmware of TFLM_OPS, which is for small flash: at most 0.7 % more (M4).
SMALL_SELECTED = (
    *("bilinear.c", "bytes.c", "conv_depthwise.c", "conv_depthwise_3x3.c", "dense_sums.c"),
    *("groups.c", "quantization.c", "resize.c"),
)
# Options of the files in FAST and of kernels. A float kernel whose products and sums are
# contracted differs between cores. So does e^x with constants of single precision, which ports
# for cores with an FPU ask for.
FAST_OPTIONS = ("-ffp-contract=off", "-fno-single-precision-constant")
# Ports optimise for size; these files are built for speed, but for SMALL_KERNELS.
SPEED = ("-O2",)
PORTABLE = "portable"
COMMON = "common"  # what kernels of all cores include or call


def isa_names():
    """Return the folders of kernels, one for each kind of core."""
    folders = (path for path in (SOURCES / "kernels").iterdir() if path.is_dir())
    return sorted(path.name for path in folders if path.name != COMMON)


def kernels_of(isa):
    """Return the C files of the kernels of *isa*, below firmware/tflm.

    A file of its folder stands in for the portable one of the same name.
    """
    folder = SOURCES / "kernels"
    shared = sorted((folder / COMMON).glob("*.c"))
    own = {path.name: path for path in (folder / PORTABLE).glob("*.c")}
    own.update({path.name: path for path in (folder / isa).glob("*.c")})
    behind = BEHIND.get(isa, {})
    names = sorted(own, key=lambda name: (behind.get(name, name), name in behind, name))
    paths = [*shared, *(own[name] for name in names)]
    return [path.relative_to(SOURCES).as_posix() for path in paths]


def _lists():
    return {
        "TFLM_SMALL": SMALL,
        "TFLM_FAST": FAST,
        "TFLM_KERNELS_SMALL": SMALL_KERNELS,
        "TFLM_SMALL_SELECTED": SMALL_SELECTED,
        "TFLM_FAST_OPTIONS": FAST_OPTIONS,
        "TFLM_SPEED": SPEED,
        **{f"TFLM_KERNELS_{isa}": kernels_of(isa) for isa in isa_names()},
    }


def definitions(ops):
    """Return the macros, as NAME=value, of firmware built with TFLM_OPS=*ops*.

    The first leave out the loader, all kernels or all services, the others bring some back.
    """
    names = names_of(ops)
    if not names:
        return []
    is_prepared = names[0] == PREPARED
    named = names[1:] if is_prepared else names
    lacking = ["LOADING"] if is_prepared else []
    if not is_prepared or set(named) - set(SERVICES):
        lacking.append("DEFAULT")
    lacking.append("SERVICES")
    return [f"TFLM_HAS_{n}=0" for n in lacking] + [f"TFLM_HAS_{n.upper()}=1" for n in named]


def sources_mk():
    """Return the lists as make reads them."""
    return "".join(f"{name} := {' '.join(files)}\n" for name, files in _lists().items())


def sources_cmake():
    """Return the lists as CMake reads them."""
    return "".join(f"set({name} {' '.join(files)})\n" for name, files in _lists().items())
