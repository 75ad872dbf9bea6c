"""What `tflm deploy` refuses, writes and says, to a board that is some lines of Python here."""

import base64
import hashlib
import json
import re

import pytest

import _tflm
from support.nets.one_op_models import case_of
from tflm import UnsupportedOpError, __version__
from tflm.model import Model
from tflm_host.deploy import models
from tflm_host.deploy.models import DeployError, Item, Plan, expected_outputs
from tflm_host.model.files import InputError
from tflm_host.model.flash_cache import ART_CACHE
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.prepare.proof import without_snapshot
from tflm_host.report import room
from tflm_host.report.arena_report import measure
from tflm_host.targets.device import deploy_device
from tflm_host.targets.repl import TargetError
from tflm_host.targets.romfs import build_romfs

SINE, DIGITS = (ROOT / "models" / f"{name}.tflite" for name in ("sine", "digits_cnn"))
CHUNK = 1024
ROOM = 1 << 20
KEEPS = "holds no image now and must be rewritten"


class Board:
    """Replies as deploy_device.py does; *facts* differ, and *fails* {call: what is raised}."""

    name, repl = "board", None

    def __init__(self, in_place=True, **facts):
        self.facts = {"version": __version__, "backends": ["c"], "old": [], "build": None}
        self.facts |= {"flash": 0, "room": ROOM, "folder": "/rom" if in_place else "/flash"}
        self.facts |= {"in_place": in_place, **facts}
        self.answer = {"missing": [], "fits": True, "free": 99_999}
        self.calls, self.fails, self.flips = [], {}, set()
        self.rom, self.files, self.renamed = bytearray(ROOM), {}, []
        self.proofs = {}  # path: changes of the right reply

    def exec(self, code, _timeout=None):
        found = re.match(
            r"(look|check|begin|write|digest|append|file_digest|rename|prove)\(", code
        )
        if found is None:
            self.calls.append(code.splitlines()[0])
            return ""
        call = found[1]
        self.calls.append(call)
        count = self.calls.count(call)
        if (call, count) in self.fails:
            raise self.fails[call, count]
        arguments = eval(f"({code[len(call) + 1 : -1]},)")  # as the board does
        said = getattr(self, "_" + call)(*arguments)
        return "" if said is None else f"tflm:{json.dumps(said)}\n"

    def _look(self, _folder):
        return self.facts

    def _check(self, *arguments):
        self.checked = arguments
        return self.answer

    def _begin(self, nbytes):
        self.rom[:] = bytes(len(self.rom))
        self.begun = nbytes
        return CHUNK

    def _write(self, offset, text):
        data = base64.b64decode(text)
        assert len(data) == CHUNK
        self.rom[offset : offset + CHUNK] = data

    def _digest(self, start, end):
        wrong = ("digest", self.calls.count("digest")) in self.flips
        return hashlib.sha256(self.rom[start:end] + b"!" * wrong).hexdigest()

    def _append(self, path, mode, text):
        before = self.files.get(path, b"") if mode == "ab" else b""
        self.files[path] = before + base64.b64decode(text)

    def _file_digest(self, path):
        wrong = ("file_digest", self.calls.count("file_digest")) in self.flips
        return hashlib.sha256(self.files[path] + b"!" * wrong).hexdigest()

    def _rename(self, path):
        self.renamed.append(path)

    def _prove(self, path):
        data = (ROOT / "models" / path.rsplit("/")[-1]).read_bytes()
        right = {"model": hashlib.sha256(data).hexdigest(), "outputs": expected_outputs(data)}
        right |= {"microseconds": 5, "in_flash": True, "arena": 99, "backend": "c"}
        return {**right, **self.proofs.get(path, {})}


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"version": "0.0.1"}, f"the board has tflm 0.0.1, this is {__version__}"),
        ({"backends": []}, "neither C nor viper kernels"),
        ({"room": None, "in_place": False, "folder": "/sd"}, "the board has no folder /sd"),
        ({"room": 0}, "no ROMFS and no filesystem that can be written"),
    ],
)
def test_board_that_takes_no_model_is_refused(facts, text):
    with pytest.raises(DeployError, match=re.escape(text)):
        Plan(Board(**facts), [SINE])


