"""Where a snapshot is trusted, and what of it is checked before: prepared.py without kernels."""

import sys
from types import SimpleNamespace

import pytest

from support.fuzz.forger import summed
from support.fuzz.snapshots import Snapshot
from tflm import ModelError
from tflm.run import prepared

ROM, SIZE = 1000, 64  # where a partition begins, and its bytes


@pytest.fixture
def rom(monkeypatch):
    """Two partitions of /rom; the first element is the address of whatever is asked about."""
    at = [0]
    monkeypatch.setattr(prepared, "_rom", [(ROM, SIZE), (ROM + 2 * SIZE, SIZE)])
    monkeypatch.setattr(prepared, "addressof", lambda _buf: at[0])
    return at


@pytest.mark.parametrize("first", [ROM, ROM + 2 * SIZE])
def test_in_rom_is_what_lies_in_one_partition_as_a_whole(rom, first):
    for offset, nbytes, want in (
        *((0, SIZE, True), (0, SIZE - 1, True), (1, SIZE - 1, True), (SIZE - 1, 1, True)),
        *((0, SIZE + 1, False), (1, SIZE, False), (-1, 1, False), (-1, SIZE, False)),
        *((SIZE, 1, False), (SIZE - 1, 2, False), (SIZE + 1, 1, False)),
    ):
        rom[0] = first + offset
        assert prepared.in_rom(bytes(nbytes)) == want, (offset, nbytes)


def test_partitions_are_asked_for_once_and_there_may_be_none(monkeypatch):
    views = [b"12", b"345"]
    asked = []

    def rom_ioctl(what, number=None):
        asked.append(what)
        return {1: lambda _: len(views), 2: lambda i: views[i]}[what](number)

    monkeypatch.setattr(prepared, "_rom", [])
    monkeypatch.setattr(prepared, "addressof", len)  # a view of two bytes lies at 2
    monkeypatch.setitem(sys.modules, "vfs", SimpleNamespace(rom_ioctl=rom_ioctl))
    assert prepared._partitions() == [(2, 2), (3, 3)]
    assert prepared.in_rom(b"12")
    count = len(asked)
    assert not prepared.in_rom(b"1")
    assert len(asked) == count
    monkeypatch.setattr(prepared, "_rom", [])
    monkeypatch.setitem(sys.modules, "vfs", None)
    assert prepared._partitions() == ()
    assert not prepared.in_rom(b"12")


def opened(file, nbytes=None, trusted=True):
    model = SimpleNamespace(buf=memoryview(file), untrusted=False)
    nbytes = len(file) if nbytes is None else nbytes
    return prepared.open_snapshot(model, 0, nbytes, trusted), model


def test_snapshot_is_opened_where_it_is_trusted():
    file = summed(bytearray(Snapshot().file()), 0, len(Snapshot().file()))
    found, model = opened(file)
    assert (found.at, found.arena_bytes, model.untrusted) == (0, 64, False)
    found, model = opened(file, trusted=None)
    assert (found, model.untrusted) == (None, True)


def test_snapshot_in_rom_needs_no_word_of_the_caller(rom):
    file = summed(bytearray(Snapshot(nodes=[]).file()), 0, 80)
    rom[0] = ROM
    assert opened(file, trusted=None)[0] is None  # 80 bytes in a partition of 64
    prepared._rom.append((ROM, 80))
    assert opened(file, trusted=None)[0] is not None


def test_snapshot_has_a_header_and_the_sum_of_its_bytes():
    file = bytearray(Snapshot(nodes=[]).file())
    assert len(file) == prepared.HEADER_BYTES
    good = summed(file, 0, len(file))
    assert opened(good)[0] is not None
    for nbytes in (0, 76, 79):
        with pytest.raises(ModelError, match="is damaged: prepare it again"):
            opened(good, nbytes)
    with pytest.raises(ModelError, match="is damaged: prepare it again"):
        opened(b"TFLx" + good[4:])
    for at in (4, 7, 8, 20, 79):
        bad = bytearray(good)
        bad[at] ^= 1
        with pytest.raises(ModelError, match="wrong checksum"):
            opened(bytes(bad))
