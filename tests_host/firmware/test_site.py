"""The web page has the numbers of `tflm arena`: Node runs its engine, Chromium all of it."""

import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.fuzz.forger import FORGERIES, forged
from support.models.model_builder import ModelBuilder, Quant
from support.nets import memory_graphs, sparse_networks
from support.pages import axe_pages
from support.pages.watched import value_of
from tflm.base.errors import ModelError
from tflm_host.__main__ import main
from tflm_host.cli import site
from tflm_host.model import wasm
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.prepare.proof import without_snapshot
from tflm_host.report.arena_report import measure

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

ASK = ROOT / "tests_host" / "support" / "pages" / "ask_page.mjs"
DROP = ASK.with_name("drop_arena.html")
MODELS = sorted((ROOT / "models").glob("*.tflite"))
DIGITS = ROOT / "models" / "digits_cnn.tflite"
LARGEST = 2_000_000  # bytes of the page
SLOWEST = 3000  # milliseconds from opening the page to its first report; 10 times what it takes
CLICK = """
<script type="module">
document.getElementById("sample").click();
</script></body>"""


@pytest.fixture(scope="module")
def page():
    """The built page."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: nothing here builds the page")
    site.main()
    return site.PAGE


def ask(page, paths):
    """Return what the page reports on each of *paths*."""
    micropython = site.MICROPYTHON / "micropython.mjs"
    done = subprocess.run(
        ["node", str(ASK), str(page), str(micropython), str(site.SOURCES)],
        input="\n".join(map(str, paths)),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def strange_name(tmp_path):
    """Return a model whose tensors have names that HTML and a terminal would read as theirs."""
    builder = ModelBuilder()
    x, y = (builder.tensor([1, 8], "FLOAT32") for _ in range(2))
    builder.op("RELU", [x], [y])
    data = builder.build([x], [y])
    path = tmp_path / "strange.tflite"
    path.write_bytes(data.replace(b"\2\0\0\0t0\0", b"\2\0\0\0<\x1b\0"))
    assert path.read_bytes() != data
    return path


def test_numbers_of_the_page_are_those_of_the_command(page, tmp_path):
    paths = [*MODELS, strange_name(tmp_path)]
    answers = ask(page, paths)
    assert len(answers) == len(paths) == 5
    for path, found in zip(paths, answers, strict=True):
        assert found["facts"] == json.loads(json.dumps(measure(path).as_json()))
        assert f"arena <b>{found['facts']['arena_bytes']:,}</b> bytes" in found["html"]
        assert "<svg" in found["html"]
        assert 'class="sideways"' in found["html"]
    html = answers[-1]["html"]
    assert r"&lt;\x1b" in html
    assert "\x1b" not in html


def test_prepared_files_are_shown_as_the_unprepared_model_which_is_said(page, tmp_path):
    genuine = prepare(DIGITS.read_bytes(), "portable")
    files = [genuine, *(forged(genuine, what) for what in FORGERIES)]
    paths = [tmp_path / f"{i}.tflite" for i in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    plain = tmp_path / "plain.tflite"
    plain.write_bytes(without_snapshot(genuine))
    expected = json.loads(json.dumps(measure(plain).as_json()))
    for found in ask(page, paths):
        assert found["facts"] == {**expected, "model": found["facts"]["model"]}
        assert "A browser cannot prove that they are genuine" in found["html"]


def test_models_that_cannot_run_get_the_reason(page, tmp_path):
    broken, old = tmp_path / "broken.tflite", tmp_path / "old.tflite"
    broken.write_bytes(DIGITS.read_bytes()[:3000])
    builder = ModelBuilder()
    tensors = [builder.tensor([1, 4], "UINT8", Quant(0.5)) for _ in range(3)]
    builder.op("RELU", tensors[:1], tensors[1:2])
    builder.op("TANH", tensors[1:2], tensors[2:])
    old.write_bytes(builder.build(tensors[:1], tensors[2:]))
    malformed, missing = ask(page, [broken, old])
    with pytest.raises(ModelError) as reason:
        measure(broken)
    assert malformed["error"] == str(reason.value)
    assert "2 of 2 operators cannot run" in missing["html"]
    assert "tflm convert, or TensorFlow 2" in missing["html"]
    assert "facts" not in missing


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.tflite", b""),
        ("page.tflite", b"\n<!DOCTYPE html>"),
        ("old.h5", b"\x89HDF\r\n"),
        ("net.onnx", b"\x08\x07"),
        ("net.pb", b"\x08\x01"),
        ("pointer.tflite", b"version https://git-lfs.github.com/spec/v1"),
        ("net.keras", None),
    ],
)
def test_other_files_are_named_as_the_command_names_them(page, tmp_path, name, data):
    path = tmp_path / name
    if data is None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("model.weights.h5", b"weights")
    else:
        path.write_bytes(data)
    (found,) = ask(page, [path])
    with pytest.raises(ModelError) as reason:
        measure(path)
    assert found["error"] == str(reason.value)


def test_page_is_one_file_that_fetches_nothing_and_comes_out_the_same(page):
    text = page.read_text()
    assert text == site.page("arena", wasm.build())
    assert len(text) < LARGEST
    assert list(page.parent.iterdir()) == [page]
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!data:|\.\./)|@import|url\((?!#)', markup)
    assert "default-src 'none'" in markup


def test_browser_measures_the_sample_from_the_disk(page, tmp_path):
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: the page is not looked at")
    copy = tmp_path / "index.html"
    copy.write_text(page.read_text().replace("</body>", CLICK))
    facts = value_of(copy, "document.querySelector('[data-facts]').dataset.facts", tmp_path)
    assert json.loads(facts)["arena_bytes"] == measure(DIGITS).arena_bytes


def answer_of_command(path):
    """Return the lines that `tflm arena --json` prints for *path*, read."""
    return json.loads(CliRunner().invoke(main, ["arena", "--json", str(path)]).stdout)


def dropped(folder):
    """Write models to *folder*: ours, generated ones and the zoo's; return their names."""
    zoo = Path(os.environ.get("TFLM_MODEL_ZOO", ROOT.parent / "shared" / "models"))
    made = {path.name: path.read_bytes() for path in (*MODELS, *sorted(zoo.glob("*.tflite")))}
    made["network.tflite"] = sparse_networks.network(1)[0]
    made["graph.tflite"] = memory_graphs.graph(4)
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return list(made)


