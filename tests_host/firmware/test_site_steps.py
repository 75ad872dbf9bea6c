"""Several steps in a row on the web pages: none spoils a later one."""

import base64
import json
import runpy
import struct

import pytest

from support.models.model_builder import ModelBuilder, Quant
from support.pages import axe_pages
from support.pages.built_pages import built
from support.pages.watched import value_of
from tflm_host.cli import site
from tflm_host.places import ROOT

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

STEPS = ROOT / "tests_host" / "support" / "pages" / "steps_run.mjs"
SECONDS = 100
OPTIONS = "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"


@pytest.fixture(scope="module")
def page():
    """The text of the built page that runs models, which may post here."""
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: nobody uses the page")
    text = built(site.RUN_PAGE).read_text()
    return text.replace("connect-src blob:", "connect-src 'self' blob:")


@pytest.fixture
def using(page, tmp_path):
    """A function that does *steps*, JavaScript, with *files*, {name: bytes}; returns `said`."""

    def answer(steps, files):
        script = STEPS.read_text().replace("STEPS", steps)
        text = page.replace("</body>", f'<script type="module">{script}</script></body>')
        served = {"/run.html": text.encode()} | {f"/{name}": data for name, data in files.items()}
        return axe_pages.answer_of(
            "/run.html", tmp_path, served, tmp_path / "profile", OPTIONS, SECONDS
        )

    return answer


def same_model(shape, kind="INT8"):
    """Return a model whose output is its input."""
    builder = ModelBuilder()
    x, y = (builder.tensor(shape, kind, Quant(1 / 128)) for _ in range(2))
    builder.op("RESHAPE", [x], [y])
    return builder.build([x], [y])


def sum_model():
    """Return a model that adds two inputs [1, 4], int8."""
    builder = ModelBuilder()
    x, y, z = (builder.tensor([1, 4], "INT8", Quant(0.5)) for _ in range(3))
    builder.op("ADD", [x, y], [z])
    return builder.build([x, y], [z])


def test_an_input_keeps_what_it_was_filled_with_while_others_change(tmp_path):
    session = runpy.run_path(str(ROOT / "site" / "run" / "session.py"))
    (tmp_path / "model").write_bytes(sum_model())
    session["load"](str(tmp_path / "model"))

    def answer(which, value):
        (tmp_path / "input").write_bytes(bytes([value] * 4))
        session["put_bytes"](which, str(tmp_path / "input"))
        (output,) = json.loads(session["run"]())["outputs"]
        return set(bytes.fromhex(output["hex"]))

    steps = (0, 2), (1, 3), (0, 7), (1, 1)
    assert [answer(*step) for step in steps] == [{2}, {5}, {10}, {8}]
    session["put_numbers"](0, "[1, 1, 1, 1]")
    assert json.loads(session["run"]())["outputs"][0]["values"] == [1.5] * 4
    assert answer(1, 4) == {6}


def test_files_are_taken_in_the_order_of_the_drops(using):
    slow = same_model([1, 3]) + bytes(4 << 20)
    steps = """
    const names = ["slow.tflite", "quick.tflite", "table.csv"];
    const [slow, quick, table] = await Promise.all(names.map(fetched));
    dropFiles(slow);
    dropFiles(quick);
    await shows("model", "quick.tflite");
    await pause(2000);
    said.ready = state();
    dropFiles(slow);
    dropFiles(table);
    await shows("taken", "numbers");
    said.table = state();
    """
    files = {"slow.tflite": slow, "quick.tflite": same_model([1, 5]), "table.csv": b"0,0.5,0.25"}
    said = using(steps, files)
    assert said["ready"]["model"].startswith("quick.tflite: ")
    assert said["table"]["model"].startswith("slow.tflite: ")
    assert "0 0.5 0.25" in said["table"]["answer"]


def test_inputs_and_names_dropped_along_with_a_model_are_for_it(using):
    steps = """
    await until(() => byId("all").dataset.ready);
    await drop("labels.txt", "means.csv", "three.tflite");
    await shows("taken", "numbers");
    said.all = state();
    """
    files = {"labels.txt": b"cat\ndog\ncow\n", "means.csv": b"0,0.5,0.25"}
    said = using(steps, files | {"three.tflite": same_model([1, 3])})
    assert said["all"]["model"].startswith("three.tflite: ")
    assert said["all"]["taken"] == "means.csv: 3 numbers"
    assert said["all"]["answer"].startswith("dog")


def wave_file(samples):
    """Return a .wav file of int16 *samples*, 16,000 a second."""
    data = struct.pack(f"<{len(samples)}h", *samples)
    form = struct.pack(
        "<4sI4s4sIHHIIHH",
        *(b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16),
        *(1, 1, 16000, 32000, 2, 16),
    )
    return form + struct.pack("<4sI", b"data", len(data)) + data


def test_refused_models_leave_the_model_its_front_end(using):
    steps = """
    await until(() => byId("all").dataset.ready);
    await drop("all.tflite");
    await shows("model", "all.tflite");
    await choose("front", "front.tflite");
    await shows("taken", "makes loudnesses");
    await drop("broken.tflite");
    await shows("model", "broken.tflite");
    said.refused = state();
    await choose("front", "all.tflite");
    await shows("answer", "a front end takes");
    await drop("word.wav");
    await shows("taken", "word.wav");
    said.heard = state();
    """
    files = {"all.tflite": same_model([1, 960], "INT16"), "broken.tflite": b"nothing"}
    files["front.tflite"] = same_model([1, 480], "INT16")
    said = using(steps, files | {"word.wav": wave_file([100] * 800)})
    assert "Still here is all.tflite: takes int16 [1,960]" in said["refused"]["model"]
    assert said["heard"]["taken"] == "word.wav: 800 samples"


