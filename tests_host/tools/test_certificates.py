"""Certificates of boards: their form, their checksum, what must not be in them."""

import copy
import json
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tflm_host.__main__ import main
from tflm_host.certify import examination, form, models, scripts
from tflm_host.cli import certify as command
from tflm_host.cli import docs_tables
from tflm_host.places import ROOT

COLLECTED = sorted((ROOT / "boards" / "certified").glob("*.json"))
SAMPLE = COLLECTED[0]


@pytest.fixture(scope="module")
def known():
    return examination.known()


@pytest.fixture
def certificate():
    return form.load(SAMPLE)


def tflm(*arguments):
    return CliRunner().invoke(main, ["certify", *map(str, arguments)])


def places(value, path=()):
    """Yield the path of every value in *value* that is no object or list."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in pairs:
        if isinstance(part, (dict, list)):
            yield from places(part, (*path, key))
        else:
            yield (*path, key)


def changed(certificate, path, value=None):
    """Return a copy with another value at *path*: *value*, or one of the same type."""
    found = copy.deepcopy(certificate)
    part = found
    for key in path[:-1]:
        part = part[key]
    old = part[path[-1]]
    if value is not None:
        part[path[-1]] = value
    elif isinstance(old, bool):
        part[path[-1]] = not old
    elif isinstance(old, int):
        part[path[-1]] = old + 1
    else:
        part[path[-1]] = f"{old}x"
    return found


@pytest.mark.parametrize("path", COLLECTED, ids=lambda path: path.stem)
def test_collected_certificate_is_whole_and_says_where_it_was_made(path, known):
    found = form.load(path)
    assert form.faults(found, known) == []
    assert path.name == f"certificate-{found['board']}-{found['date']}.json"
    assert (found["kind"] == form.EMULATED) == (found["emulator"] is not None)
    assert form.private_parts(path.read_text()) == []


def test_every_changed_value_and_every_lost_key_is_noticed(certificate, known):
    paths = list(places(certificate))
    assert len(paths) > 300
    for path in paths:
        assert form.faults(changed(certificate, path), known) != [], path
    for key in certificate:
        assert form.faults({k: v for k, v in certificate.items() if k != key}, known) != [], key
    assert form.faults({**certificate, "serial": 1}, known) != []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("models", 0, "outputs_sha256"), "0" * 64, "the outputs differ from TFLM's"),
        (("models", 0, "expected_sha256"), "0" * 64, "TFLM's outputs are others"),
        (("steps", 1, "result"), form.FAILED, "passed contradicts its steps"),
        (("steps", 1, "result"), form.NOT_RUN, "complete contradicts its steps"),
        (("steps", 1, "name"), "soak", "its steps are not those of this format"),
        (("scripts", 0, "failed"), 1, "a device test failed"),
        (("date",), "today", "of another form: date"),
        (("models", 0, "runs"), 1.5, "of another form: models"),
    ],
)
def test_contradiction_is_noticed_though_the_checksum_is_right(
    certificate, known, path, value, said
):
    sealed = form.sealed(changed(certificate, path, value))
    assert said in "; ".join(form.faults(sealed, known))


def test_order_and_spaces_of_the_file_do_not_count(certificate, known, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(json.dumps(certificate, sort_keys=True))
    assert form.faults(form.load(path), known) == []


def test_check_takes_the_transcript_beside_the_file(certificate, tmp_path):
    path = tmp_path / "one.json"
    transcript = b"== identity\n"
    certificate["transcript_sha256"] = sha256(transcript).hexdigest()
    path.write_text(form.written(form.sealed(certificate)))
    assert "its transcript: not here" in tflm("--check", path).stdout
    path.with_suffix(".txt").write_bytes(transcript)
    assert "its transcript: compared" in tflm("--check", path).stdout
    path.with_suffix(".txt").write_bytes(transcript + b"x")
    result = tflm("--check", path)
    assert result.exit_code == 1
    assert "the transcript beside it is of another run" in result.stderr


def test_check_says_what_it_found_and_ends_with_a_status(certificate, tmp_path):
    result = tflm("--check", SAMPLE)
    assert result.exit_code == 0, result.stderr
    assert "unchanged, and a success" in result.stdout
    path = tmp_path / "one.json"
    path.write_text(SAMPLE.read_text().replace('"heap_free": ', '"heap_free": 1'))
    result = tflm("--check", path, "--json")
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert (answer["unchanged"], len(answer["faults"])) == (False, 1)
    failed = changed(certificate, ("steps", 1, "result"), form.FAILED)
    path.write_text(form.written(form.sealed({**failed, "passed": False})))
    result = tflm("--check", path)
    assert result.exit_code == 1
    assert "unchanged, but no success" in result.stdout
    assert "models: failed" in result.stderr


@pytest.mark.parametrize("text", ["", "{", "[1]", '"x"', "[" * 100000, "\udcff"])
def test_check_of_a_file_that_is_none_says_so(tmp_path, text):
    path = tmp_path / "none.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    result = tflm("--check", path)
    assert result.exit_code == 1
    assert "is no certificate" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ((), 2, "name one of --port, --target and --check"),
        (("--port", "COM3", "--target", "unix"), 2, "name one of"),
        (("--port", "COM3", "--check", "x.json"), 2, "name one of"),
        (("--target", "unix", "--soak", "0"), 2, "--soak"),
        (("--check", "none.json"), 1, "none.json"),
        (("--port", "/dev/no-such-port"), 1, "`tflm doctor` lists the ports"),
        (("--target", "NO_SUCH_BOARD"), 1, "no target is called 'NO_SUCH_BOARD'"),
        (("--target", "RPI_PICO2"), 1, "nothing emulates RPI_PICO2"),
    ],
)
def test_wrong_usage_and_missing_targets_have_a_status_and_leave_no_file(
    arguments, status, said, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    result = tflm(*arguments)
    assert result.exit_code == status
    assert said in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("/home/zaphod/board.py: no", "~/board.py: no"),
        ("see C:\\Users\\Zaphod\\x", "see ~\\x"),
        ("/Users/zaphod b", "~ b"),
        ("/root/x, /rooted", "~/x, /rooted"),
        ("/tmp/tflm-a8_x/sine.tflite", "tflm/sine.tflite"),
        ("/dev/serial/by-id/usb-e66138: no reply", "the board: no reply"),
        ("/rom/sine.tflite", "/rom/sine.tflite"),
    ],
)
def test_text_loses_folders_of_people_and_the_port(text, cleaned, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/srv/people/zaphod"))
    found = form.clean(text, "/dev/serial/by-id/usb-e66138")
    assert found == cleaned
    assert form.private_parts(found) == []
    assert form.private_parts("/srv/people/zaphod/x") == ["/srv/people/zaphod"]
    assert form.private_parts("a /home/zaphod/x") == ["/home/zaphod"]


def test_expected_outputs_are_tflms(oracle):
    for golden in (*models.small(), models.large()):
        oracle.load(golden.model)
        each = len(golden.inputs) // golden.count
        inputs = [golden.inputs[i : i + each] for i in range(0, len(golden.inputs), each)]
        outputs = b"".join(bytes(oracle.invoke([data])[0]) for data in inputs)
        assert sha256(outputs).hexdigest() == golden.outputs, golden.name
        assert len({outputs[i:] for i in range(0, len(outputs), len(outputs) // golden.count)}) > 1


def test_inputs_of_the_large_model_have_different_outputs():
    from tflm import Interpreter

    golden = models.large()
    interpreter = Interpreter(golden.model)
    each = len(golden.inputs) // golden.count
    found = set()
    for i in range(golden.count):
        interpreter.inputs[0].data[:] = golden.inputs[i * each : (i + 1) * each]
        interpreter.invoke()
        found.add(bytes(interpreter.outputs[0].data))
    assert len(found) == golden.count == models.LARGE_INPUTS
    assert len(golden.model) > 250_000


def test_drawn_numbers_depend_on_the_seed_and_on_no_version():
    shaken = models.Shaken(0)
    first = [[120, 36, 99], [58, -30, -49]]
    assert shaken.integers(-127, 128, (2, 3), np.int8).tolist() == first
    assert shaken.uniform(0.3, 1, 2).tolist() == [0.7543548275949433, 0.5517161310417578]
    assert models.Shaken(1).integers(-127, 128, (2, 3), np.int8).tolist() != first


def test_file_made_otherwise_is_refused(monkeypatch):
    monkeypatch.setattr(models, "WIDTH", 0.125)
    with pytest.raises(ValueError, match="is made of other bytes here"):
        models.large()


def test_schema_has_each_step_and_each_script(certificate):
    assert [step["name"] for step in certificate["steps"]] == list(form.STEPS)
    names = {script["name"] for script in certificate["scripts"]}
    assert len(names) > 50
    assert all(re.fullmatch(r"test_\w+\.py( after a reset)?", name) for name in names)


def test_table_of_boards_tells_emulated_certificates_from_silicon(certificate, tmp_path):
    for kind, emulator, board in (("board", None, "RPI_PICO2"), ("emulated", "node", "RPI_PICO")):
        one = {**certificate, "kind": kind, "emulator": emulator, "board": board}
        (tmp_path / f"{board}.json").write_text(form.written(form.sealed(one)))
    found = docs_tables.certificates(tmp_path)
    date = certificate["date"]
    assert found["RPI_PICO2"] == [f"certified on silicon on {date}"]
    assert found["RPI_PICO"] == [f"certified emulated on {date}"]
    table = docs_tables.boards()
    assert f"{certificate['board']}` |" in table
    assert f"certified emulated on {date}" in table


def test_table_of_certificates_has_what_the_files_say(certificate, tmp_path):
    file = tmp_path / "one.json"
    steps = [{**step, "milliseconds": 30_000} for step in certificate["steps"]]
    file.write_text(form.written({**certificate, "steps": steps}))
    passed = sum(script["passed"] for script in certificate["scripts"])
    skipped = sum(script["skipped"] for script in certificate["scripts"])
    left = [step["name"] for step in steps if step["result"] != form.PASSED]
    assert passed > 100
    assert docs_tables.certified(tmp_path).splitlines()[2:] == [
        f"| `{certificate['board']}` | {certificate['emulator']} | {certificate['date']} | 4.0 |"
        f" {file.stat().st_size:,} | {passed} | {skipped} | {', '.join(left)} |"
    ]
    page = docs_tables.with_tables("<!-- table of certificates -->")
    assert page.count("\n") == len(COLLECTED) + 1


def test_emulated_boards_and_unix_are_certified():
    found = {form.load(path)["board"]: form.load(path) for path in COLLECTED}
    assert {"unix", "RPI_PICO", "MPS2_AN386", "NUCLEO_F446RE"} <= set(found)
    assert all(one["passed"] for one in found.values())
    pico = found["RPI_PICO"]
    assert {step["result"] for step in pico["steps"]} == {form.PASSED}
    assert {model["cores"] for model in pico["models"]} == {1, 2}


def test_progress_says_nothing_of_what_is_quick(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(command.time, "monotonic", lambda: now[0])
    progress = command.Progress()
    said = []
    monkeypatch.setattr(command, "warn", said.append)
    for text, at in (("a", 1), ("b", 2.5), ("c", 3), ("d", 4.6)):
        now[0] = at
        progress(text)
    assert said == ["b", "d"]
    assert capsys.readouterr().out == ""


def test_scripts_are_those_of_the_folder():
    assert len(scripts.scripts()) > 50
