"""The caller says whether what was prepared is trusted, never the file."""

import sys
from types import SimpleNamespace

import pytest

import _tflm
import tflm
from support.fuzz.forger import FORGERIES, forged
from support.models.delegates import Models
from tflm.base import layout
from tflm.extra.delegated import OP_DELEGATE
from tflm.run import prepared as snapshots
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

DIGITS = (ROOT / "models" / "digits_cnn.tflite").read_bytes()
SAYS = "taken as plain: prepared=True trusts what was prepared"


@pytest.fixture(scope="module")
def prepared():
    return prepare(DIGITS, _tflm.isa)


@pytest.fixture
def rom(monkeypatch):
    """What a board's /rom holds, 64 KB; a model may be written to its middle."""
    partition = bytearray(1 << 16)
    answers = {1: lambda: 2, 2: lambda i: memoryview((bytearray(64), partition)[i])}
    module = SimpleNamespace(rom_ioctl=lambda command, *args: answers[command](*args))
    monkeypatch.setitem(sys.modules, "vfs", module)
    monkeypatch.setattr(snapshots, "_rom", [])
    return memoryview(partition)


def answer(model, **options):
    interp = tflm.Interpreter(model, **options)
    interp.inputs[0].data[:] = bytes(range(64))
    interp.invoke()
    return bytes(interp.outputs[0].data)


def test_bytes_and_files_are_plain_unless_the_caller_trusts_them(prepared, tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(prepared)
    for model in (prepared, bytearray(prepared), str(path)):
        plain, trusted = tflm.Interpreter(model), tflm.Interpreter(model, prepared=True)
        assert (plain.model.snapshot, plain.model.untrusted) == (None, True)
        assert trusted.model.snapshot
        assert not trusted.model.untrusted
        assert trusted.arena_used_bytes() < plain.arena_used_bytes()
        assert answer(model) == answer(model, prepared=True) == answer(DIGITS)
        assert tflm.Model(model, prepared=False).untrusted is False


def test_repr_says_for_which_flash_it_was_prepared_on_any_other_board(prepared, monkeypatch):
    models = {0: prepared}
    models |= {kib: prepare(DIGITS, _tflm.isa, flash_cache=kib << 10) for kib in (1, 16)}
    boards = (
        ("linux", "Cortex-M4F", 0),
        ("pyboard", "NUCLEO-F446RE with STM32F446xx", 1),
        ("pyboard", "NUCLEO_H743ZI with STM32H743", 0),
        ("rp2", "Raspberry Pi Pico 2 with RP2350", 16),
    )
    for platform, machine, here in boards:
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(sys.implementation, "_machine", machine, raising=False)
        assert snapshots.flash_here() == here
        for kib, data in models.items():
            interp = tflm.Interpreter(data, prepared=True)
            for thing in (interp, interp.model):
                assert (", prepared for another board>" in repr(thing)) == (kib != here)


def test_repr_says_so_where_a_delegate_runs_a_part_too(prepared):
    delegate = Models(prepared, lambda operator: operator.name == "SOFTMAX")
    for trusted in (None, True):
        interp = tflm.Interpreter(prepared, prepared=trusted, delegates=[delegate])
        assert any(operator.builtin == OP_DELEGATE for operator in interp.model.operators())
        assert repr(interp).endswith(SAYS + ">") is (trusted is None)


def test_repr_state_and_arena_error_say_so(prepared):
    interp = tflm.Interpreter(prepared)
    assert repr(interp).endswith(SAYS + ">")
    assert repr(interp.model).endswith(SAYS + ">")
    assert SAYS in str(interp.places()).splitlines()[0]
    need = tflm.Interpreter(prepared, prepared=True).arena_used_bytes()
    with pytest.raises(tflm.ArenaError, match="plain .prepared=True trusts what was prepared.: "):
        tflm.Interpreter(prepared, need)
    for other in (tflm.Interpreter(prepared, need, prepared=True), tflm.Interpreter(DIGITS)):
        assert "plain" not in repr(other)
    with pytest.raises(tflm.ArenaError, match="^arena for this model: "):
        tflm.Interpreter(DIGITS, 16)


def test_what_lies_in_rom_is_trusted_and_nothing_beside_it(prepared, rom):
    size = len(prepared)
    for at in (0, 4096, len(rom) - size & -16):
        rom[at : at + size] = prepared
        assert tflm.Model(rom[at : at + size]).snapshot
        assert tflm.Model(rom[at : at + size], prepared=False).snapshot is None
    assert tflm.Model(bytearray(prepared)).untrusted
    beside = memoryview(bytearray(len(rom) + size))
    beside[:size] = prepared
    assert tflm.Model(beside[:size]).untrusted


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_file_runs_as_the_plain_model(prepared, what):
    assert answer(forged(prepared, what)) == answer(DIGITS)


def test_plain_model_of_a_prepared_file_keeps_its_inputs(prepared):
    interp = tflm.Interpreter(prepared, keep_inputs=True)  # what a prepared model refuses
    assert interp.graph.runners[0].table & 1 == layout.ARENA
