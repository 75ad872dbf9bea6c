"""`tflm watch`: frames, the input as the model sees it, boxes, pages, and what is refused."""

import base64
import json
import re
import struct
import zlib
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from support.models.model_builder import ModelBuilder, Quant
from support.nets import pictures
from support.reference import picture_model
from tflm.image import Fit
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm_host.__main__ import main
from tflm_host.cli import watch
from tflm_host.model.decoders import NONE, told_by
from tflm_host.model.files import InputError
from tflm_host.model.frames import Form, as_seen, colours, frames_in
from tflm_host.model.pictures import png
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.report import watched
from tflm_host.targets import watching
from tflm_host.targets.pictures import rgb565
from tflm_host.targets.repl import TargetError

DIGITS = ROOT / "models" / "digits_cnn.tflite"
SCENE = ROOT / "examples" / "scene.pgm"
RAW = ("--size", "48x32", "--fit", "squash")
FOUND = [["0", 16, 0, 16, 16], ["1", 32, 16, 16, 16]]  # in pixels of the two frames


def tflm(*arguments, status=0):
    done = CliRunner().invoke(main, ["watch", *map(str, arguments)])
    assert done.exit_code == status, done.output
    return done


def facts(*arguments):
    return json.loads(tflm(*arguments, "--json").stdout)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "means.tflite"
    path.write_bytes(pictures.means())
    return path


@pytest.fixture
def raw(tmp_path):
    """Two frames of RGB565 in one file."""
    path = tmp_path / "frames.rgb565"
    path.write_bytes(b"".join(map(rgb565, pictures.frames())))
    return path


def boxes(answer):
    things = [thing for frame in answer["frames"] for thing in frame["things"]]
    return [[t[key] for key in ("label", "x", "y", "width", "height")] for t in things]


def test_raw_frames_have_boxes_in_their_pixels(model, raw):
    answer = facts(model, raw, *RAW)
    assert boxes(answer) == FOUND
    names = [frame["frame"] for frame in answer["frames"]]
    assert names == ["frames.rgb565 0", "frames.rgb565 1"]
    assert (answer["target"], answer["boxes"]) == ("host", "fomo")