@pytest.mark.parametrize("in_place", [True, False])
def test_models_fit_to_the_last_byte(in_place):
    total = Plan(Board(in_place), [SINE, DIGITS]).total
    sizes = [path.stat().st_size for path in (SINE, DIGITS)]
    assert total > sum(sizes) if in_place else total == sum(sizes)
    Plan(Board(in_place, room=total), [SINE, DIGITS])
    place = "ROMFS partition" if in_place else "filesystem at /flash"
    text = f"the models take {total:,} bytes, the {place} has {total - 3:,}: 3 too many"
    with pytest.raises(DeployError, match=text):
        Plan(Board(in_place, room=total - 3), [SINE, DIGITS])
    with pytest.raises(DeployError, match="has 1:"):
        Plan(Board(in_place, room=1), [SINE, DIGITS])


def test_two_models_of_one_name_are_refused(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.tflite").write_bytes(SINE.read_bytes())
    with pytest.raises(DeployError, match=r"two files are called x\.tflite$"):
        Plan(Board(), [tmp_path / "a" / "x.tflite", SINE, tmp_path / "b" / "x.tflite"])


def test_prepared_model_goes_to_the_build_that_it_is_for(tmp_path):
    path = tmp_path / "digits_cnn.tflite"
    path.write_bytes(prepare(DIGITS.read_bytes(), _tflm.isa))
    snapshot = Model(path.read_bytes(), prepared=True).snapshot
    build = [snapshot.isa, snapshot.layout]
    Plan(Board(build=build), [path])
    Plan(Board(build=build), [DIGITS])  # an unprepared one goes anywhere
    for other, text in (
        (None, "the board has none in C"),
        ([build[0], build[1] ^ 1], f"the board has {build[0]} ones with layout {build[1] ^ 1:x}"),
    ):
        with pytest.raises(DeployError, match=text):
            Plan(Board(build=other), [path])


def test_model_prepared_for_another_flash_goes_with_a_note(tmp_path):
    path = tmp_path / "digits_cnn.tflite"
    path.write_bytes(prepare(DIGITS.read_bytes(), _tflm.isa, flash_cache=ART_CACHE))
    build = [_tflm.isa, _tflm.layout]
    for flash, is_noted in ((0, True), (1, False), (16, True), (None, False)):
        (item,) = Plan(Board(build=build, flash=flash), [path]).items
        assert bool(item.note) == is_noted
        assert not is_noted or "was prepared for an STM32F4, this board has " in item.note


def test_operators_are_asked_for_by_code_or_by_name(tmp_path):
    codes = {op.builtin for op in Model(DIGITS.read_bytes()).operators()}
    assert {op for op, _ in Item.read(DIGITS).ops} == codes
    path = tmp_path / "custom.tflite"
    path.write_bytes(case_of("decode_table", 1).model)
    item = Item.read(path)
    assert item.ops == [("TFLM_DECODE", 1)]
    board = Board()
    board.answer["missing"] = [0, "conv_9d"]
    with pytest.raises(UnsupportedOpError, match=r"TFLM_DECODE \(version 1\), conv_9d"):
        Plan(board, [path])


def test_model_that_a_heap_has_no_room_for_is_refused():
    for in_place, more in ((True, ""), (False, f"{SINE.stat().st_size:,} for the model")):
        board = Board(in_place)
        board.answer |= {"fits": False, "free": 1234}
        with pytest.raises(DeployError, match=f"needs {more}.*1,234 are free, in pieces"):
            Plan(board, [SINE])
        besides = board.checked[2][2 - in_place :]
        assert sum(besides) == room.loading_bytes(measure(SINE))  # as `tflm arena` counts
        assert max(besides) <= 1024
        assert board.checked[2][1 - in_place] == measure(SINE).arena_bytes


@pytest.mark.parametrize("in_place", [True, False])
def test_prepared_file_counts_and_is_said_to_run_as_unprepared_outside_of_rom(in_place, tmp_path):
    made, plain = tmp_path / "made.tflite", tmp_path / "plain.tflite"
    made.write_bytes(prepare(DIGITS.read_bytes(), _tflm.isa))
    plain.write_bytes(without_snapshot(made.read_bytes()))
    board = Board(in_place, build=[_tflm.isa, _tflm.layout])
    plan = Plan(board, [made])
    trusted, other = measure(made), measure(plain)
    report = trusted if in_place else other
    sizes = board.checked[2][1 - in_place :]
    assert sizes[0] == report.arena_bytes
    assert sum(sizes[1:]) == room.loading_bytes(report)
    (item,) = plan.items
    assert item.data == made.read_bytes()
    if in_place:
        assert item.note == ""
    else:
        assert f"unprepared model, in {other.arena_bytes:,} bytes of arena instead of" in item.note
        assert f"{trusted.arena_bytes:,}." in item.note
        assert "tflm.Interpreter(path, prepared=True)" in item.note


def test_replaced_are_all_of_rom_and_files_of_the_same_name():
    old = ["a.tflite", SINE.name]
    assert Plan(Board(old=old), [SINE, DIGITS]).replaced == old
    assert Plan(Board(False, old=old), [SINE, DIGITS]).replaced == [SINE.name]


def test_rom_gets_its_header_last_and_progress_adds_up():
    board, steps = Board(), []
    plan = Plan(board, [SINE, DIGITS])
    plan.write(steps.append)
    image = plan.image
    assert bytes(board.rom[: len(image)]) == image
    padding = -len(image) % CHUNK
    assert board.rom[len(image) : len(image) + padding] == b"\xff" * padding
    assert board.begun == sum(steps) == len(image)
    assert max(steps) <= CHUNK
    assert board.calls[-4:] == ["digest", "write", "rom.complete()", "digest"]


@pytest.mark.parametrize("number", [1, 2])
def test_rom_that_reads_back_differently_holds_no_image(number):
    board = Board()
    plan = Plan(board, [SINE, DIGITS])
    board.flips.add(("digest", number))
    with pytest.raises(DeployError, match=f"read back differently; it {KEEPS}"):
        plan.write()
    assert not any(board.rom[:CHUNK])


def test_files_are_renamed_when_all_read_back_right():
    board, steps = Board(False), []
    plan = Plan(board, [SINE, DIGITS])
    board.flips.add(("file_digest", 2))
    with pytest.raises(DeployError, match="digits_cnn.tflite reads back differently"):
        plan.write()
    assert board.renamed == []
    board.flips.clear()
    plan.write(steps.append)
    assert board.files == {plan.path(item): item.data for item in plan.items}
    assert board.renamed == [plan.path(item) for item in plan.items]
    assert sum(steps) == plan.total
    assert max(steps) <= models.FILE_CHUNK


WORD = {
    "wake_word": "sine",
    "model": "sine.tflite",
    "version": 2,
    "micro": {"probability_cutoff": 0.5, "feature_step_size": 10, "sliding_window_size": 5},
}


@pytest.fixture
def word(tmp_path):
    """The path of a .json file of microWakeWord beside its model."""
    (tmp_path / "sine.tflite").write_bytes(SINE.read_bytes())
    path = tmp_path / "word.json"
    path.write_text(json.dumps(WORD))
    return path


def test_json_takes_its_model_along_and_is_written_last(word):
    board = Board(False)
    plan = Plan(board, [word, DIGITS])
    plan.write()
    assert plan.names == ["digits_cnn.tflite", "sine.tflite", "word.json"]
    assert board.renamed == [f"/flash/{name}" for name in plan.names]
    assert board.files["/flash/word.json"] == word.read_bytes()
    assert board.files["/flash/sine.tflite"] == SINE.read_bytes()
    assert len(plan.prove()) == 2
    plan = Plan(Board(old=["word.json"], in_place=False), [word, word.parent / "sine.tflite"])
    assert plan.names == ["sine.tflite", "word.json"]
    assert plan.replaced == ["word.json"]


def test_json_is_in_the_image(word):
    board = Board()
    plan = Plan(board, [word])
    plan.write()
    assert plan.image == build_romfs(
        [("sine.tflite", SINE.read_bytes()), ("word.json", word.read_bytes())]
    )
    assert bytes(board.rom[: len(plan.image)]) == plan.image


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("version", 3, 'word.json: "version" is 3, one of (1, 2) expected'),
        ("model", "no.tflite", '"model" is no.tflite, and no such file is beside it'),
        ("model", "/x/sine.tflite", '"model" is sine.tflite, and no such file is beside it'),
    ],
)
def test_json_that_is_wrong_or_without_its_model_is_refused(word, key, value, said):
    word.write_text(json.dumps({**WORD, key: value}))
    with pytest.raises(InputError, match=re.escape(said)):
        Plan(Board(), [word])


