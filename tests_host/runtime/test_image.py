"""tflm.image on CPython: the bytes of a model in numpy, what is refused, boxes."""

import importlib
import importlib.util
import os
import subprocess
import sys
from binascii import crc32
from types import SimpleNamespace

import numpy as np
import pytest

import tflm.image
from support.native.each_isa import with_each_isa
from support.reference import opencv_golden, picture_model
from support.reference.picture_model import fitted, values
from tflm import StateError, schema
from tflm.image import Fit
from tflm_host.model import native
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_image.py"
ORDERS = {
    "rgb565": ("big", "little"),
    "rgb888": ("rgb",),
    "grey": ("y",),
    "yuv422": ("yuyv", "uyvy"),
    "bayer": ("rggb", "grbg", "gbrg", "bggr"),
}
RESIZES = "nearest", "bilinear", "edge", "area", "antialias"
FITS = "squash", "crop", "letterbox"
TYPES = {"int8": schema.INT8, "uint8": schema.UINT8, "float32": schema.FLOAT32}


def model(shape, dtype="int8", scale=1 / 255, zero_point=-128):
    """Return what Fit takes of an interpreter, with one input of *shape*."""
    tensor = SimpleNamespace(shape=shape, type=TYPES[dtype], dtype=dtype, name="picture")
    tensor.scale, tensor.zero_point = scale, zero_point
    tensor.data = memoryview(bytearray(int(np.prod(shape)) * np.dtype(dtype).itemsize))
    return SimpleNamespace(inputs=(tensor,), context=True)


def input_of(interp):
    (tensor,) = interp.inputs
    return np.frombuffer(tensor.data, tensor.dtype).reshape(tensor.shape[1:])