def test_pictures_of_a_folder_are_frames(model, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for i, pixels in enumerate(pictures.frames()):
        head = b"P6\n# by hand\n48 32\n255\n"
        (folder / f"{i}.ppm").write_bytes(head + pixels.tobytes())
    (folder / "notes.txt").write_text("no picture")
    assert boxes(facts(model, folder, "--fit", "squash")) == FOUND
    pytest.importorskip("PIL")
    for i, pixels in enumerate(pictures.frames()):
        (folder / f"{i}.ppm").unlink()
        (folder / f"{i}.png").write_bytes(png(pixels))
    assert boxes(facts(model, folder, "--fit", "squash")) == FOUND
    assert len(facts(model, folder, "--count", 1)["frames"]) == 1


def test_text_has_a_line_for_each_thing(model, raw, tmp_path):
    (tmp_path / "labels.txt").write_text("green\nblue\n")
    text = tflm(model, raw, *RAW, "--labels", tmp_path / "labels.txt").stdout
    assert "fomo, as the outputs' shapes tell" in text
    assert re.search(r"^frames.rgb565 1, 48x32 rgb565: fit [\d,]+ us, run [\d,]+ us$", text, re.M)
    assert "\n  green 1.00 at 16,0 16x16\n" in text
    assert "\N{UPPER HALF BLOCK}" not in text
    assert "boxes:" not in tflm(model, raw, *RAW, "--boxes", "fomo").stdout


def test_model_without_boxes_has_its_best_classes():
    (frame,) = facts(DIGITS, SCENE)["frames"]
    assert len(frame["results"]) == 3
    assert all(re.fullmatch(r"\d+\.\d %", result["value"]) for result in frame["results"])
    (other,) = facts(DIGITS, SCENE, "--rotate", 180)["frames"]
    assert other["results"] != frame["results"]


@pytest.mark.parametrize("kind", ["INT8", "UINT8", "FLOAT32"])
@pytest.mark.parametrize("fit", ["crop", "letterbox"])
def test_input_and_outputs_are_those_of_fit_and_interpreter(kind, fit):
    model, pixels = pictures.means(kind), pictures.frames()[0]
    frame = next(frames_in([SCENE]))
    form = Form(48, 32, "rgb888")
    given = [SimpleNamespace(name="a", form=form, data=pixels.tobytes()), frame]
    graph = Model(model).subgraphs[0]
    found = watching.watch_here(model, graph, given, {"fit": fit})
    for one, seen in zip(given, found, strict=True):
        look = Interpreter(model)
        Fit(look, one.form.width, one.form.height, one.form.format, fit=fit)(one.data)
        assert seen.input == bytes(look.inputs[0].data)
        look.invoke()
        assert seen.outputs == [bytes(look.outputs[0].data)]


@pytest.mark.parametrize("kind", ["INT8", "UINT8", "FLOAT32"])
def test_input_is_shown_as_its_pixels(kind):
    pixels = np.random.default_rng(1).integers(0, 256, (*pictures.SIZE, 3), dtype=np.uint8)
    model = pictures.means(kind)
    graph = Model(model).subgraphs[0]
    height, width = pictures.SIZE
    frame = SimpleNamespace(name="a", form=Form(width, height, "rgb888"), data=pixels.tobytes())
    (seen,) = watching.watch_here(model, graph, [frame], {})
    info = graph.tensor(graph.inputs[0])
    assert np.array_equal(as_seen(info, seen.input), pixels)
    if kind == "FLOAT32":
        (seen,) = watching.watch_here(model, graph, [frame], {"values": (-1, 1)})
        assert np.array_equal(as_seen(info, seen.input, (-1, 1)), pixels)


def test_mean_and_std_are_those_of_fit(tmp_path, monkeypatch):
    model = tmp_path / "float.tflite"
    model.write_bytes(pictures.means("FLOAT32"))
    views, shown = [], watch.show
    monkeypatch.setattr(
        watch, "show", lambda view, *a, **k: (views.append(view), shown(view, *a, **k))
    )
    tflm(model, SCENE, "--mean", "0.5,0.4,0.3", "--std", "0.25")
    look, frame = Interpreter(model.read_bytes()), next(frames_in([SCENE]))
    Fit(look, 96, 96, "grey", mean=(0.5, 0.4, 0.3), std=0.25)(frame.data)
    assert views[0].seen.input == bytes(look.inputs[0].data)
    reals = np.frombuffer(views[0].seen.input, np.float32).reshape(views[0].fitted.shape)
    assert np.abs((reals + 2) / (2.8 + 2) * 255 - views[0].fitted).max() <= 0.51


@pytest.mark.parametrize(
    ("format", "order"),
    [("rgb565", "big"), ("rgb565", "little"), ("rgb888", None), ("grey", None)]
    + [("yuv422", "uyvy"), ("bayer", "gbrg")],
)
def test_frames_look_as_their_definition(format, order):
    form = Form(6, 4, format, order)
    data = np.random.default_rng(2).integers(0, 256, form.nbytes, dtype=np.uint8)
    rows = data.reshape(form.height, -1)
    wanted = picture_model.pixels(rows, format, order or "rgb", 3)
    data = data.tobytes()
    if format == "bayer":
        wanted = wanted.repeat(2, axis=0).repeat(2, axis=1)
    assert np.array_equal(colours(form, data), wanted)


def decoded(text):
    """Return the pixels of a PNG in base64, as model.pictures.png() writes it."""
    data = base64.b64decode(text)
    width, height = struct.unpack(">II", data[16:24])
    channels = {0: 1, 2: 3}[data[25]]
    (nbytes,) = struct.unpack(">I", data[33:37])
    rows = np.frombuffer(zlib.decompress(data[41 : 41 + nbytes]), np.uint8)
    return rows.reshape(height, -1)[:, 1:].reshape(height, width, channels)


def test_page_has_frames_and_inputs_inside(model, raw, tmp_path):
    page = tmp_path / "seen.html"
    tflm(model, raw, *RAW, "--html", page, "--labels", _written(tmp_path / "l", "<b>\nblue\n"))
    text = page.read_text()
    assert not re.search(r"https?:|<script|<b>|url\(", text)
    images = [decoded(part) for part in re.findall(r"data:image/png;base64,([^\"]+)", text)]
    assert [image.shape for image in images] == [(32, 48, 3), (16, 24, 3)] * 2
    assert np.array_equal(images[0], pictures.frames()[0])
    assert np.array_equal(images[3], pictures.frames()[1][::2, ::2])
    assert '<rect x="16" y="0" width="16" height="16"' in text
    assert "&lt;b&gt; 1.00" in text
    before = page.stat().st_mtime_ns
    refused = tflm(model, raw, *RAW, "--html", page, status=1)
    assert f"{page} exists: --overwrite replaces it" in refused.stderr
    assert page.stat().st_mtime_ns == before
    refused = tflm(
        model, tmp_path / "no frames", *RAW, "--html", tmp_path / "none" / "p", status=1
    )
    assert "none is no folder" in " ".join(refused.stderr.split())
    tflm(model, raw, *RAW, "--html", page, "--overwrite", "--count", 1)
    assert page.read_text().count("<section>") == 1


def _written(path, text):
    path.write_text(text)
    return path


def test_page_without_things_says_so(model, raw, tmp_path):
    tflm(model, raw, *RAW, "--threshold", 1, "--boxes", "heat", "--html", tmp_path / "a.html")
    tflm(model, raw, *RAW, "--labels", _written(tmp_path / "l", ""), "--html", tmp_path / "b.html")
    assert "heat 1.00" not in (tmp_path / "a.html").read_text()


def view_of(things=()):
    form = Form(4, 4, "rgb888")
    seen = SimpleNamespace(form=form, name="a", fit_microseconds=1, run_microseconds=2)
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    return watched.View(seen, pixels, pixels[:3, :, :1], list(things))


def thing(x, y, width, height, points=()):
    return SimpleNamespace(kind=0, x=x, y=y, width=width, height=height, points=points)


def test_half_blocks_have_the_colours_of_two_rows(monkeypatch):
    console = Console(force_terminal=True, color_system="truecolor", width=80, file=_Utf())
    monkeypatch.setattr(watched, "out", console)
    head, first, second = watched.picture(view_of(), 80, 25)
    assert head.plain.split() == ["4x4", "rgb888", "input", "4x3x1"]
    span = first.spans[1]
    assert (span.style.color.triplet, span.style.bgcolor.triplet) == ((3, 4, 5), (15, 16, 17))
    assert first.plain.count("\N{UPPER HALF BLOCK}") == second.plain.count("▀") == 8
    assert first.plain.index(" ") == 4


class _Utf:
    """A file that a terminal of UTF-8 is."""

    encoding = "utf-8"

    def write(self, text):
        pass

    def flush(self):
        pass

    def isatty(self):
        return True


def test_without_colours_there_are_characters():
    dark, light = np.zeros((3, 2, 3), np.uint8), np.full((3, 2, 3), 255, np.uint8)
    assert [line.plain for line in watched.characters(dark)] == ["  ", "  "]
    assert [line.plain for line in watched.characters(light)] == ["@@", "@@"]


def test_live_pictures_go_into_a_pipe_if_asked(model, raw):
    text = tflm(model, raw, *RAW, "--live").stdout
    assert re.search(r"^48x32 rgb565 +input 24x16x3$", text, re.M)
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("box", "wanted"),
    [
        (thing(1, 1, 2, 2), [[1, 1], [1, 2], [2, 1], [2, 2]]),
        (thing(3, 3, 9, 9), [[3, 3]]),
        (thing(0, 0, 0, 0), [[0, 0]]),
        (thing(0, 0, 1, 1, points=[[2, 3]]), [[0, 0], [3, 2]]),
    ],
)
def test_outlines_of_boxes_are_drawn_inside(box, wanted):
    pixels = np.zeros((4, 4, 3), np.uint8)
    watched.draw(pixels, [box], Form(4, 4, "grey"))
    assert np.argwhere(pixels.any(axis=2)).tolist() == wanted


