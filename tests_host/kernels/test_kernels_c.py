"""The C kernels against kernel_model, with the parameters of the viper kernels' tests."""

import ctypes
import os
import random
import struct
import subprocess
import sys
from copy import copy
from pathlib import Path

import numpy as np
import pytest

from support.expected import viper_vectors
from support.native.each_isa import grouped
from support.native.native_call import Call, run_nodes
from support.reference import kernel_model
from tflm.ops.collect import rows
from tflm_host.model import native
from tflm_host.places import ROOT

NAMES = [kernel.name for kernel in rows().kernels if "group" not in kernel.traits]
VECTORS = viper_vectors.SHARED
FIRST = 60  # of them that `make check` tries
CHECKED = os.environ.get("TFLM_CHECKED", "0") != "0"
CHECKED_PARTS = 8  # in which the kernels run with sanitizers: processes side by side

# Ends of the parameters that a model's scales and zero points decide, and no size depends on.
# Shifts are limited by prepare; curves take consistent parameters only.
FREE_ENDS = ("offset", "zero_point", "_min", "_max", "minimum", "maximum", "multiplier", "bias")
FREE_ENDS += ("scale", "pad_value", "dilation_height", "dilation_width")
SIZES = ("depth_multiplier", "offset")  # the latter of MIRROR_PAD: where a mirror is
SIZES_WIDE = (*SIZES, "dilation_height", "dilation_width")  # runs of taps depend on these
WIDE = ("f32", "s16", "hybrid")
CURVES = ("softmax_s8", "logistic_s8", "tanh_s8")


def call_of(vector):
    outputs = [data for data, _ in vector.outputs]
    return Call(vector.name, vector.record, vector.inputs, outputs, vector.shift)


@pytest.mark.parametrize("name", grouped(NAMES))
def test_kernel_random_records_equals_model(name):
    run_vectors(name, 0, FIRST)


@pytest.mark.draws
@pytest.mark.parametrize("name", grouped(NAMES))
def test_kernel_more_random_records_equals_model(name):
    run_vectors(name, FIRST, VECTORS)


def run_vectors(name, first, last):
    for i, vector in enumerate(viper_vectors.shared_vectors(name, last)[first:], first):
        got = call_of(vector).run(run_nodes)
        for k, (_, expected) in enumerate(vector.outputs):
            if expected is not None:
                assert got[k] == expected, f"{name} vector {i}, output {k}"


def make_hostile(vector, rng):
    """Put extreme values into the parameters of *vector*."""
    name = vector.name
    fields = rows().kernel(name).fields
    words = list(struct.unpack(f"<{len(vector.record) // 4}i", vector.record))
    sizes = SIZES_WIDE if any(part in name for part in WIDE) else SIZES
    for i, field in enumerate(fields):
        if name not in CURVES and field.endswith(FREE_ENDS) and field not in sizes:
            words[i] = rng.choice((-(2**31), 2**31 - 1, rng.randrange(-(2**31), 2**31)))
        elif name not in CURVES and field.endswith("shift"):
            words[i] = rng.randrange(0 if field == "left_shift" else -31, 31)
    vector.record = struct.pack(f"<{len(words)}i", *words)


@pytest.mark.skipif(not CHECKED, reason="proves nothing without the sanitizers' library")
@pytest.mark.parametrize("name", NAMES)
def test_kernel_hostile_parameters_stay_defined(name):
    rng = random.Random(name)
    for vector in map(copy, viper_vectors.shared_vectors(name, VECTORS)):
        make_hostile(vector, rng)
        call_of(vector).run(run_nodes)


def checked_tests(part):
    """Return what names the tests of *part* to pytest, and how many they are where it is fixed."""
    file = Path(__file__).relative_to(ROOT).as_posix()  # as pytest names it, from there
    by_name = [
        f"{file}::{test.__name__}"
        for test in (
            test_kernel_random_records_equals_model,
            test_kernel_hostile_parameters_stay_defined,
            test_kernel_more_random_records_equals_model,
        )
    ]
    if part == "others":
        return [file, *(f"--deselect={test}" for test in by_name)], None
    if part == "more":
        return [by_name[-1]], None
    by_name = by_name[:-1]
    names = NAMES[part::CHECKED_PARTS]
    # Those of one kernel are neighbours, and share its vectors.
    return [f"{test}[{name}]" for name in names for test in by_name], len(by_name) * len(names)