@pytest.mark.parametrize(
    ("in_place", "call", "said"),
    [
        (True, ("write", 1), f"writing failed: no: the ROMFS partition {KEEPS}; deploy again"),
        (False, ("append", 2), "no: what was in /flash before is still there; deploy again"),
        (
            False,
            ("rename", 1),
            "in /flash sine.tflite may be new, as before or missing;"
            " as before are digits_cnn.tflite, digits_ds_cnn.tflite; deploy again",
        ),
        (
            False,
            ("rename", 2),
            "in /flash new are sine.tflite; digits_cnn.tflite may be new, as before or missing;"
            " as before are digits_ds_cnn.tflite; deploy again",
        ),
        (
            False,
            ("rename", 3),
            "in /flash new are sine.tflite, digits_cnn.tflite; digits_ds_cnn.tflite may be new,"
            " as before or missing; deploy again",
        ),
    ],
)
def test_stopped_deploy_says_what_is_there(in_place, call, said):
    paths = [SINE, DIGITS, DIGITS.with_name("digits_ds_cnn.tflite")]
    for reason in (TargetError("a trace\nno"), EOFError(), KeyboardInterrupt()):
        board = Board(in_place)
        plan = Plan(board, paths)
        board.fails[call] = reason
        with pytest.raises(DeployError) as caught:
            plan.write()
        if isinstance(reason, EOFError):
            said = said.replace("failed: no:", "failed: unplugged:")
        elif isinstance(reason, KeyboardInterrupt):
            said = said.replace("writing failed: unplugged:", "interrupted:")
        assert str(caught.value).endswith(said.removeprefix("no: "))
        assert ("unplugged" in str(caught.value)) == isinstance(reason, EOFError)