def test_large_pictures_shrink_and_small_ones_stay():
    pixels = np.zeros((30, 90, 3), np.uint8)
    assert watched.scaled(pixels, 45, 100).shape == (15, 45, 3)
    assert watched.scaled(pixels, 100, 10).shape == (10, 30, 3)
    assert watched.scaled(pixels, 100, 100).shape == pixels.shape


def graph_of(outputs, size=(96, 96)):
    shapes = [(1, *size, 3), *outputs]
    tensor = lambda i: SimpleNamespace(shape=shapes[i])  # noqa: E731
    return SimpleNamespace(inputs=[0], outputs=range(1, len(shapes)), tensor=tensor)


@pytest.mark.parametrize(
    ("outputs", "name"),
    [
        ([(1, 12, 12, 3)], "fomo"),
        ([(1, 12, 12, 1)], NONE),
        ([(1, 6, 6, 3)], NONE),
        ([(1, 2)], NONE),
        ([(1, 10, 4), (1, 10), (1, 10), (1,)], "postprocess"),
        ([(1, 6825, 2), (1, 6825, 4), (1, 6825, 4)], "ssd"),
        ([(1, 800, 10), (1, 800, 2), (1, 800, 4)], NONE),
        ([(1, 896, 16), (1, 896, 1)], "blazeface"),
        ([(1, 896, 1), (1, 896, 16)], "blazeface"),
        ([(1, 567, 85)], "yolov5"),
        ([(1, 84, 756)], "yolov8"),
        ([(1, 4, 5, 18), (1, 8, 10, 18)], NONE),
    ],
)
def test_shapes_tell_the_detector(outputs, name):
    assert told_by(graph_of(outputs)) == name


