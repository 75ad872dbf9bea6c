"""A prepared file is trusted after a proof; a forged one runs unprepared, or nowhere."""

import json
import struct
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import _tflm
from support.fuzz.forger import FORGERIES, forged
from tflm import Model, ModelError
from tflm.model import PREPARED
from tflm.run.prepared import HEADER_BYTES
from tflm_host.__main__ import main
from tflm_host.deploy.models import DeployError, Item
from tflm_host.places import ROOT
from tflm_host.plan.optimal import SolverMissing
from tflm_host.prepare import KernelsMissingError, prepare, proof
from tflm_host.prepare.options import options_of, round_ram, word_of
from tflm_host.targets.romfs import list_romfs

DIGITS = ROOT / "models" / "digits_cnn.tflite"
OPTIONS = (
    ("dsp", {}),
    ("armv6m", {"flash_cache": 16 << 10}),
    ("dsp", {"flash_cache": 1 << 10}),
    ("mve", {"small": True, "ram": 3001}),
    ("portable", {"by_rows": False}),
    ("dsp", {"feed": True}),
    ("dsp", {"first_memory": 300}),
    ("armv6m", {"flash_cache": 16 << 10, "first_memory": 100}),
)


@pytest.fixture(autouse=True)
def _proofs(tmp_path, monkeypatch):
    monkeypatch.setattr(proof, "PROOFS", tmp_path / "proofs")


@pytest.fixture(scope="module")
def digits():
    return prepare(DIGITS.read_bytes(), _tflm.isa)


def tflm(*args, status=0):
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == status, result.output
    return result


@pytest.mark.parametrize(("isa", "options"), OPTIONS)
def test_what_prepare_makes_proves_whatever_its_options(isa, options):
    made = prepare(DIGITS.read_bytes(), isa, **options)
    assert proof.proven(made) == (made, None)


def test_options_come_back_from_their_word():
    for ram, by_rows, feed, small, large, cache in (
        (None, True, False, False, False, 0),
        (round_ram(3001), True, True, True, False, 16 << 10),
        (round_ram(1), False, False, True, False, 31 << 10),
        (round_ram(1 << 40), True, False, False, True, 0),
    ):
        word = word_of(ram, by_rows, feed, small, large, cache)
        assert 0 <= word < 1 << 31
        found = {"ram": ram, "by_rows": by_rows, "feed": feed, "small": small, "large": large}
        found |= {"flash_cache": cache, "first_memory": None}
        assert options_of(SimpleNamespace(words=[word], first_room=None)) == found


def test_plain_model_needs_no_proof():
    assert proof.proven(DIGITS.read_bytes()) == (DIGITS.read_bytes(), None)


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_file_is_the_plain_model(digits, what):
    data, why = proof.proven(forged(digits, what))
    assert why.is_foreign
    assert str(why).startswith("is not genuine: ")
    assert Model(data, prepared=False).metadata_entry(PREPARED) == (0, 0)
    assert Model(data, prepared=True).snapshot is None
    assert len(data) == len(digits)


def test_other_options_than_noted_do_not_prove(digits, monkeypatch):
    def small(out, pos, words):
        struct.pack_into("<I", out, pos + 76, words[-1] ^ 1)

    monkeypatch.setitem(FORGERIES, "options", small)
    _, why = proof.proven(forged(digits, "options"))
    assert why.reason == "it is not what this version of tflm prepare makes"
    assert why.is_foreign


def test_first_memory_that_no_plan_fits_does_not_prove(monkeypatch):
    def full(out, pos, _):
        struct.pack_into("<i", out, pos + HEADER_BYTES + 4, -16)

    monkeypatch.setitem(FORGERIES, "first memory", full)
    two = prepare(DIGITS.read_bytes(), _tflm.isa, first_memory=240)
    _, why = proof.proven(forged(two, "first memory"))
    assert why.is_foreign


def test_snapshot_at_an_odd_place_does_not_prove(digits):
    pos, nbytes = Model(digits, prepared=False).metadata_entry(PREPARED)
    words = struct.unpack_from(f"<{len(digits) // 4}I", digits)
    (place,) = [4 * i for i, word in enumerate(words) if 4 * i + word == pos - 4]
    out = bytearray(digits) + bytes(1)
    struct.pack_into("<I", out, place, len(out) - place)
    out += struct.pack("<I", nbytes) + digits[pos : pos + nbytes]
    data, why = proof.proven(bytes(out))
    assert (why.reason, why.is_foreign) == ("it lies at no multiple of 4 bytes", True)
    assert Model(data, prepared=True).metadata_entry(PREPARED) == (0, 0)


