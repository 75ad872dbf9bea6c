"""The web page that talks to boards: Chromium's serial port leads to an emulated one."""

import json
import re
import shutil

import pytest

from support.models.model_builder import ModelBuilder, Quant
from support.pages import axe_pages
from support.pages.built_pages import built
from support.pages.serial_line import SerialLine
from support.pages.watched import value_of
from tflm import __version__
from tflm.base.errors import ModelError
from tflm.model import Model
from tflm_host.cli import release, site, site_board
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.model import wasm
from tflm_host.model.oracle import Oracle
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.targets.boards import RP2_EMULATORS, SOLD, load_board, stm32_board_names
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import open_target
from tflm_host.targets.romfs import build_romfs
from tflm_host.targets.rp2040 import Rp2040Emulator

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

DRIVER = ROOT / "tests_host" / "support" / "pages" / "drive_board.html"
MODELS = ROOT / "models"
DIGITS, SINE = MODELS / "digits_cnn.tflite", MODELS / "sine.tflite"
LARGEST = 1_000_000  # bytes of the page
SECONDS = 1800  # for all that a person does on a busy machine
WIDTHS = (400, 800, 1280)  # pixels
SEVEN = [[[50, 25], [150, 25], [90, 180]], [[75, 100], [140, 100]]]
ONE = [[[80, 50], [105, 20], [105, 180]]]
M4, STOCK = "MPS2_AN386", "MPS2_AN386-stock"
CONNECT = {"click": "#connect", "shows": ["board", "Ready."]}
PASTE, END = b"\x05", b"\x04"
HEAD = b"import time, micropython\n"
LOOP = b"while True:\n print(1)\n time.sleep_ms(20)\n"
BUSY = PASTE + HEAD + LOOP + END
STUBBORN = PASTE + HEAD + b"micropython.kbd_intr(-1)\n" + LOOP + END


@pytest.fixture(scope="module")
def page():
    """The built page."""
    return built(site.BOARD_PAGE)


@pytest.fixture
def browser():
    """The path of a browser."""
    found = axe_pages.browser()
    if found is None:
        pytest.skip("no browser is installed: nobody uses the page")
    return found


@pytest.fixture
def using(page, browser, tmp_path):
    """A function that does steps of drive_board.html with a board that holds *files* in /rom."""
    assert browser

    def answer(steps, board=M4, files=(), typed=b"", text=None):
        """Return what the page shows after each step.

        typed  bytes that the board gets before
        text   of the page; None: the built one
        """
        if board not in RP2_EMULATORS and shutil.which(QEMU) is None:
            pytest.skip(f"{QEMU} is not installed")
        build(board)
        emulator = Rp2040Emulator if board in RP2_EMULATORS else Emulator
        image = build_romfs([(path.name, path.read_bytes()) for path in files]) if files else None
        shown = (text or page.read_text()).encode()
        served = {"/drive.html": DRIVER.read_bytes(), "/plan.json": json.dumps(steps).encode()}
        served |= {"/index.html": shown}
        for path in (*MODELS.glob("*.tflite"), *tmp_path.glob("*.*")):
            served[f"/{path.name}"] = path.read_bytes()
        with emulator(load_board(board), image) as running, SerialLine(running.link) as line:
            running.link.write(typed)
            served |= line.served()
            places = tmp_path, served, tmp_path / "profile"
            found = axe_pages.answer_of("/drive.html", *places, seconds=SECONDS)
        assert "failed" not in found, found
        assert found["wider"] == 0
        return found["said"]

    return answer


def check_bytes(model, said):
    """Compare with TFLM what the board answered in each of *said*."""
    with Oracle() as oracle:
        oracle.load(model.read_bytes())
        for step in said:
            wanted = oracle.invoke([bytes.fromhex(step["taken"])])[0].hex()
            assert step["onBoard"] == step["hex"] == wanted


def drawn(strokes):
    return {"draw": strokes, "shows": ["answer", "on the board, the same bytes"]}


def written(text="is on the board"):
    return {"click": "#write", "shows": ["written", text]}