def test_what_was_recorded_or_opened_for_one_model_is_not_for_the_next(using):
    steps = """
    await until(() => byId("all").dataset.ready);
    await drop("wave.tflite");
    await shows("model", "wave.tflite");
    byId("record").click();
    await shows("record", "Speak");
    said.again = byId("record").disabled;
    await drop("picture.tflite");
    await shows("model", "picture.tflite");
    await shows("answer", "record");
    said.recorded = state();
    const media = navigator.mediaDevices;
    const real = media.getUserMedia.bind(media);
    let open, stream;
    media.getUserMedia = async wanted => {
        await new Promise(done => { open = done; });
        return stream = await real(wanted);
    };
    byId("camera").click();
    await drop("wave.tflite");
    await shows("model", "wave.tflite");
    open();
    await until(() => stream?.getTracks().every(track => track.readyState === "ended"));
    await until(() => !byId("camera").disabled);
    said.opened = [...stream.getTracks()].map(track => track.readyState);
    said.closed = state();
    media.getUserMedia = real;
    await drop("picture.tflite");
    await shows("model", "picture.tflite");
    byId("camera").click();
    await shows("taken", "camera");
    await drop("broken.png");
    await shows("answer", "broken.png");
    await pause(500);
    said.broken = state();
    """
    files = {"wave.tflite": same_model([1, 8000], "INT16"), "broken.png": b"nothing"}
    said = using(steps, files | {"picture.tflite": same_model([1, 8, 8, 3])})
    assert said["again"] is True
    assert said["recorded"]["answer"] == "this was recorded for another input: record again"
    assert said["opened"] == ["ended"]
    assert said["closed"]["answer"] == ""
    assert said["broken"]["answer"].startswith("broken.png: ")


def test_a_stroke_that_was_cleared_goes_nowhere(using):
    steps = """
    const failed = [];
    window.addEventListener("error", event => failed.push(event.message));
    await until(() => byId("all").dataset.ready);
    const pad = byId("pad");
    pad.setPointerCapture = () => {};
    const at = {bubbles: true, clientX: 9, clientY: 9};
    const point = kind => pad.dispatchEvent(new PointerEvent(kind, at));
    point("pointerdown");
    point("pointermove");
    byId("clear").click();
    point("pointermove");
    point("pointerup");
    said.cleared = state();
    point("pointerdown");
    point("pointercancel");
    byId("clear").click();
    said.kept = state();
    point("pointermove");
    point("pointerup");
    said.left = state();
    said.failed = failed;
    """
    said = using(steps, {})
    assert said["failed"] == []
    assert [said[name]["answer"] for name in ("cleared", "kept", "left")] == [""] * 3


@pytest.mark.parametrize("name", ["run", "board", "arena", "repl"])
def test_a_file_that_was_changed_can_be_chosen_again(page, tmp_path, name):
    assert page
    text = (site.RUN_PAGE.parents[1] / name / "index.html").read_text()
    script = """
    const inputs = [...document.querySelectorAll("input[type=file]")];
    for (const input of inputs) {
        const moved = new DataTransfer();
        moved.items.add(new File(["nothing"], "again.bin"));
        input.files = moved.files;
        input.dispatchEvent(new MouseEvent("click"));
    }
    document.body.dataset.left = JSON.stringify(inputs.map(input => input.files.length));
    """
    copy = tmp_path / "index.html"
    copy.write_text(text.replace("</body>", f'<script type="module">{script}</script></body>'))
    left = json.loads(value_of(copy, "document.body.dataset.left", tmp_path))
    assert left
    assert set(left) == {0}


def test_cleared_models_do_not_come_back_and_a_folder_stops_no_other(page, tmp_path):
    assert page
    script = """
    const byId = id => document.getElementById(id);
    const pause = ms => new Promise(done => setTimeout(done, ms));
    const until = async isSo => { while (!isSo()) await pause(1); };
    const file = name => new File([Uint8Array.from(atob("MODEL"), c => c.charCodeAt(0))], name);
    const drop = (...files) => document.dispatchEvent(
        Object.assign(new Event("drop", {cancelable: true}), {dataTransfer: {files}}));
    const titles = () => [...document.querySelectorAll("#answers section > h1")];
    const shown = () => titles().map(title => title.textContent);
    await until(() => !byId("drop").hidden);
    const arrayBuffer = async () => { throw new Error("no file"); };
    drop({name: "folder", arrayBuffer}, file("a"));
    drop(file("b"));
    await until(() => shown().includes("b"));
    const said = [shown()];
    drop(file("c"), file("d"));
    await until(() => byId("status").textContent === "measuring c");
    byId("empty").click();
    drop(file("e"));
    await until(() => shown().includes("e"));
    await pause(1000);
    document.body.dataset.said = JSON.stringify([...said, shown()]);
    """
    script = script.replace("MODEL", base64.b64encode(same_model([1, 4])).decode())
    text = (site.RUN_PAGE.parents[1] / "arena" / "index.html").read_text()
    copy = tmp_path / "index.html"
    copy.write_text(text.replace("</body>", f'<script type="module">{script}</script></body>'))
    said = json.loads(value_of(copy, "document.body.dataset.said", tmp_path, seconds=60))
    assert said == [["b", "a", "folder"], ["e"]]