def test_a_proof_is_kept_for_these_very_bytes(digits, monkeypatch):
    assert proof.proven(digits)[1] is None
    monkeypatch.setattr(proof, "prepare", None)  # nothing is prepared again
    assert proof.proven(digits)[1] is None
    with pytest.raises(TypeError):
        proof.proven(forged(digits, "write"))


@pytest.mark.parametrize("what", ["write", "read", "nodes", "arena", "kernels"])
def test_commands_take_a_forged_file_as_the_plain_model_and_say_so(digits, what, tmp_path):
    path = tmp_path / "forged.tflite"
    path.write_bytes(forged(digits, what))
    done = tflm("run", path, "--json")
    assert "runs as an unprepared model" in done.stderr
    assert (
        json.loads(done.stdout)["outputs"]
        == (json.loads(tflm("run", DIGITS, "--json").stdout)["outputs"])
    )
    for command in ("inspect", "arena", "bench", "ops"):
        assert "runs as an unprepared model" in tflm(command, path).stderr, command


def test_verify_forged_file(digits, tmp_path, oracle):  # noqa: ARG001
    path = tmp_path / "forged.tflite"
    path.write_bytes(forged(digits, "write"))
    done = tflm("verify", path)
    assert "runs as an unprepared model" in done.stderr
    assert "5 inferences equal TFLM's" in done.stdout


def test_what_goes_into_rom_is_proven_before(digits, tmp_path):
    path, image = tmp_path / "forged.tflite", tmp_path / "rom.img"
    path.write_bytes(forged(digits, "write"))
    with pytest.raises(DeployError, match=r"is not genuine: .*Prepare it again"):
        Item.read(path)
    assert "is not genuine" in tflm("deploy", path, "--port", "MPS2_AN386", status=1).stderr
    assert "runs as an unprepared model" in tflm("romfs", path, "-o", image).stderr
    ((_, offset, size),) = list_romfs(image.read_bytes())
    inside = image.read_bytes()[offset : offset + size]
    assert Model(inside, prepared=True).snapshot is None


def test_no_name_of_a_snapshot_is_left(digits):
    assert PREPARED.encode() in digits
    assert PREPARED.encode() not in proof.without_snapshot(digits)


def test_malformed_graph_is_an_error(digits):
    with pytest.raises(ModelError):
        proof.proven(digits[:200])


def no_compiler(*_args, **_options):
    raise KernelsMissingError("preparing a model takes C kernels on this machine: none")


def no_solver(*_args, **_options):
    raise SolverMissing


@pytest.mark.parametrize("missing", [no_compiler, no_solver])
def test_file_that_this_machine_cannot_prove_is_not_called_foreign(
    digits, missing, tmp_path, monkeypatch
):
    monkeypatch.setattr(proof, "prepare", missing)
    data, why = proof.proven(digits)
    assert Model(data, prepared=True).snapshot is None
    assert not why.is_foreign
    assert str(why).startswith("cannot be proven here: ")
    path, image = tmp_path / "digits.tflite", tmp_path / "rom.img"
    path.write_bytes(digits)
    for command in (("run", path, "--json"), ("bench", path), ("romfs", path, "-o", image)):
        said = tflm(*command).stderr
        assert "runs as an unprepared model: the prepared part cannot be proven here" in said
    with pytest.raises(DeployError, match=r"cannot be proven here: .*or deploy the unprepared"):
        Item.read(path)


def test_file_for_kernels_of_another_version_cannot_be_proven_here(digits, monkeypatch):
    monkeypatch.setattr(proof, "isa_names", list)
    _, why = proof.proven(digits)
    assert str(why).startswith("cannot be proven here: it is for 'portable' kernels")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError(), "it takes more memory than there is"),
        (MemoryError("17 TiB"), "17 TiB"),
    ],
)
def test_doubt_says_why_a_proof_could_not_be_made(digits, monkeypatch, error, reason):
    def fail(*_args, **_options):
        raise error

    monkeypatch.setattr(proof, "prepare", fail)
    _, why = proof.proven(digits)
    assert (why.reason, why.is_foreign) == (reason, False)
