"""docs/commands.md has the keys that each command prints with --json, and no other."""

import json
import re
from fnmatch import fnmatchcase

import pytest
from click.testing import CliRunner

from support.nets import pictures, uint8_models
from tflm_host.__main__ import main
from tflm_host.places import ROOT
from tflm_host.report import doctor  # noqa: F401 - while it may ask for builds

DIGITS = ROOT / "models" / "digits_cnn.tflite"
MODELS = ROOT / "models"
OF_MEMORY = {"memories[].bytes", "memories[].available", "fits_in_memories"}  # of --memory
OF_BOARD = {"memories[].name", "memories[].start", "in_a_program"}  # of --board
OF_MEMORY |= {"first_memory.nbytes", "first_memory.found", "first_memory.bound"}


def documented():
    """Return {command: its keys in the document}."""
    text = (ROOT / "docs" / "commands.md").read_text().partition("## Keys of --json")[2]
    found = {}
    for part in text.split("\n### ")[1:]:
        title, _, body = part.partition("\n")
        rows = re.findall(r"^\| (`.*?) \|(.*)", body, re.MULTILINE)
        for first, second in rows:
            name, cells = title.split()[0], first
            if "," in title:
                name, cells = first.strip("`"), second
            found.setdefault(name, set()).update(re.findall(r"`([^`]+)`", cells))
    return found


def keys_of(value, path=""):
    """Return the keys of all that *value* has: a.b, a[].b."""
    if isinstance(value, dict) and value:
        parts = [keys_of(part, f"{path}.{key}".lstrip(".")) for key, part in value.items()]
        return set().union(*parts)
    if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        return set().union(*(keys_of(part, path + "[]") for part in value))
    return {path}


def undocumented(name, answer):
    """Return the keys of the reply *answer* without a line, and the lines without a key."""
    patterns = {key.replace("[]", "<>"): key for key in documented()[name]}
    keys = {key.replace("[]", "<>") for key in keys_of(answer)}
    more = {key for key in keys if not any(fnmatchcase(key, pattern) for pattern in patterns)}
    # An empty list or object shows nothing of what is in it.
    more = {
        key for key in more if not any(p.startswith((f"{key}<>", f"{key}.")) for p in patterns)
    }
    tops = {re.split(r"[.<]", key)[0] for key in keys}
    less = {key for pattern, key in patterns.items() if re.split(r"[.<]", pattern)[0] not in tops}
    return more, less


@pytest.mark.parametrize(
    "arguments",
    [
        ("arena", DIGITS, "--planner", "all", "--rows"),
        ("inspect", DIGITS),
        ("run", DIGITS, "--profile"),
        ("bench", DIGITS),
        ("plan", DIGITS, "-o", "{}/planned.tflite"),
        ("prepare", DIGITS, "-o", "{}/prepared.tflite", "--memory", "240,8K"),
        ("ops", DIGITS),
        ("romfs", DIGITS, "-o", "{}/models.romfs"),
        ("doctor",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_document_has_the_keys_of_each_command(arguments, tmp_path):
    given = [str(argument).format(tmp_path) for argument in arguments]
    done = CliRunner().invoke(main, [*given, "--json"])
    assert done.exit_code == 0, done.stderr
    more, less = undocumented(arguments[0], json.loads(done.stdout))
    several = {"models", "refused[].model", "refused[].why"}
    several |= {"sum_arena_bytes", "max_arena_bytes", "shared_arena_bytes"}
    several |= OF_MEMORY | OF_BOARD
    folder = {key for key in less if re.match(r"files|judged|right|accuracy|confusion", key)}
    assert (more, less - several - folder) == (set(), set())


def test_document_has_the_keys_of_two_memories():
    arguments = ["arena", str(DIGITS), "--memory", "64K,512K", "--planner", "all", "--json"]
    answer = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert keys_of(answer) > OF_MEMORY
    assert undocumented("arena", answer)[0] == set()


def test_document_has_the_keys_of_a_board():
    arguments = ["arena", str(DIGITS), "--board", "MPS2_AN386", "--json"]
    answer = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert keys_of(answer) > OF_BOARD
    assert undocumented("arena", answer)[0] == set()


def test_document_has_the_keys_of_a_prepared_model(tmp_path):
    path = str(tmp_path / "prepared.tflite")
    CliRunner().invoke(main, ["prepare", str(DIGITS), "-o", path, "--memory", "240,8K"])
    answer = json.loads(CliRunner().invoke(main, ["inspect", path, "--json"]).stdout)
    assert len(answer["prepared"]["memories"]) == 2
    assert undocumented("inspect", answer) == (set(), set())


def test_document_has_the_keys_of_convert(tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(uint8_models.draw("ADD", 0)[0])
    arguments = ["convert", str(path), "-o", str(tmp_path / "int8.tflite"), "--json"]
    answer = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert undocumented("convert", answer) == (set(), set())


def test_document_has_the_keys_of_verify(oracle):  # noqa: ARG001
    answer = json.loads(CliRunner().invoke(main, ["verify", str(DIGITS), "--json"]).stdout)
    assert undocumented("verify", answer) == (set(), set())


def test_document_has_the_keys_of_watch(tmp_path):
    path = tmp_path / "means.tflite"
    path.write_bytes(pictures.means())
    arguments = ["watch", str(path), str(ROOT / "examples" / "scene.pgm"), "--json", "--boxes"]
    found, none = (
        json.loads(CliRunner().invoke(main, [*arguments, boxes]).stdout)
        for boxes in ("fomo", "none")
    )
    found["frames"] += none["frames"]
    assert undocumented("watch", found) == (set(), set())


def test_document_has_the_keys_of_a_certificate():
    answer = json.loads(next((ROOT / "boards" / "certified").glob("*.json")).read_text())
    assert undocumented("certify", answer) == (set(), set())


def test_document_has_the_keys_of_several_models():
    answer = json.loads(CliRunner().invoke(main, ["arena", str(MODELS), "--json"]).stdout)
    models = answer.pop("models")
    assert undocumented("arena", answer)[0] == set()
    assert all(undocumented("arena", model)[0] == set() for model in models)


def test_a_key_without_a_line_and_a_line_without_a_key_are_found():
    answer = {key: 1 for key in documented()["plan"] - {"height"}} | {"new": 1}
    assert undocumented("plan", answer) == ({"new"}, {"height"})


def test_status_of_every_error_is_an_object():
    done = CliRunner().invoke(main, ["inspect", str(MODELS / "none.tflite"), "--json"])
    assert (done.exit_code, list(json.loads(done.stdout))) == (1, ["error"])