def draw(rng):
    """Return (name, frame, shape, options) of a random case."""
    name = str(rng.choice(list(ORDERS)))
    width, height = (int(n) for n in rng.integers(1, 40, 2) * 2)
    order = str(rng.choice(ORDERS[name]))
    frame = picture_model.bytes_of(name, width, height, rng)
    shape = *(int(n) for n in rng.integers(1, 50, 2)), int(rng.choice([1, 3]))
    options = {
        "order": order,
        "fit": str(rng.choice(FITS)),
        "resize": str(rng.choice(RESIZES)),
        "rotate": int(rng.choice([0, 0, 90, 180, 270])),
        "fill": int(rng.integers(256)) if rng.random() < 0.5 else (7, 100, 255),
    }
    if rng.random() < 0.3:
        x, y = 2 * int(rng.integers(width // 2)), 2 * int(rng.integers(height // 2))
        size = 2 * int(rng.integers(1, (width - x) // 2 + 1))
        options["window"] = x, y, size, 2 * int(rng.integers(1, (height - y) // 2 + 1))
    return name, frame, (width, height), shape, options


@pytest.mark.parametrize("seed", range(6))
def test_random_pictures_equal_the_model(seed):
    """A hundred shapes, formats and modes each, as a whole and row by row."""
    rng = np.random.default_rng(seed)
    for number in range(100):
        name, frame, size, shape, options = draw(rng)
        pixels = fitted(frame, name, shape, **options)
        dtype = str(rng.choice(list(TYPES)))
        reals, kind = {}, {}
        if rng.random() < 0.5:
            reals = {"mean": (0.5, 0.25, 0.125)[: shape[2]], "std": 0.25}
            kind = {"scale": 0.03, "zero_point": 3 if dtype == "int8" else 120}
        interp = model((1, *shape), dtype, **kind)
        fit = Fit(interp, *size, name, **options, **reals)
        want = values(pixels, dtype, **reals, **kind)
        fit(frame.tobytes())
        assert np.array_equal(input_of(interp), want), (number, name, size, shape, options)
        interp.inputs[0].data[:] = bytes(len(interp.inputs[0].data))
        missing = [fit.row(row.tobytes()) for row in frame]
        assert missing == list(range(size[1] - 1, -1, -1))
        assert np.array_equal(input_of(interp), want), (number, name, size, shape, options)


def test_pictures_equal_the_reference_of_the_issue(shared, monkeypatch):
    """500 shapes, formats and modes, by definitions that others wrote down."""
    pytest.importorskip("PIL")
    monkeypatch.syspath_prepend(str(shared / "sense" / "proofs"))
    reference = importlib.import_module("image_ref")
    rng, ones = np.random.default_rng(32), {"bilinear": 256}
    for number in range(500):
        height, width = (int(n) for n in rng.integers(2, 80, 2))
        rows, columns, channels = (*map(int, rng.integers(1, 100, 2)), int(rng.choice([1, 3])))
        mode = ("nearest", "bilinear", "area", "antialias")[number % 4]
        name = ("rgb565", "rgb888", "yuv422")[number % 3]
        width += width % 2
        order = ORDERS[name][number % len(ORDERS[name])]
        frame = picture_model.bytes_of(name, width, height, rng)
        if name == "rgb565":
            rgb = reference.rgb565(frame, order == "big")
        elif name == "rgb888":
            rgb = frame.reshape(height, width, 3)
        else:
            y, c = (frame[:, 0::2], frame[:, 1::2])[:: 1 if order == "yuyv" else -1]
            rgb = reference.yuv(y, np.repeat(c[:, 0::2], 2, 1), np.repeat(c[:, 1::2], 2, 1))
        source = rgb
        if channels == 1:
            source = y if name == "yuv422" else reference.grey(rgb)
        if mode == "nearest":
            want = reference.nearest(source, rows, columns)
        elif mode == "bilinear":
            of = reference.bilinear2
            want = reference.apply(source, of(height, rows), of(width, columns), ones[mode])
        else:
            of = [reference.taps(*n, mode == "area") for n in ((height, rows), (width, columns))]
            want = reference.apply(source, *of, 16384)
        interp = model((1, rows, columns, channels), "uint8")
        Fit(interp, width, height, name, order, fit="squash", resize=mode)(frame.tobytes())
        got = input_of(interp)
        assert np.array_equal(got, np.reshape(want, got.shape)), (number, name, mode)


def gradient(height, width):
    """Return a smooth picture with noise, uint8 of [height, width, 3]."""
    rng = np.random.default_rng(1)
    steps = rng.normal(0, 3, (height, width, 3)).cumsum(0).cumsum(1) / 8
    return np.clip(steps + 128 + rng.normal(0, 20, steps.shape), 0, 255).astype(np.uint8)


def fit_rgb(rgb, height, width, resize):
    interp = model((1, height, width, 3), "uint8")
    Fit(interp, rgb.shape[1], rgb.shape[0], "rgb888", fit="squash", resize=resize)(rgb.tobytes())
    return input_of(interp).astype(int)


@pytest.mark.parametrize("size", [(96, 96), (48, 48), (120, 160), (224, 224), (31, 77)])
def test_antialias_is_within_one_of_pillow(size):
    image = pytest.importorskip("PIL.Image")
    rgb = gradient(120, 160)
    want = np.asarray(image.fromarray(rgb).resize(size[::-1], image.Resampling.BILINEAR))
    assert np.abs(fit_rgb(rgb, *size, "antialias") - want).max() <= 1


@pytest.mark.parametrize("case", opencv_golden.cases(), ids=str)
def test_bilinear_and_area_are_within_one_of_opencv(case):
    """Two in noise: the rows between are rounded, and positions are whole 1/256."""
    kind, way, before, after = case
    want = np.load(opencv_golden.FILE)[opencv_golden.key_of(*case)].astype(int)
    interp = model((1, *after, 1), "uint8")
    grey = opencv_golden.picture(kind, *before)
    Fit(interp, *before[::-1], "grey", fit="squash", resize=way)(grey.tobytes())
    far = np.abs(input_of(interp)[..., 0] - want).max()
    assert far <= (2 if (kind, way) == ("noise", "bilinear") else 1)


def test_grey_is_pillows():
    image = pytest.importorskip("PIL.Image")
    rgb = np.random.default_rng(2).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    interp = model((1, 64, 64, 1), "uint8")
    Fit(interp, 64, 64, "rgb888", resize="nearest")(rgb.tobytes())
    assert np.array_equal(input_of(interp)[..., 0], np.asarray(image.fromarray(rgb).convert("L")))


# sizes, names of errors
REFUSED = [
    ({"format": "rgb555"}, "format 'rgb555': one of rgb565, rgb888, grey, yuv422, bayer expected"),
    ({"order": "middle"}, "rgb565 order 'middle': one of big, little expected"),
    ({"format": "bayer", "order": "big"}, "bayer order 'big': one of rggb, grbg, gbrg, bggr"),
    ({"fit": "cover"}, "fit 'cover': one of squash, crop, letterbox expected"),
    ({"resize": "cubic"}, "resize 'cubic': one of nearest, bilinear, edge, area, antialias"),
    ({"rotate": 45}, "rotate 45: one of 0, 90, 180, 270 expected"),
    ({"width": 0}, "0 x 120 pixels: 1 to 4095 expected"),
    ({"height": 4096}, "160 x 4096 pixels: 1 to 4095 expected"),
    ({"format": "yuv422", "width": 161}, "161 x 120 pixels, yuv422: an even width"),
    ({"format": "bayer", "height": 121}, "160 x 121 pixels, bayer: .* of bayer an even height"),
    ({"window": (0, 0, 161, 2)}, r"window \(0, 0, 161, 2\): outside of 160 x 120 pixels"),
    ({"window": (-1, 0, 2, 2)}, r"window \(-1, 0, 2, 2\): outside of 160 x 120 pixels"),
    ({"window": (0, 0, 0, 2)}, r"window \(0, 0, 0, 2\): outside of 160 x 120 pixels"),
    ({"format": "bayer", "window": (1, 0, 2, 2)}, r"window \(1, 0, 2, 2\): even numbers expected"),
    ({"fill": 256}, "fill 256: 0 to 255, or three such numbers expected"),
    ({"fill": (1, 2)}, r"fill \(1, 2\): 0 to 255, or three such numbers expected"),
    ({"mean": (1, 2, 3)}, "mean or std of 3 numbers: 1 expected"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_wrong_arguments_are_named(options, message):
    arguments = {"width": 160, "height": 120, "format": "rgb565", **options}
    with pytest.raises(ValueError, match=message):
        Fit(model((1, 8, 8, 1)), **arguments)


@pytest.mark.parametrize(
    "shape", [(2, 8, 8, 1), (1, 8, 8, 2), (1, 8), (1, 8, 0, 1), (1, 8, 4096, 1)]
)
def test_input_that_is_no_picture_is_named(shape):
    with pytest.raises(ValueError, match="input picture is int8 .*: a picture is int8, uint8 or"):
        Fit(model(shape), 160, 120, "grey")


def test_input_of_another_type_is_named():
    interp = model((1, 8, 8, 1))
    interp.inputs[0].type, interp.inputs[0].dtype = schema.INT16, "int16"
    with pytest.raises(ValueError, match=r"input picture is int16 \[1, 8, 8, 1\]: a picture is"):
        Fit(interp, 160, 120, "grey")


def test_frames_and_rows_of_another_size_are_named():
    interp = model((1, 8, 8, 1))
    fit = Fit(interp, 160, 120, "rgb565")
    with pytest.raises(
        ValueError, match="frame of 38399 bytes: 38400 expected, rgb565 of 160 x 120"
    ):
        fit(bytes(38399))
    with pytest.raises(ValueError, match="row of 321 bytes: 320 expected, rgb565 of 160 x 120"):
        fit.row(bytes(321))
    assert fit.row(bytes(320)) == 119  # what was refused took no row


def test_rows_that_are_lost_are_named():
    frame = np.random.default_rng(3).integers(0, 256, (12, 16), dtype=np.uint8)
    interp = model((1, 5, 5, 1), "uint8")
    fit = Fit(interp, 16, 12, "grey")
    fit(frame.tobytes())
    want = input_of(interp).copy()
    for number in range(3):
        fit.row(bytes(16), number)
    with pytest.raises(StateError, match="row 4 of 12: row 3 is next, 0 begins again"):
        fit.row(bytes(16), 4)
    left = [fit.row(row.tobytes(), number) for number, row in enumerate(frame)]
    assert left == list(range(11, -1, -1))
    assert np.array_equal(input_of(interp), want)
    fit.row(bytes(16))
    fit(frame.tobytes())  # rows that came are dropped
    assert np.array_equal(input_of(interp), want)
    assert [fit.row(row.tobytes()) for row in frame][-1] == 0


def test_fit_that_is_in_use_is_refused():
    fit = Fit(model((1, 5, 5, 1)), 16, 12, "grey")
    fit._state[0] = 1
    with pytest.raises(StateError, match="this Fit is being fed"):
        fit(bytes(192))
    fit._state[0] = 0
    fit(bytes(192))


def test_forged_words_are_refused():
    good = [2, 0, 1, 0, 16, 12, 0, 0, 16, 12, 5, 5, 0, 0, 5, 5, 1, 1, 128, 0, 0, 0, 0]
    import _tflm

    assert len(_tflm.image_fit(np.array(good, np.int32), b"")) > 100
    for place, wrong in ((0, 5), (2, 9), (3, 4), (8, 17), (6, 1), (9, 0), (10, 4), (16, 2)):
        words = list(good)
        words[place] = wrong
        with pytest.raises(ValueError, match="words"):
            _tflm.image_fit(np.array(words, np.int32), b"")
    with pytest.raises(ValueError, match="words"):
        _tflm.image_fit(np.array(good[:22], np.int32), b"")
    with pytest.raises(ValueError, match="words"):
        _tflm.image_fit(np.array([*good[:19], 1, 0, 0, 0], np.int32), bytes(255))


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("name", ["grey", "bayer"])
def test_boxes_lead_back_into_the_frame(rotate, fit, name):
    """A square of the frame is found where the box around it in the input leads."""
    frame = np.zeros((120, 160), np.uint8)
    frame[40:60, 70:100] = 255
    interp = model((1, 60, 80, 1), "uint8")
    fitting = Fit(interp, 160, 120, name, fit=fit, rotate=rotate, resize="area")
    fitting(frame.tobytes())
    ys, xs = np.nonzero(input_of(interp)[..., 0] > 127)
    box = xs.min() / 80, ys.min() / 60, (xs.max() + 1) / 80, (ys.max() + 1) / 60
    found = fitting.to_frame(*box)
    assert np.allclose(found, (70, 40, 100, 60), atol=3), found
    assert fitting.to_frame(-9, -9, 9, 9) == (0, 0, 160, 120)


def test_memory_is_that_of_two_rows_and_the_tables():
    interp = model((1, 96, 96, 1))
    fit = Fit(interp, 160, 120, "rgb565", fit="squash")
    tables = 2048 + 4 * 96
    assert len(fit._state) < tables + 2 * 320
    nearest = Fit(interp, 160, 120, "rgb565", fit="squash", resize="nearest")
    assert len(nearest._state) < 2048 + 2 * 96 + 320


def test_firmware_without_it_says_so(monkeypatch):
    monkeypatch.setattr(tflm.image, "_tflm", None)
    with pytest.raises(ImportError, match="tflm.image needs firmware with it"):
        Fit(model((1, 8, 8, 1)), 160, 120, "grey")


@pytest.fixture
def board_script(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("image_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_script_for_boards_has_the_sums_of_the_model(board_script):
    script, found = board_script, []
    for name, order, channels, dtype, options in script.CASES:
        rows = np.frombuffer(script.frame_of(name), np.uint8).reshape(script.HEIGHT, -1)
        places = {key: options[key] for key in options if key not in ("mean", "std", "values")}
        pixels = fitted(rows, name, (*script.SHAPE, channels), order, **places)
        reals = [options.get(key) for key in ("values", "mean", "std")]
        kind = script.Fake.scale, script.Fake.zero_point
        found.append(crc32(values(pixels, dtype, *reals, *kind).tobytes()))
    assert tuple(found) == script.SUMS, ", ".join(f"0x{total:08X}" for total in found)


def test_script_for_boards_runs_here(board_script):
    importlib.import_module("tflm_tests").main(board_script)


test_script_runs_with_each_isa = with_each_isa(test_script_for_boards_runs_here)


@pytest.mark.slow
def test_script_runs_under_sanitizers():
    env = {"TFLM_CHECKED": "1", "LD_PRELOAD": native.sanitizer_runtime()}
    env |= {"PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0"}
    folders = [str(ROOT / name) for name in ("mp_modules", "host_tools", "tests_device")]
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env=os.environ | env | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 skipped, 0 failed" in done.stdout
