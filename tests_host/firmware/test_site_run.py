"""The web page that runs models has TFLM's bytes: Node runs its engine, Chromium all of it."""

import base64
import hashlib
import json
import re
import runpy
import shutil
import struct
import subprocess
import wave

import numpy as np
import pytest

from cases import FAMILIES
from judge import Judge
from support.models.model_builder import ModelBuilder, Quant
from support.nets import one_op_models, pictures
from support.pages import axe_pages
from support.pages.built_pages import built
from support.pages.watched import value_of
from tflm.base.errors import ModelError
from tflm.image import Fit
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm_host.cli import site
from tflm_host.deploy import gallery
from tflm_host.model import wasm
from tflm_host.model.files import InputError
from tflm_host.model.oracle import Oracle
from tflm_host.model.samples import read_sample
from tflm_host.model.tensor_io import random_tensor
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

PAGES = ROOT / "tests_host" / "support" / "pages"
MODELS = sorted((ROOT / "models").glob("*.tflite"))
DIGITS = ROOT / "models" / "digits_cnn.tflite"
ENGINE = PAGES / "ask_run.mjs"
TWO = PAGES / "two_runs.mjs"
TURNS = 40  # of each model there
SAMPLES = PAGES / "ask_samples.mjs"
DRIVER = PAGES / "drive_run.mjs"
CAMERA = PAGES / "camera_run.mjs"
RECORDER = PAGES / "record_run.mjs"
SAMPLER = PAGES / "drive_sample.mjs"
EXAMPLES = ROOT / "examples"
LARGEST = 2_000_000  # bytes of the page
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
RECORDED = 24_000  # samples: the browser's stand-in for a microphone beeps once a second
LOUD = 1000
TEXTS = {  # of the things in the frames of pictures.frames(), by the names of classes
    '["green"]': ("green 1.00 at 16,0 16x16", "1 1.00 at 32,16 16x16"),
    "null": ("0 1.00 at 16,0 16x16", "1 1.00 at 32,16 16x16"),
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A folder with the built page, and what is packed in it."""
    built(site.RUN_PAGE)
    folder = tmp_path_factory.mktemp("page")
    (folder / "files.json").write_text(json.dumps({"files": site.files("run")}))
    shutil.copy(wasm.TARGET, folder / "kernels.wasm")
    return folder


@pytest.fixture
def node():
    """A function that runs a script of ours in Node."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return ask_node


def ask_node(script, *arguments, plan):
    """Return the replies of *script* to each of *plan*."""
    done = subprocess.run(
        ["node", str(script), *map(str, arguments)],
        input="\n".join(map(json.dumps, plan)),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(page, plan):
    """Return the results of the page's engine for each of *plan*; see ask_run.mjs."""
    micropython = site.MICROPYTHON / "micropython.mjs"
    return ask_node(ENGINE, site.SOURCES / "run", micropython, page, plan=plan)


def planned(folder, number, model, inputs):
    """Write *model* and *inputs*, bytes; return what ask() takes."""
    path = folder / f"{number}.tflite"
    path.write_bytes(model)
    files = [folder / f"{number}-{i}.bin" for i in range(len(inputs))]
    for file, data in zip(files, inputs, strict=True):
        file.write_bytes(data)
    return {"model": str(path), "inputs": list(map(str, files))}


def inputs_of(model):
    """Return the TensorInfo of each input of *model*, bytes."""
    graph = Model(model).subgraphs[0]
    return [graph.tensor(i) for i in graph.inputs]


def check_bytes(page, cases, tmp_path, as_run=bytes):
    """Run (model, inputs) in the page's engine; compare all outputs with TFLM's."""
    plan, wanted = [], []
    with Judge() as oracle:
        for i, (model, inputs) in enumerate(cases):
            oracle.load(model)
            wanted.append([bytes(data).hex() for data in oracle.invoke(inputs)])
            plan.append(planned(tmp_path, i, as_run(model), inputs))
    found = ask(page, plan)
    assert [answer.get("error") for answer in found] == [None] * len(plan)
    assert [[o["hex"] for o in answer["outputs"]] for answer in found] == wanted


@pytest.mark.parametrize("as_run", [bytes, lambda model: prepare(model, "portable")])
def test_models_have_the_bytes_of_tflm(page, tmp_path, as_run):
    rng = np.random.default_rng(13)
    models = [path.read_bytes() for path in MODELS]
    cases = [(model, [random_tensor(i, rng) for i in inputs_of(model)]) for model in models]
    check_bytes(page, cases, tmp_path, as_run)


def test_one_random_model_of_each_operator_has_the_bytes_of_tflm(page, tmp_path):
    names = [op for cases in FAMILIES.values() for op in cases]
    found = [one_op_models.case_of(op, 2) for op in names]
    check_bytes(page, [(case.model, case.inputs[0]) for case in found], tmp_path)


def test_models_of_one_page_do_not_disturb_each_other(page, tmp_path):
    names, inputs = ("digits_cnn", "sine"), (bytes(range(64)), bytes([20]))
    plan, wanted = [], []
    with Judge() as oracle:
        for name, data in zip(names, inputs, strict=True):
            path, file = ROOT / "models" / f"{name}.tflite", tmp_path / name
            file.write_bytes(data)
            oracle.load(path.read_bytes())
            wanted.append(bytes(oracle.invoke([data])[0]).hex())
            plan.append({"model": str(path), "input": str(file)})
    micropython = site.MICROPYTHON / "micropython.mjs"
    found = ask_node(TWO, site.SOURCES / "run", micropython, page, plan=plan)
    assert [answer["errors"] for answer in found] == [[], []]
    assert [set(answer["hex"]) for answer in found] == [{hex} for hex in wanted]
    assert [len(answer["hex"]) for answer in found] == [TURNS, TURNS]


def test_a_model_that_cannot_run_gets_the_reason(page, tmp_path):
    (tmp_path / "broken.tflite").write_bytes(DIGITS.read_bytes()[:3000])
    builder = ModelBuilder()
    x, y = (builder.tensor([1, 4], "UINT8", Quant(0.5)) for _ in range(2))
    builder.op("TANH", [x], [y])
    (tmp_path / "old.tflite").write_bytes(builder.build([x], [y]))
    short = planned(tmp_path, 0, DIGITS.read_bytes(), [bytes(63)])
    plan = [{"model": str(tmp_path / name)} for name in ("broken.tflite", "old.tflite")]
    broken, old, short = (answer["error"] for answer in ask(page, [*plan, short]))
    with pytest.raises(ModelError) as reason:
        Model((tmp_path / "broken.tflite").read_bytes()).verify()
    assert broken == str(reason.value)
    assert "TANH" in old
    assert short == "63 bytes, the input takes 64"


@pytest.mark.parametrize("shape", [[1, 8, 8, 1], [1, 48, 31, 3], [1, 784], [28, 28]])
@pytest.mark.parametrize("size", [(8, 8), (28, 28), (61, 17), (5, 90)])
def test_pictures_become_the_bytes_of_tflm_run(node, tmp_path, shape, size):
    image = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(size[0])
    path = tmp_path / "picture.png"
    picture = image.fromarray(rng.integers(0, 256, (size[1], size[0], 3), np.uint8))
    picture.save(path)
    builder = ModelBuilder()
    x, y = (builder.tensor(shape, "INT8", Quant(0.5)) for _ in range(2))
    builder.op("RELU", [x], [y])
    info = inputs_of(builder.build([x], [y]))[0]
    (tmp_path / "rgba").write_bytes(picture.convert("RGBA").tobytes())
    asked = {"kind": "picture", "file": str(tmp_path / "rgba"), "width": size[0]}
    asked |= {"height": size[1], "shape": shape, "elements": info.elements, "type": "int8"}
    (found,) = node(SAMPLES, site.SOURCES / "run" / "samples.mjs", plan=[asked])
    wanted = np.frombuffer(read_sample(path, info)[0], np.int8).astype(int)
    differ = np.abs(np.array(found["bytes"]).astype(np.int8) - wanted)
    # Pillow 13 makes a tall picture lower before it makes it wider or narrower: other roundings.
    assert differ.max() <= (1 if size[1] > 2 * size[0] else 0)


def heard(node, path, channels, rate, count, width=2):
    """Return what page and `tflm run` make of a sound, for an input of 400 samples of int16."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(width)
        sound.setframerate(rate)
        sound.writeframes(np.random.default_rng(width).bytes(count * channels * width))
    builder = ModelBuilder()
    x, y = (builder.tensor([1, 400], "INT16") for _ in range(2))
    builder.op("RESHAPE", [x], [y])
    info = inputs_of(builder.build([x], [y]))[0]
    asked = {"kind": "sound", "file": str(path), "elements": 400, "type": "int16", "rate": 16000}
    (found,) = node(SAMPLES, site.SOURCES / "run" / "samples.mjs", plan=[asked])
    try:
        return found["numbers"], read_sample(path, info)[0]
    except InputError as error:
        return found["numbers"], str(error)


@pytest.mark.parametrize("width", [1, 2, 4])
def test_sounds_become_the_bytes_of_tflm_run(node, tmp_path, width):
    numbers, wanted = heard(node, tmp_path / "sound.wav", 1, 16000, 400, width)
    assert np.array(numbers, np.int16).tobytes() == wanted


@pytest.mark.parametrize(
    ("channels", "rate", "count", "width"),
    [
        (2, 16000, 400, 2),
        (1, 44100, 1102, 2),
        (1, 16000, 399, 2),
        (1, 16000, 401, 2),
        (2, 8000, 100, 2),
        (1, 16000, 400, 3),
        (2, 44100, 1102, 3),
    ],
)
def test_sounds_of_another_form_get_the_cure_of_tflm_run(
    node, tmp_path, channels, rate, count, width
):
    said, wanted = heard(node, tmp_path / "sound.wav", channels, rate, count, width)
    assert "sox" in wanted
    assert said[said.index("sox") :] == wanted[wanted.index("sox") :]


def test_sound_of_floats_gets_the_cure_of_tflm_run(node, tmp_path, monkeypatch):
    write = wave.Wave_write._write_header

    def as_floats(sound, nbytes):
        write(sound, nbytes)
        sound._file.seek(20)
        sound._file.write(struct.pack("<H", 3))
        sound._file.seek(0, 2)

    monkeypatch.setattr(wave.Wave_write, "_write_header", as_floats)
    said, wanted = heard(node, tmp_path / "sound.wav", 1, 44100, 1102, 4)
    assert "-e signed-integer" in wanted
    assert said == wanted.partition(": ")[2]


def test_a_front_end_takes_sound_window_by_window(page, tmp_path):
    def same(count):
        builder = ModelBuilder()
        x, y = (builder.tensor([1, count], "INT16") for _ in range(2))
        builder.op("RESHAPE", [x], [y])
        return builder.build([x], [y])

    sound = np.random.default_rng(1).integers(-(1 << 15), 1 << 15, 1100).astype(np.int16)
    (tmp_path / "sound").write_bytes(sound.tobytes())
    (tmp_path / "front.tflite").write_bytes(same(480))
    plan = planned(tmp_path, 0, same(1500), [])
    plan |= {"front": str(tmp_path / "front.tflite"), "sound": str(tmp_path / "sound")}
    (found,) = ask(page, [plan])
    padded = np.pad(sound, (0, 500))
    windows = np.concatenate([padded[start : start + 480] for start in (0, 320, 640, 960)])
    assert found["outputs"][0]["hex"] == windows[:1500].tobytes().hex()


@pytest.mark.usefixtures("page")
def test_page_is_one_file_that_fetches_nothing_and_comes_out_the_same():
    text = site.RUN_PAGE.read_text()
    assert text == site.page("run", wasm.build())
    assert len(text) < LARGEST
    assert list(site.RUN_PAGE.parent.iterdir()) == [site.RUN_PAGE]
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!data:|\.\./)|@import|url\((?!#)', markup)
    assert "default-src 'none'" in markup


@pytest.mark.usefixtures("page")
def test_browser_reads_drawn_digits_and_dropped_files(tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    image = pytest.importorskip("PIL.Image")
    picture = tmp_path / "picture.png"
    shades = np.random.default_rng(5).integers(0, 256, (20, 30, 3), np.uint8)
    image.fromarray(shades).save(picture)
    table = tmp_path / "table.csv"
    table.write_text(",".join(str(i / 64) for i in range(64)))
    (tmp_path / "broken.tflite").write_bytes(DIGITS.read_bytes()[:3000])
    files = [picture, table, tmp_path / "broken.tflite"]
    dropped = {path.name: base64.b64encode(path.read_bytes()).decode() for path in files}
    script = DRIVER.read_text().replace("DROPPED", json.dumps(dropped))
    copy = tmp_path / "index.html"
    driver = f'<script type="module">{script}</script></body>'
    copy.write_text(site.RUN_PAGE.read_text().replace("</body>", driver))
    found = json.loads(value_of(copy, "document.body.dataset.said", tmp_path))
    assert found["digits"] == list("0123456789")
    assert found["stored"] == ["0", "1"]
    info = inputs_of(DIGITS.read_bytes())[0]
    with Oracle() as oracle:
        oracle.load(DIGITS.read_bytes())
        wanted = [oracle.invoke([read_sample(path, info)[0]])[0].hex() for path in files[:2]]
    assert found["dropped"] == wanted
    assert "broken.tflite: " in found["refused"]


@pytest.mark.usefixtures("page")
def test_a_recorded_word_becomes_the_input(tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    builder = ModelBuilder()
    x, y = (builder.tensor([1, RECORDED], "INT16") for _ in range(2))
    builder.op("RESHAPE", [x], [y])
    model = builder.build([x], [y])
    text = POLICY.sub("", site.RUN_PAGE.read_text())  # which forbids to post
    driver = f'<script type="module">{RECORDER.read_text()}</script></body>'
    served = {"/run.html": text.replace("</body>", driver).encode(), "/wave.tflite": model}
    options = "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"
    found = axe_pages.answer_of("/run.html", tmp_path, served, tmp_path / "profile", options)
    taken, said = found
    assert re.match(r"recorded: [\d,]+ samples$", taken), found
    samples = np.frombuffer(bytes.fromhex(said), np.int16)
    assert len(samples) == RECORDED
    assert np.abs(samples.astype(int)).max() > LOUD


@pytest.mark.parametrize("fit", ["crop", "squash", "letterbox"])
@pytest.mark.parametrize("kind", ["INT8", "UINT8", "FLOAT32"])
def test_frames_of_a_camera_become_the_input_of_fit(page, tmp_path, fit, kind):
    model = pictures.means(kind)
    pixels = np.random.default_rng(4).integers(0, 256, (30, 50, 3), np.uint8)
    (tmp_path / "frame").write_bytes(pixels.tobytes())
    options = {"fit": fit} | ({"values": [-1, 1]} if kind == "FLOAT32" else {})
    frame = {"file": str(tmp_path / "frame"), "width": 50, "height": 30}
    plan = planned(tmp_path, 0, model, []) | {"frame": frame, "options": options}
    (found,) = ask(page, [plan])
    assert found.get("error") is None
    look = Interpreter(model)
    Fit(look, 50, 30, "rgb888", **options)(pixels)
    assert found["fitted"] == bytes(look.inputs[0].data).hex()
    look.invoke()
    assert found["outputs"][0]["hex"] == bytes(look.outputs[0].data).hex()


def test_frames_of_a_camera_have_the_things_of_tflm_watch(page, tmp_path):
    plans = []
    for i, pixels in enumerate(pictures.frames()):
        (tmp_path / f"frame{i}").write_bytes(pixels.tobytes())
        frame = {"file": str(tmp_path / f"frame{i}"), "width": 48, "height": 32}
        plan = planned(tmp_path, i, pictures.means(), []) | {"frame": frame, "labels": ["green"]}
        plans.append(plan | {"options": {"fit": "squash"}})
    plans.append(planned(tmp_path, 2, same_model([1, 32, 48, 3]), []) | {"frame": frame})
    plans[2]["options"] = {}
    first, second, other = (found["things"] for found in ask(page, plans))
    assert [thing["text"] for thing in first] == ["green 1.00 at 16,0 16x16"]
    assert [(thing["text"], thing["box"]) for thing in second] == [
        ("1 1.00 at 32,16 16x16", [32, 16, 16, 16])
    ]
    assert other is None


def test_one_detector_serves_all_frames_until_something_changes(tmp_path):
    session = runpy.run_path(str(ROOT / "site" / "run" / "session.py"))
    (tmp_path / "model").write_bytes(pictures.means())
    kept = []

    def frame(labels):
        for i, pixels in enumerate(pictures.frames()):
            (tmp_path / "frame").write_bytes(pixels.tobytes())
            session["look"](0, 48, 32, '{"fit": "squash"}', str(tmp_path / "frame"))
            session["run"]()
            found = json.loads(session["find"](0, labels))["things"]
            assert [thing["text"] for thing in found] == [TEXTS[labels][i]]
            kept.append(session["Session"].detector)

    session["load"](str(tmp_path / "model"))
    frame('["green"]')
    frame("null")
    session["load"](str(tmp_path / "model"))
    frame("null")
    assert kept[::2] == kept[1::2]
    assert len(set(map(id, kept))) == 3


def test_camera_is_refused_for_inputs_that_are_no_pictures(page, tmp_path):
    (tmp_path / "frame").write_bytes(bytes(12))
    frame = {"file": str(tmp_path / "frame"), "width": 2, "height": 2}
    plan = planned(tmp_path, 0, same_model([1, 40]), []) | {"frame": frame, "options": {}}
    (found,) = ask(page, [plan])
    assert "a picture is int8, uint8 or float32 [1, height, width, 1 or 3]" in found["error"]


@pytest.mark.usefixtures("page")
def test_camera_fills_the_input_until_it_stops_or_says_why_not(tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    text = site.RUN_PAGE.read_text().replace("connect-src blob:", "connect-src 'self' blob:")
    driver = f'<script type="module">{CAMERA.read_text()}</script></body>'
    served = {"/run.html": text.replace("</body>", driver).encode()}
    served["/same.tflite"] = same_model([1, 40, 60, 3])
    served["/means.tflite"] = pictures.means()
    options = "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"
    found = axe_pages.answer_of("/run.html", tmp_path, served, tmp_path / "profile", options)
    cut, bars = found["seen"]
    for one in cut, bars:
        assert (one["state"], one["hidden"]) == ("Stop the camera", False)
        assert (one["after"], one["ended"]) == ("Use the camera", "ended")
        assert re.match(r"camera: \d+x\d+ to 60x40$", one["taken"])
        shown = np.array(one["pixels"], np.uint8).reshape(40, 60, 4)
        assert (shown[..., 3] == 255).all()
        assert shown[..., :3].tobytes().hex() == xored(one["hex"])
        assert len(np.unique(shown[..., :3])) > 2
    assert np.array(cut["pixels"]).reshape(40, 60, 4)[:, 0, :3].any()
    assert not np.array(bars["pixels"]).reshape(40, 60, 4)[:, 0, :3].any()
    assert "The camera has stopped." in bars["said"]
    assert re.search(r"^0 (1.00|0.9\d) at 16,0 16x16", found["things"])
    red, green, blue, _ = found["edge"]
    assert (red < 128, green > 128) == (True, True)
    said = [line for line, is_hidden, is_disabled in found["refused"]]
    assert "does not allow the camera" in said[0]
    assert said[1:3] == ["There is no camera.", "Another program uses the camera."]
    assert said[3] == "The camera does not start: no luck"
    assert [rest for _, *rest in found["refused"]] == [[True, False]] * 4


@pytest.mark.usefixtures("page")
def test_axe_finds_no_violation_light_and_dark(tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    axe_pages.install()
    shown = [{"path": "/run/index.html", "shows": "#all[data-ready]"}]
    folder = site.RUN_PAGE.parent.parent
    assert axe_pages.violations(folder, shown, (400, 1280), tmp_path / "profile") == []


def xored(text):
    return bytes(value ^ 0x80 for value in bytes.fromhex(text)).hex()


@pytest.mark.usefixtures("page")
def test_known_models_have_the_names_of_their_classes(tmp_path, monkeypatch):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    digest = hashlib.sha256(DIGITS.read_bytes()).hexdigest()
    names = {digest: ["nought", *"123456789"]}
    monkeypatch.setattr(gallery, "labels", lambda: names)
    path = tmp_path / "index.html"
    path.write_text(site.page("run", wasm.build()))
    shown = "document.querySelector('#answer:has(table)').innerHTML"
    answer = value_of(path, shown, tmp_path)
    assert "<b>nought</b>" in answer
    assert "<td>nought</td>" in answer


def shown_by(folder, text, dropped):
    """Return what drive_sample.mjs saw on the page *text*, where it drops {file: bytes}."""
    files = {name: base64.b64encode(data).decode() for name, data in dropped.items()}
    script = SAMPLER.read_text().replace("DROPPED", json.dumps(files))
    path = folder / "index.html"
    path.write_text(text.replace("</body>", f'<script type="module">{script}</script></body>'))
    return json.loads(value_of(path, "document.body.dataset.said", folder))


def same_model(shape):
    """Return a model whose output is its input, int8."""
    builder = ModelBuilder()
    x, y = (builder.tensor(shape, "INT8", Quant(1 / 128)) for _ in range(2))
    builder.op("RESHAPE", [x], [y])
    return builder.build([x], [y])


@pytest.mark.usefixtures("page")
def test_known_models_come_with_an_input_and_clear_takes_it_away(tmp_path, monkeypatch):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    image = pytest.importorskip("PIL.Image")
    models = {"grey": [1, 96, 96, 1], "colour": [1, 48, 48, 3], "loudness": [1, 1960]}
    models = {f"{name}.tflite": same_model(shape) for name, shape in models.items()}
    known = {hashlib.sha256(data).hexdigest(): "scene" for data in models.values()}
    known[hashlib.sha256(models["loudness.tflite"]).hexdigest()] = "clip"
    monkeypatch.setattr(gallery, "samples", lambda: known)
    found = shown_by(tmp_path, site.page("run", wasm.build()), models)
    scene = tmp_path / "scene.png"
    with image.open(EXAMPLES / "scene.pgm") as picture:
        picture.save(scene)
    clip = (EXAMPLES / "clip.pgm").read_bytes().split(b"\n", 3)[3]
    wanted = [
        read_sample(scene, inputs_of(models[name])[0])[0]
        for name in ("grey.tflite", "colour.tflite")
    ]
    wanted.append(bytes(value ^ 0x80 for value in clip))
    assert [model["dropped"] for model in found] == [data.hex() for data in wanted]
    assert [model["again"] for model in found] == [data.hex() for data in wanted]
    assert [model["taken"].partition(":")[0] for model in found] == ["sample"] * 3
    assert "no photograph" in found[0]["taken"]
    assert [model["cleared"] for model in found] == [["", "", True]] * 3


def test_samples_fit_the_inputs_of_their_models(shared):
    known = gallery.samples()
    models = [path.read_bytes() for path in sorted((shared / "models").glob("*.tflite"))]
    digests = {hashlib.sha256(data).hexdigest(): data for data in models}
    assert len(known) == len(known.keys() & digests.keys()) == 3
    for digest, name in known.items():
        info = inputs_of(digests[digest])[0]
        elements = {"scene": (96 * 96, 3 * 96 * 96), "clip": (1960,)}[name]
        assert (info.type_name, info.elements in elements) == ("int8", True)
    assert set(site.drawn()) == set(known.values())


def test_names_of_classes_are_as_many_as_the_outputs_of_their_model(shared):
    known = gallery.labels()
    models = [path.read_bytes() for path in sorted((shared / "models").glob("*.tflite"))]
    digests = {hashlib.sha256(data).hexdigest(): data for data in models}
    found = [digest for digest in known if digest in digests]
    assert len(found) == len(known) == 5
    for digest in found:
        graph = Model(digests[digest], prepared=False).subgraphs[0]
        assert graph.tensor(graph.outputs[0]).shape[-1] == len(known[digest])