@pytest.mark.slow
@pytest.mark.skipif(CHECKED, reason="this is the run with sanitizers")
@pytest.mark.parametrize(
    "part", [*range(CHECKED_PARTS), "others", pytest.param("more", marks=pytest.mark.long)]
)
def test_kernels_with_sanitizers_report_nothing(part):
    try:
        preload = native.sanitizer_runtime()
    except native.BuildError as error:
        pytest.skip(str(error))
    environment = {
        **os.environ,
        "TFLM_CHECKED": "1",
        "LD_PRELOAD": preload,
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    tests, count = checked_tests(part)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    if count:
        assert f"{count} passed" in done.stdout


# size in bytes of what is copied; where to
WRONG_COPIES = {
    "heap-buffer-overflow": (4096, "call.arena"),
    "a kernel wrote into the model": (16, "call.model"),
}


@pytest.mark.skipif(not CHECKED, reason="needs the sanitizers' library")
@pytest.mark.parametrize("said", WRONG_COPIES)
def test_checked_run_kernel_past_output_or_into_model_is_reported(said):
    size, space = WRONG_COPIES[said]
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "import _tflm, struct\n"
        "from support.native.native_call import Call, run_nodes\n"
        f"call = Call('copy', struct.pack('<i', {size}), [bytes(16)], [bytes(16)])\n"
        f"ref = {space}.place(bytes([1] * 16))\n"
        "record = struct.unpack_from('<i', call.arena.data, call.table + 4)[0] >> 1\n"
        "struct.pack_into('<i', call.arena.data, record + 4, ref)\n"
        "run_nodes(call.arena.data, bytes(call.model.data), call.table, 0, 1)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *sys.path], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr


class Factor(ctypes.Structure):
    """tflm_factor_t."""

    _fields_ = [("multiplier", ctypes.c_int32), ("shift", ctypes.c_int32)]


@pytest.fixture(scope="module")
def channel_factor():
    """The C function from three float32 bit patterns to (multiplier, shift)."""
    function = native.load(CHECKED).tflm_channel_factor
    function.argtypes = [ctypes.c_int32] * 3
    function.restype = Factor

    def call(*bits):
        factor = function(*bits)
        return factor.multiplier, factor.shift

    return call


def expected_factor(bits):
    s_in, s_w, s_out = (kernel_model.real_bits(b) for b in bits)
    multiplier, shift = kernel_model.quantize_multiplier(s_in * s_w / s_out)
    return multiplier, min(shift, 31)


def scale_bits(rng, mantissa):
    return rng.randrange(60, 195) << 23 | mantissa & 0x7FFFFF


def near_tie(rng):
    """Return mantissas whose 31-bit quotient leaves a remainder next to the rounding point."""
    while True:
        a, d = (rng.randrange(2**23, 2**24) | 1 for _ in range(2))
        shift = rng.randrange(6, 10)
        remainder = ((d - (d >> 22)) // 2 + rng.randrange(-2, 3)) % d
        try:
            b = remainder * pow(a << shift, -1, d) % d
        except ValueError:  # a and d have a common factor
            continue
        b += 0 if b >= 2**23 else d
        if b < 2**24 and 2**30 <= (a * b << shift) // d < 2**31:
            return a, b, d


def test_channel_factor_random_scales_equal_double_arithmetic(channel_factor):
    rng = random.Random(1)
    edges = (0, 1, 2, 0x400000, 0x3FFFFF, 0x7FFFFE, 0x7FFFFF)
    for _ in range(200_000):
        wild = rng.random() < 0.3
        bits = [scale_bits(rng, rng.choice(edges) if wild else rng.getrandbits(23)) for _ in "abd"]
        assert channel_factor(*bits) == expected_factor(bits), bits


@pytest.mark.slow
def test_channel_factor_near_ties_equal_double_arithmetic(channel_factor):
    rng = random.Random(2)
    for _ in range(150_000):
        bits = [scale_bits(rng, mantissa) for mantissa in near_tie(rng)]
        assert channel_factor(*bits) == expected_factor(bits), bits


def test_channel_factor_exact_ties_equal_double_arithmetic(channel_factor):
    rng = random.Random(3)
    for _ in range(50_000):
        # a power of two as divisor leaves a remainder of just one half now and then
        a, b = rng.randrange(2**12, 2**13), rng.randrange(2**11, 2**12)
        bits = [scale_bits(rng, a << rng.randrange(10, 12)), scale_bits(rng, b << 12)]
        bits.append(scale_bits(rng, rng.choice((0, 0x400000))))
        assert channel_factor(*bits) == expected_factor(bits), bits


def test_channel_factor_scale_not_normal_is_zero(channel_factor):
    one = 0x3F800000
    refused = (0, 1, 0x7FFFFF, 0x7F800000, 0x7FC00000, one - 2**31, -1)
    for bits in refused:
        assert channel_factor(bits, one, one) == (0, 0)
        assert channel_factor(one, bits, one) == (0, 0)
        assert channel_factor(one, one, bits) == (0, 0)


def golden_lines(shared):
    path = Path(shared) / "data" / "tflm_arith_golden.txt"
    if not path.exists():
        pytest.skip("no golden numbers beside the clone")
    with path.open() as file:
        yield from (line.split() for line in file)


def golden_cases(shared, kind):
    """Yield ({name: values so far}, expected bytes) of each line *kind* of the golden file."""
    seen = {}
    for name, *values in golden_lines(shared):
        if name == kind:
            yield seen, kernel_model.as_bytes(map(int, values))
        seen[name] = values


def integers(seen, name):
    return [int(v) for v in seen[name]]


def real(seen, name):
    return float(np.float32(seen[name][0]))


def run_one(name, words, data, size):
    record = struct.pack(f"<{len(words)}i", *words)
    return Call(name, record, [data], [bytes(size)]).run(run_nodes)[0]


def radius(integer_bits, shift):
    return int((2**integer_bits - 1) * 2.0 ** (31 - integer_bits) / 2.0**shift)


def test_softmax_s8_golden_scales_equals_tflm(shared):
    count = 0
    for seen, expected in golden_cases(shared, "softmax8"):
        x = integers(seen, "x")
        beta_scale = min(real(seen, "beta") * real(seen, "scale") * 2**26, 2.0**31 - 1)
        multiplier, shift = kernel_model.quantize_multiplier(beta_scale)
        words = (1, len(x), multiplier, shift, -radius(5, shift))
        assert run_one("softmax_s8", words, kernel_model.as_bytes(x), len(x)) == expected
        count += 1
    assert count >= 400


@pytest.mark.parametrize("name", ["logistic_s8", "tanh_s8"])
def test_curve_golden_scales_equals_tflm(name, shared):
    count = 0
    for seen, expected in golden_cases(shared, name.replace("_s8", "8")):
        x = integers(seen, "x")
        multiplier, shift = kernel_model.quantize_multiplier(real(seen, "scale") * 2**27)
        words = (len(x), integers(seen, "zp")[0], radius(4, shift), multiplier, shift)
        assert run_one(name, words, kernel_model.as_bytes(x), len(x)) == expected
        count += 1
    assert count >= 400


def test_leaky_relu_s8_golden_scales_equals_tflm(shared):
    count = 0
    for seen, expected in golden_cases(shared, "leaky8"):
        x, scale, output = integers(seen, "x"), real(seen, "scale"), real(seen, "so")
        product = np.float32(scale) * np.float32(real(seen, "alpha"))
        alpha = float(np.float32(product / np.float32(output)))
        words = [len(x), integers(seen, "zp")[0], integers(seen, "zo")[0]]
        words += kernel_model.quantize_multiplier(float(np.float32(scale / output)))
        words += kernel_model.quantize_multiplier(alpha)
        assert run_one("leaky_relu_s8", words, kernel_model.as_bytes(x), len(x)) == expected
        count += 1
    assert count >= 400


def test_requantized_curves_all_bytes_equal_model():
    """Every input byte through logistic and tanh for scales from 2**-12 to 2**3."""
    data = bytes(range(256))
    for exponent in range(-12, 4):
        multiplier, shift = kernel_model.quantize_multiplier(1.3 * 2.0 ** (exponent + 27))
        words = (256, 5, min(radius(4, shift), 2**31 - 1), multiplier, shift)
        record = dict(zip(rows().records["CURVE_S8"], words, strict=True))
        for name in ("logistic_s8", "tanh_s8"):
            vector = viper_vectors.Vector(name, record, [data], [], 0)
            assert call_of(vector).run(run_nodes)[0] == vector.outputs[0][1]