def test_browser_measures_what_is_dropped_as_the_command_does(page, tmp_path, monkeypatch):
    """It is the very page, from a file server, in one start of the browser."""
    if axe_pages.browser() is None:
        pytest.skip("no browser is installed: nothing is dropped on the page")
    monkeypatch.chdir(tmp_path)
    shutil.copy(page, "index.html")
    names = dropped(tmp_path)
    Path("broken.tflite").write_bytes(DIGITS.read_bytes()[:3000])
    plan = json.dumps([*names, "broken.tflite"]).encode()
    served = {"/drop.html": DROP.read_bytes(), "/plan.json": plan}
    answer = axe_pages.answer_of("/drop.html", tmp_path, served, tmp_path / "profile")
    assert "failed" not in answer, answer
    shown = answer["shown"]
    assert list(shown) == [*names, "broken.tflite"][::-1]
    said = {name: answer_of_command(name) for name in shown}
    measured = [name for name in shown if "error" not in said[name]]
    assert len(measured) >= 6
    for name in measured:
        for key in ("room", "missing_kernels", "advice"):  # the command's alone
            del said[name][key]
        assert shown[name]["facts"] == said[name]
        assert shown[name]["arena"] == f"{said[name]['arena_bytes']:,}"
    refused = [shown[name] for name in shown if name not in measured]
    assert all(found["refused"] and not found["facts"] for found in refused)
    assert shown["broken.tflite"]["refused"] in said["broken.tflite"]["error"]
    assert answer["milliseconds"] < SLOWEST
    assert (answer["wider"], answer["left"]) == (0, 0)
