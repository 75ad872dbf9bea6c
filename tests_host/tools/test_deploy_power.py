"""Power fails at each write of a deploy: what is left of an image never mounts.

The board is this process: deploy_device.py writes to memory that behaves as flash does.
"""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from tflm_host.targets.device import deploy_device

MAGIC = b"\xd2\xcd\x31"
BLOCK = 4096
OLD, NEW = (MAGIC + bytes([n]) * (3 * BLOCK - 3) for n in (1, 2))
EINVAL = 22


class PowerFailed(Exception):
    pass


class Flash:
    """Flash that erases blocks and programs *unit* bytes at once, upwards.

    left  operations before the power fails; None: it does not
    """

    def __init__(self, unit, left=None):
        self.data = bytearray(OLD)
        self.unit, self.left = unit, left

    def operate(self):
        if self.left == 0:
            raise PowerFailed
        if self.left is not None:
            self.left -= 1

    def erase(self, start, end):
        for block in range(start, end, BLOCK):
            self.operate()
            self.data[block : block + BLOCK] = b"\xff" * BLOCK

    def program(self, start, data):
        assert start % self.unit == 0
        for at in range(0, len(data), self.unit):
            self.operate()
            place = slice(start + at, start + at + self.unit)
            assert bytes(self.data[place]) == b"\xff" * self.unit
            self.data[place] = data[at : at + self.unit]


class Memory(Flash):
    """Flash behind vfs.rom_ioctl, as of an STM32: it erases everything, and knows no end."""

    def rom_ioctl(self, command, _part=0, offset=0, value=None):
        if command == deploy_device.SEGMENT:
            return memoryview(self.data)
        if command == deploy_device.PREPARE:
            self.erase(0, offset)
            return 16
        if command == deploy_device.WRITE:
            self.program(offset, value)
            return 0
        return -EINVAL


class Device(Flash):
    """A block device, as of an RP2040."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.rom_ioctl = lambda _command, _part: self

    def __getitem__(self, place):
        return self.data[place]

    def ioctl(self, what, block):
        if what == deploy_device.ERASE_OF:
            self.erase(block * BLOCK, (block + 1) * BLOCK)
        return {deploy_device.BLOCK_COUNT_OF: 3, deploy_device.BLOCK_SIZE_OF: BLOCK}.get(what, 0)

    def writeblocks(self, block, data, offset):
        self.program(block * BLOCK + offset, data)


def deployed(flash, monkeypatch, machine):
    """Deploy NEW to *flash*, of a board whose port says that it is *machine*."""
    vfs = ModuleType("vfs")
    vfs.rom_ioctl, vfs.umount = flash.rom_ioctl, lambda _: None
    monkeypatch.setitem(sys.modules, "vfs", vfs)
    implementation = SimpleNamespace(_machine=machine)
    monkeypatch.setattr(deploy_device, "sys", SimpleNamespace(implementation=implementation))
    monkeypatch.setattr(deploy_device, "memoryview", lambda x: getattr(x, "data", x), False)
    rom = deploy_device.Rom()
    rom.begin(len(NEW))
    for offset in range(rom.chunk, len(NEW), rom.chunk):
        rom.write(offset, NEW[offset : offset + rom.chunk])
    rom.write(0, NEW[: rom.chunk])
    rom.complete()


@pytest.mark.parametrize(
    ("kind", "unit", "machine"),
    [
        (Memory, 4, "NUCLEO-F446RE with STM32F446xx"),
        (Memory, 32, "NUCLEO-H743ZI with STM32H743"),
        (Device, 256, "Raspberry Pi Pico with RP2040"),
    ],
)
def test_power_that_fails_at_a_write_leaves_no_image_that_mounts(monkeypatch, kind, unit, machine):
    count = len(OLD) // BLOCK + len(NEW) // unit
    deployed(whole := kind(unit, count), monkeypatch, machine)
    assert (bytes(whole.data), whole.left) == (NEW, 0)
    for left in sorted({*range(1, count, 37), *range(max(1, count - 80), count)}):
        flash = kind(unit, left)
        with pytest.raises(PowerFailed):
            deployed(flash, monkeypatch, machine)
        assert bytes(flash.data[: len(MAGIC)]) != MAGIC, left
    with pytest.raises(PowerFailed):
        deployed(untouched := kind(unit, 0), monkeypatch, machine)
    assert bytes(untouched.data) == OLD
