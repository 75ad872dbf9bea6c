"""Which C files make `_tflm`: the one list that all builds take."""

from ..places import SOURCES

# Read models and divide nodes: built small, as ports build everything.
SMALL = ("flatbuffer.c", "describe.c", "convolution.c", "slices.c", "elements.c", "fence.c")
AUDIO = ("audio/front.c", "audio/tables.c", "audio/window.c")
FAST = ("runner.c", "dispatch.c", "groups.c", "quantization.c", *AUDIO)
# Kernels that take no longer so: most of their time is in other files, or in long sums.
SMALL_KERNELS = (
    *("axes_computed.c", "conv_blocks.c", "detection.c", "expm1_f32.c", "inverse_root.c"),
    *("log_f32.c", "pad_computed.c", "power_f32.c", "reduce_axes.c", "scan_computed.c"),
    *("shape.c", "sine_f32.c"),
)
PORTABLE = "portable"


def isa_names():
    """Return the folders of kernels, one for each kind of core."""
    return sorted(path.name for path in (SOURCES / "kernels").iterdir() if path.is_dir())


def kernels_of(isa):
    """Return the C files of the kernels of *isa*, below firmware/tflm.

    A file of its folder stands in for the portable one of the same name.
    """
    folder = SOURCES / "kernels"
    shared = sorted(folder.glob("*.c"))
    own = {path.name: path for path in (folder / PORTABLE).glob("*.c")}
    own.update({path.name: path for path in (folder / isa).glob("*.c")})
    paths = [*shared, *(own[name] for name in sorted(own))]
    return [path.relative_to(SOURCES).as_posix() for path in paths]


def _lists():
    return {
        "TFLM_SMALL": SMALL,
        "TFLM_FAST": FAST,
        "TFLM_KERNELS_SMALL": SMALL_KERNELS,
        **{f"TFLM_KERNELS_{isa}": kernels_of(isa) for isa in isa_names()},
    }


def sources_mk():
    """Return the lists as make reads them."""
    return "".join(f"{name} := {' '.join(files)}\n" for name, files in _lists().items())


def sources_cmake():
    """Return the lists as CMake reads them."""
    return "".join(f"set({name} {' '.join(files)})\n" for name, files in _lists().items())