def test_proof_compares_bytes_of_the_model_and_of_the_outputs(monkeypatch):
    board = Board()
    plan = Plan(board, [SINE, DIGITS])
    assert [answer["checked"] for answer in plan.prove()] == [True, True]
    assert plan.prove()[1]["path"] == "/rom/digits_cnn.tflite"
    board.proofs["/rom/digits_cnn.tflite"] = {"model": "00"}
    with pytest.raises(DeployError, match="digits_cnn.tflite: the board reads other bytes"):
        plan.prove()
    board.proofs["/rom/digits_cnn.tflite"] = {"outputs": ["00"]}
    with pytest.raises(DeployError, match="digits_cnn.tflite: the board's output differs"):
        plan.prove()
    monkeypatch.setattr(models, "backends", tuple)  # no kernels here: nothing to compare with
    board.proofs = {plan.path(item): {"outputs": ["00"]} for item in plan.items}
    assert [answer["checked"] for answer in plan.prove()] == [False, False]


def test_board_tries_a_file_outside_of_rom_as_a_program_would(tmp_path, capsys):
    made, plain = tmp_path / "made.tflite", tmp_path / "plain.tflite"
    made.write_bytes(prepare(DIGITS.read_bytes(), _tflm.isa))
    plain.write_bytes(without_snapshot(made.read_bytes()))
    deploy_device.prove(str(made))
    answer = json.loads(capsys.readouterr().out.partition(":")[2])
    assert answer["arena"] == measure(plain).arena_bytes
    assert answer["outputs"] == expected_outputs(DIGITS.read_bytes())


def test_unprepared_model_is_the_same_outside_of_rom():
    item = Item.read(DIGITS)
    assert item.outside_rom() is item