@pytest.mark.parametrize("board", [M4, "RPI_PICO"])
def test_a_model_goes_to_the_board_and_reads_drawn_digits(using, board):
    steps = [CONNECT, written(), drawn(SEVEN), {"click": "#clear", "shows": ["board", "Ready"]}]
    steps += [drawn(ONE), {"click": "#stored", "shows": ["answer", "on the board, the same"]}]
    said = using(steps, board)
    assert f"tflm {__version__}, c kernels" in said[0]["board"]
    assert "/rom/digits_cnn.tflite is on the board, read in place" in said[1]["written"]
    assert "1,168 bytes" in said[1]["written"]
    read = [step["answer"].split()[0] for step in (said[2], said[4], said[5])]
    assert read == ["7", "1", "0"]
    assert re.search(r"\d\.\d ms on the board", said[5]["answer"])
    check_bytes(DIGITS, [said[2], said[4], said[5]])


def test_nothing_is_written_while_another_model_loads(using):
    steps = [CONNECT, {"drop": SINE.name, "shows": ["board", "Ready."]}, written()]
    said = using(steps)
    assert said[1]["model"].startswith("sine.tflite: ")
    assert "/rom/sine.tflite is on the board" in said[2]["written"]


def test_nothing_is_replaced_before_the_user_agrees(using):
    again = [{"click": "#connect", "shows": ["board", "Not connected"]}, CONNECT]
    steps = [CONNECT, {"click": "#write", "shows": ["loss", "cannot be undone"]}]
    steps += [{"click": "#keep", "shows": ["written", "Nothing was written"]}, *again]
    steps += [{"click": "#write", "shows": ["loss", "cannot be undone"]}]
    steps += [{"click": "#replace", "shows": ["written", "is on the board"]}, *again]
    steps += [written("was on the board already"), drawn(SEVEN)]
    said = using(steps, files=[SINE])
    lost = "this replaces /rom, with sine.tflite; no longer in it: sine.tflite. This cannot"
    assert lost in said[1]["loss"]
    assert [said[i]["loss"] for i in (2, 6)] == ["", ""]
    assert "/rom: sine.tflite" in said[4]["board"]
    assert "/rom: digits_cnn.tflite" in said[8]["board"]
    check_bytes(DIGITS, said[-1:])


def test_a_pulled_cable_is_said_and_what_the_board_holds_then(using):
    gone = "The board is gone: the cable was pulled"
    plug = {"post": "/plug", "shows": ["board", "gone"]}
    steps = [CONNECT, {"post": "/pull", "shows": ["board", gone]}, plug, CONNECT]
    steps += [{"post": "/pull", "body": "write(0", "shows": ["board", "Ready"]}]
    steps += [{"click": "#write", "shows": ["board", gone]}, plug, CONNECT]
    steps += [written(), {"post": "/pull", "body": "put(0", "shows": ["board", "Ready"]}]
    steps += [{"draw": SEVEN, "shows": ["board", gone]}, plug, CONNECT, written("already")]
    said = using(steps)
    assert gone in said[5]["written"]
    assert "the ROMFS partition holds no image now and must be rewritten" in said[5]["written"]
    assert gone in said[5]["board"]
    assert "/rom: none" in said[7]["board"]
    assert "on the board, the same bytes" in said[13]["answer"]
    check_bytes(DIGITS, said[13:])


def test_a_busy_board_is_interrupted(using):
    said = using([CONNECT, written()], typed=BUSY)
    assert "is on the board" in said[1]["written"]


def test_a_program_that_takes_no_interrupt_is_said(using):
    steps = [{"click": "#connect", "shows": ["board", "reset button"]}]
    assert "its program does not stop for Ctrl-C" in using(steps, typed=STUBBORN)[0]["board"]


def test_a_board_without_tflm_gets_the_list_of_firmware(using):
    (said,) = using([{"click": "#connect", "shows": ["board", "no tflm on this board"]}], STOCK)
    assert "The list of firmware above says how" in said["board"]
    assert said["isOpen"]