def one_input(shape, kind="INT8"):
    builder = ModelBuilder()
    x, y = (builder.tensor(shape, kind, Quant(0.5)) for _ in range(2))
    builder.op("RELU", [x], [y])
    return builder.build([x], [y])


def two_inputs():
    builder = ModelBuilder()
    x, y, z = (builder.tensor([1, 8, 8, 1], "INT8", Quant(0.5)) for _ in range(3))
    builder.op("ADD", [x, y], [z], activation=0)
    return builder.build([x, y], [z])


def refusals(model, raw, tmp_path):
    """Return [(arguments, status, what is said)]."""
    sound = _model(tmp_path / "sound.tflite", one_input([1, 40]))
    two = _model(tmp_path / "two.tflite", two_inputs())
    fed = _model(tmp_path / "fed.tflite", prepare(pictures.means(), "portable", feed=True))
    short, empty = tmp_path / "short.raw", tmp_path / "empty"
    short.write_bytes(bytes(3073))
    empty.mkdir()
    bad = tmp_path / "bad.pgm"
    bad.write_bytes(b"P5 4 4 255 abc")
    return [
        ([model], 2, "name FRAMES, or --port BOARD, which has a camera"),
        ([model, raw], 1, "frames.rgb565: a picture ends in .png"),
        ([model, raw, "--size", "48"], 2, "48: width and height expected, such as 160x120"),
        ([model, raw, "--size", "0x3"], 2, "0x3: width and height expected"),
        ([model, raw, "--format", "grey"], 2, "of raw frames, which need --size"),
        ([model, short, *RAW], 1, "3,073 bytes are no whole frames of 3,072 bytes, 48x32 rgb565"),
        ([model, empty, *RAW], 1, f"{empty}: no file in it"),
        ([model, empty], 1, f"{empty}: no file in it ends in one of .png, .jpg"),
        ([model, tmp_path / "none"], 1, "none: no such file"),
        ([model, bad], 1, "bad.pgm: 3 bytes of pixels, 4x4 grey takes 16"),
        ([model, _model(tmp_path / "a.ppm", b"P3 1 1 255 0")], 1, "no binary PGM or PPM file"),
        ([model, raw, *RAW, "--order", "middle"], 1, "rgb565 order 'middle': one of big, little"),
        ([model, raw, *RAW, "--boxes", "yolo"], 2, "'yolo' is not one of 'fomo', 'postprocess'"),
        ([model, raw, *RAW, "--boxes", "yolov8"], 1, "--boxes yolov8: output of shape"),
        ([model, raw, *RAW, "--boxes", "yolov2"], 1, "--boxes yolov2 needs --anchors"),
        ([model, raw, *RAW, "--anchors", "1,x"], 2, "pairs of numbers expected"),
        ([model, raw, *RAW, "--mean", "a,b"], 2, "a,b: numbers expected, such as 0.5,0.4,0.4"),
        ([model, raw, *RAW, "--mean", "1,2"], 1, "mean or std of 2 numbers: 3 expected"),
        ([model, raw, *RAW, "--std", "0"], 1, "--std 0: another number"),
        ([model, raw, *RAW, "--mean", "1,2", "--std", "1,2,3"], 1, "mean or std of 2 numbers"),
        ([model, raw, *RAW, "--driver", "x"], 2, "FRAMES are given: there is no camera"),
        ([sound, raw, *RAW], 1, "a picture is int8, uint8 or float32 [1, height, width, 1 or 3]"),
        ([two, raw, *RAW], 1, "2 inputs, a model with one is watched"),
        ([fed, raw, *RAW], 1, "its input is fed by rows, so it is never whole"),
        ([model, raw, *RAW, "--port", "NONE"], 2, "no target is called 'NONE'"),
    ]


