"""Detectors equal their definitions in numpy, on 1,000 random outputs each and on real models."""

import importlib
import importlib.util
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

import tflm
import tflm.detect as detect
from support.reference import detect_model as model
from tflm.detect.boxes import Values, overlap
from tflm.detect.curves import exp, sigmoid
from tflm_host.places import ROOT

SCRIPT = ROOT / "tests_device" / "test_detect.py"
LETTERS = {"int8": "b", "uint8": "B", "float32": "f"}
SIZE = (96, 128)  # of the input, in pixels
TIMES = 1000


class Output:
    """A tensor: elements of numpy."""

    name = "output"

    def __init__(self, values, scale=0.0, zero_point=0):
        self.values = values
        self.shape = values.shape
        self.dtype = str(values.dtype)
        self.format = LETTERS[self.dtype]
        self.scale, self.zero_point = scale, zero_point
        self.data = memoryview(np.ascontiguousarray(values).view(np.uint8).reshape(-1))

    def numbers(self):
        return model.numbers(self.values, self.scale or None, self.zero_point)


def look(*outputs):
    return SimpleNamespace(inputs=[SimpleNamespace(shape=(1, *SIZE, 3))], outputs=outputs)


def drawn(random, shape, low, high):
    """Return an Output of real numbers between *low* and *high*, of a random type."""
    values = random.uniform(low, high, shape)
    kind = random.choice(["int8", "uint8", "float32"])
    if kind == "float32":
        return Output(values.astype(np.float32))
    scale = float(np.float32((high - low) / 255))
    least = -128 if kind == "int8" else 0
    zero_point = int(np.clip(least - round(low / scale), least, least + 255))
    elements = np.clip(np.round(values / scale) + zero_point, least, least + 255)
    return Output(elements.astype(kind), scale, zero_point)


def found_by(detector):
    """Return [[score, class, x, y, width, height]] of the things."""
    things = list(detector)
    for thing in things:
        assert thing.score == thing._level / 65536
    return [[t._level, t.kind, t.x, t.y, t.width, t.height] for t in things]