def test_a_board_without_romfs_gets_a_file(using, monkeypatch):
    scripts = site_board.scripts()
    scripts["deploy_device"] += "\ndef _find_rom():\n    return None\n"
    monkeypatch.setattr(site_board, "scripts", lambda: scripts)
    steps = [CONNECT, written(), drawn(SEVEN), {"drop": "sine.tflite", "shows": ["model", "sine"]}]
    steps += [written(), {"drop": "digits_cnn.tflite", "shows": ["model", "digits_cnn"]}]
    steps += [written("already")]
    said = using(steps, "RPI_PICO", text=site.page("board", wasm.build()))
    assert "/digits_cnn.tflite is on the board, copied to RAM" in said[1]["written"]
    assert "/sine.tflite is on the board" in said[4]["written"]
    check_bytes(DIGITS, [said[2]])


def wide_model(elements):
    builder = ModelBuilder()
    x, y = (builder.tensor([1, elements], "INT8", Quant(0.1, 0)) for _ in range(2))
    builder.op("RELU", [x], [y])
    return builder.build([x], [y])


def refusal(path):
    """Return what `tflm deploy` says of the model at *path* for the same board."""
    with open_target(M4) as target, pytest.raises(DeployError) as reason:
        Plan(target, [path])
    return re.sub(r"\d[\d,]* are free", "N are free", str(reason.value))


def test_models_that_do_not_fit_get_the_words_of_the_command(using, tmp_path):
    heap, rom = tmp_path / "wide.tflite", tmp_path / "long.tflite"
    board = load_board(M4)
    heap.write_bytes(wide_model(board.heap_size))
    rom.write_bytes(SINE.read_bytes() + bytes(board.romfs_size))
    steps = [CONNECT]
    for path in (heap, rom):
        steps += [{"drop": path.name, "shows": ["model", path.name]}]
        steps += [{"click": "#write", "shows": ["written", "bytes"]}]
    said = using(steps)
    shown = re.sub(r"\d[\d,]* are free", "N are free", said[2]["written"])
    assert shown == refusal(heap)
    assert said[4]["written"] == refusal(rom)


def test_files_that_are_not_written_are_named(using, tmp_path):
    made = {"made.tflite": prepare(DIGITS.read_bytes(), "dsp")}
    made |= {"page.tflite": b"<!DOCTYPE html>", "cut.tflite": DIGITS.read_bytes()[:3000]}
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    said = using([{"drop": name, "shows": ["model", name]} for name in made])
    assert "a browser cannot prove that they are genuine" in said[0]["model"]
    assert "not a .tflite file but a page of HTML" in said[1]["model"]
    with pytest.raises(ModelError) as reason:
        Model(made["cut.tflite"]).verify()
    assert str(reason.value) in said[2]["model"]


@pytest.mark.usefixtures("browser")
def test_a_browser_without_serial_ports_says_who_has_them(page, tmp_path):
    options = ["--disable-blink-features=Serial"]
    said = value_of(page, "document.querySelector('#board').textContent", tmp_path, options)
    assert "it lacks Web Serial. Chrome, Edge and Opera" in said
    assert value_of(page, "document.querySelector('#connect').hidden", tmp_path, options)


@pytest.mark.usefixtures("browser")
def test_axe_finds_no_violation_light_and_dark(page, tmp_path):
    axe_pages.install()
    path = "/board/index.html"
    shown = [{"path": path, "click": "#firmware summary", "shows": "body[data-ready]"}]
    shown += [{"path": path, "shows": "#model p"}]
    assert axe_pages.violations(page.parent.parent, shown, WIDTHS, tmp_path / "profile") == []


def test_page_is_one_file_that_fetches_nothing_and_comes_out_the_same(page):
    text = page.read_text()
    assert text == site.page("board", wasm.build())
    assert len(text) < LARGEST
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!data:|\.\./)|@import|url\((?!#)', markup)
    assert "default-src 'none'" in markup


def test_every_board_that_people_buy_has_its_file_of_the_release():
    rows = site_board.firmware()
    assert set(site_board.BOARDS) == set(SOLD)
    for name in SOLD:
        suffixes = release.WRITTEN if name in stm32_board_names() else release.DRAGGED
        assert site_board.BOARDS[name][2] in suffixes
        assert f"{name}.{site_board.BOARDS[name][2]}" in rows