def _model(path, data):
    path.write_bytes(data)
    return path


def test_wrong_uses_are_refused_by_name(model, raw, tmp_path):
    for arguments, status, said in refusals(model, raw, tmp_path):
        done = tflm(*arguments, status=status)
        assert said in " ".join(done.stderr.split()), (arguments, done.stderr)
        assert "Traceback" not in done.output


def test_anchors_are_for_yolov2(tmp_path):
    model = _model(tmp_path / "v2.tflite", one_input([1, 4, 4, 3]))
    builder = ModelBuilder()
    x = builder.tensor([1, 8, 8, 3], "INT8", Quant(0.1))
    y = builder.tensor([1, 4, 4, 12], "INT8", Quant(0.1))
    builder.op("SPACE_TO_DEPTH", [x], [y], block_size=2)
    model.write_bytes(builder.build([x], [y]))
    (frame,) = facts(model, SCENE, "--boxes", "yolov2", "--anchors", "0.2,0.3,0.5,0.5")["frames"]
    assert frame["things"]


@pytest.mark.parametrize(
    "said",
    [
        [["times", [1, 1]]],
        [["input", "AAAA"], ["times", [1, 1]]],
        [["output", [7, "AAAA"]]],
        [["output", [0, "AAAA"]], ["times", [1, 1]]],
    ],
)
def test_replies_of_a_wrong_size_are_refused(said):
    parts = watching._Parts(Model(pictures.means()).subgraphs[0], "board")
    with pytest.raises(TargetError, match="board: "):
        for kind, value in said:
            parts.take(kind, value)
        parts.seen("a", Form(1, 1, "grey"), b"a")


def test_detector_that_raises_names_itself(model):
    graph = Model(model.read_bytes()).subgraphs[0]
    from tflm_host.model.decoders import Decoder

    with pytest.raises(InputError, match="--boxes ssd: outputs of shapes"):
        Decoder(graph, "ssd")