def pixels(kept):
    """Return the candidates with boxes in pixels of the input."""
    result = []
    for level, kind, *box in kept:
        x0, x1 = [(v * SIZE[1] + 2048) // 4096 for v in (max(box[0], 0), min(box[2], 4096))]
        y0, y1 = [(v * SIZE[0] + 2048) // 4096 for v in (max(box[1], 0), min(box[3], 4096))]
        result.append([level, kind, x0, y0, x1 - x0, y1 - y0])
    return result


def check(detector, candidates, threshold, **options):
    candidates = candidates[candidates[:, 0] >= model.fixed(threshold)]
    kept = model.suppress(candidates, model.fixed(threshold), **options)
    assert found_by(detector) == pixels(kept)
    return len(kept)


@pytest.mark.slow
def test_script_for_boards_runs_here(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("detect_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    importlib.import_module("tflm_tests").main(module)


def test_curves_are_near_real_ones_and_grow():
    x = np.arange(-12 * 65536, 9 * 65536, 517)
    found = np.array([exp(int(value)) for value in x])
    real = np.exp(x / 65536)
    assert (np.abs(found / 65536 - real) <= 2e-4 * real + 2 / 65536).all()
    assert np.array_equal(found, model.exp(x))
    curve = np.array([sigmoid(int(value)) for value in x])
    assert np.abs(curve / 65536 - 1 / (1 + np.exp(-x / 65536))).max() < 1e-4
    assert (np.diff(curve) >= 0).all()


@pytest.mark.parametrize("kind", ["int8", "uint8", "float32"])
def test_keys_have_the_order_of_elements(kind):
    random = np.random.default_rng(1)
    if kind == "float32":
        elements = random.normal(0, 3, 500).astype(np.float32)
        elements[:4] = np.nan, np.inf, -np.inf, 0
    else:
        elements = random.integers(np.iinfo(kind).min, np.iinfo(kind).max, 500).astype(kind)
    output = Output(elements, *((0.25, 3) if kind != "float32" else ()))
    values = Values(output)
    exact = output.numbers()
    assert [values.at(i) for i in range(500)] == exact.tolist()
    for bar in (-65536, 0, 20000, 70000):
        key = values.least(lambda level, bar=bar: level >= bar)
        for i in range(1, 500):
            if exact[i] >= bar:
                assert values.key(i) >= key
            elif kind != "float32":
                assert values.key(i) < key
            elif values.key(i) >= key:  # only within the upper half of a float32
                assert bar - exact[i] <= abs(bar) / 64 + 1


def test_fomo_equals_edge_impulse_s_rule():
    random = np.random.default_rng(2)
    things = 0
    for _ in range(TIMES):
        rows, columns, classes = random.integers(1, 9, 3)
        threshold = float(random.choice([0.5, 0.6, 0.9]))
        output = drawn(random, (1, rows, columns, classes + 1), 0, 1)
        scores = output.values[0]
        if output.scale:
            steps = (scores.astype(int) - output.zero_point).astype(np.float32)
            scores = steps * np.float32(output.scale)
        wanted = []
        for level, kind, x, y, width, height in model.cubes(scores, threshold)[:20]:
            left, right = [(v * 4096 + columns // 2) // columns for v in (x, x + width)]
            top, low = [(v * 4096 + rows // 2) // rows for v in (y, y + height)]
            wanted.append([kind, left, top, right, low, level])
        found = list(detect.Fomo(look(output), threshold=threshold))
        boxes = pixels([[0, *one[:5]] for one in wanted])
        assert [[t.kind, t.x, t.y, t.width, t.height] for t in found] == [b[1:] for b in boxes]
        for thing, one in zip(found, wanted, strict=True):
            assert abs(thing.score - one[5]) < 3e-5
        things += len(found)
    assert things > TIMES


@pytest.mark.parametrize("sigma", [None, 0.5, 0.001])
def test_nms_equals_its_definition(sigma):
    random = np.random.default_rng(3)
    dropped = 0
    for _ in range(TIMES):
        count = int(random.integers(1, 14))
        output = Output(np.zeros((1, count, 7), np.float32))
        output.values[0, :, :2] = random.uniform(0.3, 0.7, (count, 2))
        output.values[0, :, 2:4] = random.uniform(0.1, 0.5, (count, 2))
        output.values[0, :, 4] = random.choice([0.25, 0.75, 0.875, 1], count)  # with ties
        output.values[0, :, 5:] = random.choice([0.75, 1], (count, 2))
        output.data = memoryview(output.values.view(np.uint8).reshape(-1))
        options = {"most": 9, "nms": 0.3, "sigma": sigma}
        detector = detect.YoloV5(look(output), threshold=0.4, **options)
        candidates = model.yolo_rows(output.numbers()[0])
        kept = check(detector, candidates, 0.4, **options)
        dropped += int((candidates[:, 0] >= model.fixed(0.4)).sum()) - kept
    assert dropped > TIMES // 4


def test_yolo_v2_and_v3_equal_their_definitions():
    random = np.random.default_rng(4)
    things = 0
    for turn in range(TIMES):
        sizes = random.integers(1, 5, (2, 2))
        classes, each = random.integers(1, 4, 2)
        outputs = [
            drawn(random, (1, *size, each * (5 + classes)), -6, 3) for size in sizes.tolist()
        ]
        pairs = random.uniform(5, 60, (2, each, 2)).astype(np.float32).tolist()
        if turn % 2:
            detector = detect.YoloV3(look(*outputs), pairs, threshold=0.3, nms=0.4)
            units = [[(model.fixed(w) // 128, model.fixed(h) // 96) for w, h in p] for p in pairs]
        else:
            outputs = outputs[:1]
            parts = (np.array(pairs[0]) / 100).astype(np.float32).tolist()
            detector = detect.YoloV2(look(*outputs), parts, threshold=0.3, nms=0.4)
            units = [model.fixed(parts)]
        found = [
            model.yolo_grid(output.numbers()[0], unit, turn % 2 == 0)
            for output, unit in zip(outputs, units, strict=False)
        ]
        things += check(detector, np.concatenate(found), 0.3, nms=0.4)
    assert things > TIMES


def test_yolo_v5_and_v8_equal_their_definitions():
    random = np.random.default_rng(5)
    things = 0
    for turn in range(TIMES):
        count, classes = random.integers(1, 12, 2)
        by_object = turn % 4 == 0
        if turn % 2:
            output = drawn(random, (1, 4 + classes, count), 0, 1)
            detector = detect.YoloV8(look(output), threshold=0.5)
            candidates = model.yolo_columns(output.numbers()[0])
        else:
            output = drawn(random, (1, count, 5 + classes), 0, 1)
            detector = detect.YoloV5(look(output), threshold=0.5, by_object=by_object)
            candidates = model.yolo_rows(output.numbers()[0], by_object)
        things += check(detector, candidates, 0.5)
    assert things > TIMES


def test_ssd_equals_its_definition():
    random = np.random.default_rng(6)
    things = 0
    for turn in range(TIMES):
        count, classes = random.integers(1, 8, 2)
        scores = drawn(random, (1, count, classes + 1), 0, 1)
        boxes = drawn(random, (1, count, 4), -1.5, 1.5)
        corners = np.sort(random.uniform(0, 1, (1, count, 2, 2)), axis=2)
        anchors = Output(corners.reshape(1, count, 4).astype(np.float32))
        scales = (10, 10, 5, 5) if turn % 2 else None
        if scales:
            detector = detect.Ssd(look(scores, boxes), None, 0.6, anchors, scales)
        else:
            detector = detect.Ssd(look(scores, boxes, anchors), threshold=0.6)
        numbers = [output.numbers()[0] for output in (scores, boxes, anchors)]
        things += check(detector, model.ssd(*numbers, scales), 0.6)
    assert things > TIMES


def test_post_process_takes_the_operator_s_order():
    random = np.random.default_rng(7)
    for _ in range(TIMES):
        count = int(random.integers(1, 10))
        boxes = random.uniform(-0.1, 1.1, (1, count, 4)).astype(np.float32)
        classes = random.integers(0, 90, (1, count)).astype(np.float32)
        scores = random.uniform(0, 1, (1, count)).astype(np.float32)
        valid = np.array([random.integers(0, count + 1)], np.float32)
        outputs = [Output(part) for part in (boxes, classes, scores, valid)]
        level = model.numbers(scores)[0]
        places = model.numbers(boxes)[0] * 4096 // 65536
        wanted = [
            [level[i], classes[0, i], *places[i, [1, 0, 3, 2]]]
            for i in range(int(valid[0]))
            if level[i] >= model.fixed(0.3)
        ]
        assert found_by(detect.PostProcess(look(*outputs), threshold=0.3)) == pixels(wanted)


def test_faces_equal_their_definition():
    random = np.random.default_rng(8)
    for _ in range(TIMES // 20):  # each has 896 anchors
        boxes = drawn(random, (1, 896, 16), -90, 90)
        scores = drawn(random, (1, 896, 1), -100, 6)
        detector = detect.BlazeFace(look(scores, boxes), threshold=0.6)
        found, points = model.faces(boxes.numbers(), scores.numbers(), SIZE[1], SIZE[0])
        check(detector, found, 0.6, nms=0.3)
        best = int(np.argmax(found[:, 0]))
        wanted = [
            [(x * SIZE[1] + 2048) // 4096, (y * SIZE[0] + 2048) // 4096] for x, y in points[best]
        ]
        assert next(iter(detector)).points == wanted


def test_heat_maps_equal_their_definition():
    random = np.random.default_rng(9)
    for turn in range(TIMES):
        rows, columns, channels = random.integers(1, 6, 3)
        heat = drawn(random, (1, rows, columns, channels), -4, 4)
        offsets = drawn(random, (1, rows, columns, 2 * channels), -10, 10)
        has_offsets = bool(turn % 2)
        outputs = (heat, offsets) if has_offsets else (heat,)
        detector = detect.Heat(look(*outputs), threshold=0.7, logits=True)
        level = heat.numbers()[0].reshape(-1, channels)
        best = level.argmax(axis=0)
        wanted = []
        for kind in range(channels):
            score = int(model.sigmoid(level[best[kind], kind]))
            y, x = divmod(int(best[kind]), int(columns))
            if has_offsets:
                shift = offsets.numbers()[0, y, x, [kind, channels + kind]]
                y = y * 4096 // max(rows - 1, 1) + shift[0] * 4096 // (SIZE[0] * 65536)
                x = x * 4096 // max(columns - 1, 1) + shift[1] * 4096 // (SIZE[1] * 65536)
            else:
                x = (2 * x + 1) * 4096 // (2 * columns)
                y = (2 * y + 1) * 4096 // (2 * rows)
            if score >= model.fixed(0.7):
                wanted.append([score, kind, x, y, x, y])
        found = found_by(detector)
        assert [one[:2] for one in found] == [one[:2] for one in wanted]
        inside = [one for one in wanted if min(one[2:]) >= 0 and max(one[2:]) <= 4096]
        if len(inside) == len(wanted):
            assert found == pixels(wanted)


def test_boxes_that_only_touch_do_not_overlap():
    assert overlap([0, 0, 0, 0, 10, 10], [0, 0, 10, 0, 20, 10]) == 0
    assert overlap([0, 0, 0, 0, 10, 10], [0, 0, 0, 0, 10, 10]) == 65536
    assert overlap([0, 0, 5, 5, 5, 5], [0, 0, 5, 5, 5, 5]) == 0


class HalfFit:
    """A Fit that took the right half of a frame of 320x240."""

    def to_frame(self, x0, y0, x1, y1):
        return 160 + 160 * x0, 240 * y0, 160 + 160 * x1, 240 * y1


def balloons():
    output = np.full((1, 12, 12, 3), -128, np.int8)
    output[0, 5, 5:7, 1] = 110
    output[0, 6, 6, 1] = 100
    output[0, 0, 11, 2] = 127
    return look(Output(output, 0.00390625, -128))


def test_things_are_printed_in_pixels_of_the_frame():
    labels = ("red", "blue")
    source = balloons()
    source.inputs[0].shape = (1, 96, 96, 3)
    assert [str(thing) for thing in detect.Fomo(source, labels)] == [
        "blue 1.00 at 88,0 8x8",
        "red 0.93 at 40,40 16x16",
    ]
    found = list(detect.Fomo(source, labels, fit=HalfFit()))
    assert str(found[1]) == "red 0.93 at 227,100 26x40"
    assert found[1].center == (240, 120)
    assert [thing.label for thing in detect.Fomo(source, most=1)] == ["1"]


@pytest.mark.parametrize(
    ("make", "shape", "message"),
    [
        (detect.Fomo, (1, 12, 36), "rows, columns, classes"),
        (detect.YoloV5, (1, 25, 5), "5 \\+ classes"),
        (detect.YoloV8, (1, 4, 25), "4 \\+ classes"),
        (detect.Ssd, (1, 12, 3), "scores, boxes and anchors"),
        (detect.PostProcess, (1, 12, 4), "boxes, classes, scores"),
        (detect.BlazeFace, (1, 12, 16), "896"),
        (detect.Heat, (1, 12), "channels"),
        (lambda source: detect.YoloV2(source, [(1, 1)] * 3), (1, 5, 5, 20), "5 \\+ classes"),
        (lambda source: detect.YoloV3(source, [[(1, 1)]] * 3), (1, 5, 5, 6), "3 outputs given"),
    ],
)
def test_outputs_of_other_shapes_are_refused(make, shape, message):
    with pytest.raises(ValueError, match=message):
        make(look(Output(np.zeros(shape, np.float32))))


def test_names_and_types_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'Yolo'"):
        detect.Yolo  # noqa: B018 - the access is the test
    wide = Output(np.zeros((1, 2, 2, 2), np.float32))
    wide.format = "h"
    with pytest.raises(TypeError, match="int8, uint8 or float32"):
        detect.Fomo(look(wide))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_labels_of_metadata_and_of_a_text_file(tmp_path, method):
    path = tmp_path / "model.tflite"
    path.write_bytes(bytes(100))
    with zipfile.ZipFile(path, "a", method) as archive:
        archive.writestr("labels.txt", "background\nt\u00eate \n\n")
    assert detect.read_labels(str(path)) == ["background", "t\u00eate"]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("other.txt", "one")
    with pytest.raises(ValueError, match="2 files of labels, 1 expected"):
        detect.read_labels(str(path))
    path.write_bytes(bytes(100))
    with pytest.raises(ValueError, match="no zip at its end"):
        detect.read_labels(str(path))
    (tmp_path / "labels.txt").write_text("red\nblue\n")
    assert detect.read_labels(str(tmp_path / "labels.txt")) == ["red", "blue"]


def run_of_zoo(shared, name, seed=1):
    """Return the interpreter of a model of the zoo after a run on noise."""
    interp = tflm.Interpreter(str(next((shared / "zoo").rglob(name))))
    source = interp.inputs[0]
    random = np.random.default_rng(seed)
    if source.dtype == "float32":
        source.assign(random.uniform(-1, 1, len(source)).astype(np.float32))
    else:
        source.assign(random.integers(0, 256, source.nbytes).astype(np.uint8).tobytes())
    interp.invoke()
    return interp


def of_zoo(tensor):
    """Return the elements of *tensor* in 1/65536, without the batch."""
    return model.numbers(np.array(tensor), tensor.scale or None, tensor.zero_point)[0]


def compare(detector, interp, candidates, threshold, **options):
    height, width = interp.inputs[0].shape[1:3]
    kept = model.suppress(
        candidates[candidates[:, 0] >= model.fixed(threshold)], model.fixed(threshold), **options
    )
    found = list(detector)
    assert [[t._level, t.kind] for t in found] == [one[:2] for one in kept]
    for thing, (_, _, x0, y0, x1, y1) in zip(found, kept, strict=True):
        assert thing.x == (max(x0, 0) * width + 2048) // 4096
        assert thing.y == (max(y0, 0) * height + 2048) // 4096
        assert thing.x + thing.width == (min(x1, 4096) * width + 2048) // 4096
        assert thing.y + thing.height == (min(y1, 4096) * height + 2048) // 4096
    return len(found)


@pytest.mark.slow
def test_fomo_of_the_zoo(shared):
    interp = run_of_zoo(shared, "trained_-_Copy-fc1fc3.tflite")
    output = interp.outputs[0]
    scores = (np.array(output)[0].astype(int) + 128).astype(np.float32) * np.float32(output.scale)
    for threshold in (0.5, float(np.sort(scores[..., 1:].reshape(-1))[-9])):
        wanted = model.cubes(scores, threshold)
        found = list(detect.Fomo(interp, ("red", "blue"), threshold, most=200))
        assert [[t.x, t.y, t.width, t.height] for t in found] == [
            [8 * value for value in one[2:]] for one in wanted
        ]
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yolo_face_detect-9aac54", "yolo_coco_tflite-f8f196"])
def test_yolo_of_the_zoo(shared, name):
    interp = run_of_zoo(shared, name + ".tflite")
    pairs = [[(9.0 * i, 12.0 * i), (20, 30), (40, 60)] for i in range(1, len(interp.outputs) + 1)]
    height, width = interp.inputs[0].shape[1:3]
    candidates = np.concatenate(
        [
            model.yolo_grid(
                of_zoo(output),
                [(model.fixed(w) // width, model.fixed(h) // height) for w, h in some],
                False,
            )
            for output, some in zip(interp.outputs, pairs, strict=True)
        ]
    )
    threshold = float(np.sort(candidates[:, 0])[-12] / 65536)
    detector = detect.YoloV3(interp, pairs, threshold=threshold)
    assert compare(detector, interp, candidates, threshold) > 2


@pytest.mark.slow
def test_ssd_of_the_zoo(shared):
    interp = run_of_zoo(shared, "ssd_mobilenet_v1_025_224_int8-a36a89.tflite")
    candidates = model.ssd(*[of_zoo(output) for output in interp.outputs])
    threshold = float(np.sort(candidates[:, 0])[-12] / 65536)
    detector = detect.Ssd(interp, threshold=threshold)
    assert compare(detector, interp, candidates, threshold) > 0


@pytest.mark.slow
def test_faces_of_the_zoo(shared):
    interp = run_of_zoo(shared, "face_detection_back-e376cf.tflite")
    boxes, scores = [of_zoo(output) for output in interp.outputs]
    candidates, _ = model.faces(boxes, scores, 256, 256)
    threshold = float(np.sort(candidates[:, 0])[-12] / 65536)
    detector = detect.BlazeFace(interp, threshold=threshold)
    assert compare(detector, interp, candidates, threshold, nms=0.3)
