"""Runs the firmware of boards with an STM32F4 on Unicorn, as emulator.py runs others on QEMU.

    with Stm32Emulator(load_board("NUCLEO_F446RE"), romfs=image) as emulator:
        emulator.link ...               # bytes to and from the board's serial port

It executes the STM32 port's real firmware in this process: its start, clocks, interrupts, serial
port, and the writes to its flash. Nothing says how long it takes on the real chip.
"""

import os
import select
import threading
import time

from .emulator import fault_in, function_at, require_room
from .repl import TargetError
from .stm32_chip import PARTS, Stm32F4

CHUNK = 4096
MORE_STEPS = 16  # to collect what a board says at once
# Boards with their REPL at USB, which is not here. A line of boot.py puts it to a serial port.
AT_USB = {"PYBV11"}
USB_LINE = b"#pyb.usb_mode('VCP+MSC') # act as a serial and a storage device"
SERIAL_LINE = b"pyb.repl_uart(pyb.UART(1, 115200))"
QUIET_TICKS = 1000  # of the clock, without a write: the first start is over
FIRST_START_STEPS = 100_000
NAP_SECONDS = 0.001  # of a board at a terminal that sleeps: a tick of its clock


class ChipLink:
    """The serial port of a chip, which runs only while somebody reads."""

    def __init__(self, chip):
        self.chip = chip

    def write(self, data):
        self.chip.received += data

    def read(self, seconds):
        """Run the chip until it says something, *seconds* of the host's at most."""
        chip, deadline = self.chip, time.monotonic() + seconds
        while not chip.sent:
            if chip.stopped:
                raise EOFError
            chip.step()
            if time.monotonic() >= deadline:
                break
        for _ in range(MORE_STEPS):
            before = len(chip.sent)
            if not before or chip.stopped:
                break
            chip.step()
            if len(chip.sent) == before:
                break
        data = bytes(chip.sent)
        chip.sent.clear()
        return data

    def close(self):
        pass


class Terminal:
    """A pseudo-terminal, `port`, whose other end is a chip. A thread runs the chip."""

    def __init__(self, chip):
        import tty  # only Unix has it, where emulated boards are

        self._chip = chip
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.port = os.ttyname(self._theirs)
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        chip, wait = self._chip, 0
        while not self._is_closed and not chip.stopped:
            if select.select([self._ours], [], [], wait)[0]:
                chip.received += os.read(self._ours, CHUNK)
            wait = NAP_SECONDS if chip.step() and not chip.received else 0
            data, chip.sent = bytes(chip.sent), bytearray()
            while data:
                data = data[os.write(self._ours, data) :]

    def close(self):
        self._is_closed = True
        self._thread.join()
        for end in (self._ours, self._theirs):
            os.close(end)


class Stm32Emulator:
    """A board whose firmware.elf is built. *romfs*: the image that lies in /rom.

    link   reads and writes its serial port; None with pty=True
    port   path of a pseudo-terminal instead, for mpremote
    chip   the Stm32F4, whose flash outlives a reset and power_on()
    """

    def __init__(self, board, romfs=None, icount=False, pty=False, options=()):
        if icount or options:
            raise TargetError(f"{board.name} runs on Unicorn, which has no clock and no options")
        self.board = board
        self.chip = Stm32F4(PARTS[board.name])
        self.chip.load(board.firmware.read_bytes())
        if romfs is not None:
            self._write_romfs(romfs)
        self.chip.power_on()
        if board.name in AT_USB:
            self._move_repl()
            self.chip.power_on()
        self._terminal = Terminal(self.chip) if pty else None
        self.port = self._terminal.port if pty else None
        self.link = None if pty else ChipLink(self.chip)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()

    def close(self):
        """Stop the board. Calling it again does nothing."""
        if self._terminal is not None:
            self._terminal.close()
            self._terminal = None

    def _move_repl(self):
        """Let the board make its filesystem, then change a line of boot.py as its user would."""
        chip, flash = self.chip, self.chip.flash
        quiet, done = 0, None
        for _ in range(FIRST_START_STEPS):
            is_asleep, before = chip.step(), done
            done = flash.programmed, len(flash.erased)
            quiet = quiet + is_asleep if done == before else 0
            if chip.stopped or quiet == QUIET_TICKS:
                break
        found = bytes(chip.uc.mem_read(flash.base, flash.size)).find(USB_LINE)
        if found < 0:
            raise TargetError(f"{self.board.name} made no boot.py: {chip.stopped or 'it runs'}")
        chip.uc.mem_write(flash.base + found, SERIAL_LINE.ljust(len(USB_LINE)))

    def _write_romfs(self, romfs):
        require_room(self.board, romfs)
        self.chip.uc.mem_write(self.board.romfs_start, romfs)

    def why_stopped(self, output):
        """Return the known reason why the chip stopped by itself, "" while it runs."""
        chip, firmware = self.chip, self.board.firmware
        if not chip.stopped:
            return ""
        reason = f"{chip.stopped}, in {function_at(hex(chip.pc), firmware)}"
        return "; ".join(filter(None, (reason, fault_in(output, firmware))))
