"""Starts and stops QEMU with a board's firmware, and finds out why when it stops by itself.

    with Emulator(load_board("MPS2_AN386"), romfs=image) as emulator:
        emulator.link ...               # bytes to and from the board's UART

With pty=True the UART is a pseudo-terminal instead, emulator.port, for mpremote.

With icount=True an instruction takes 2**ICOUNT_SHIFT ns of the board's time, whatever the host
does meanwhile: the board's clock then counts instructions, exactly.
"""

import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .board_files import NoRoom
from .links import SocketLink
from .repl import TargetError

QEMU = "qemu-system-arm"
QEMU_RISCV = "qemu-system-riscv32"
LOOK_UP = "arm-none-eabi-addr2line"
LOOK_UP_RISCV = "riscv64-unknown-elf-addr2line"
ICOUNT_SHIFT = 6
START_SECONDS = 20
STOP_SECONDS = 5
EXIT_SECONDS = 0.5  # for it to end after the board's last word


def fault_in(text, firmware, look_up=LOOK_UP):
    """Return where the core faulted, by the board's last words *text*; "" if it did not."""
    fault = re.search(r"fault: pc=(\w+) lr=(\w+)", text)
    if not fault:
        return ""
    pc, lr = (function_at(address, firmware, look_up) for address in fault.groups())
    return f"the core faulted in {pc}, called from {lr}"


def function_at(address, firmware, look_up=LOOK_UP):
    """Return the name of the function at *address*, a text, of the file *firmware*."""
    command = [look_up, "-f", "-e", str(firmware), address]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[0] or "?"


def require_room(board, romfs):
    """Raise NoRoom if the image *romfs* is larger than the board's /rom."""
    if len(romfs) > board.romfs_size:
        raise NoRoom(
            f"{board.name}: the models take {len(romfs)} bytes of /rom,"
            f" it holds {board.romfs_size}"
        )


class Emulator:
    def __init__(self, board, romfs=None, icount=False, pty=False, options=()):
        self.board = board
        self.link = None  # SocketLink to the UART, unless it is a pseudo-terminal
        self.port = None  # path of the pseudo-terminal
        self._folder = Path(tempfile.mkdtemp(prefix="tflm-"))
        self._process = None
        try:
            self._start([*self._command(romfs, icount, pty), *options])
            if pty:
                self.port = self._wait_for(self._announced_port)
            else:
                self.link = self._wait_for(self._connect)
        except BaseException:
            self.close()
            raise

    @property
    def program(self):
        return self.board.emulator

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()

    def close(self):
        """Stop the emulator. Calling it again does nothing."""
        if self.link is not None:
            self.link.close()
            self.link = None
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def instructions(self, ticks):
        """Return the number of instructions in *ticks* of the board's clock, under icount."""
        return round(ticks * 1e9 / (self.board.clock_hz << ICOUNT_SHIFT))

    def why_stopped(self, output):
        """Return the known reason why the emulator ended by itself, "" while it runs.

        output: the last text from the board; a fault's addresses in it are looked up.
        """
        try:
            status = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        log = self._log().strip()[-500:]
        reasons = [f"{self.program} ended with status {status}", log]
        look_up = LOOK_UP_RISCV if self.program == QEMU_RISCV else LOOK_UP
        reasons.append(fault_in(output + log, self.board.firmware, look_up))
        return "; ".join(filter(None, reasons))

    def _command(self, romfs, icount, pty):
        board = self.board
        command = [self.program, "-M", board.machine, *board.machine_options]
        command += ["-nographic", "-monitor", "none", "-semihosting"]
        command += ["-kernel", str(board.firmware)]
        if pty:
            command += ["-serial", "pty"]
        else:
            # wait: the board boots when the other side is there, so that no output is lost.
            command += ["-serial", f"unix:{self._folder}/uart,server=on,wait=on"]
        if romfs is not None:
            loader = (
                f"loader,file={self._write_romfs(romfs)},addr={board.romfs_start:#x},force-raw=on"
            )
            command += ["-device", loader]
        if icount:
            command += ["-icount", f"shift={ICOUNT_SHIFT},align=off,sleep=off"]
        return command

    def _write_romfs(self, romfs):
        """Write the image to a file and return its path."""
        require_room(self.board, romfs)
        image = self._folder / "rom"
        image.write_bytes(romfs)
        return image

    def _start(self, command):
        if shutil.which(self.program) is None:
            raise TargetError(f"{self.program} is missing: run `make setup`")
        if shutil.which("setpriv"):
            # Left behind by a killed parent, an emulator would keep a core busy for ever.
            command = ["setpriv", "--pdeathsig", "KILL", *command]
        with open(self._folder / "log", "wb") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _wait_for(self, attempt):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            result = attempt()
            if result is not None:
                return result
            if self._process.poll() is not None:
                break
            time.sleep(0.01)
        reason = self.why_stopped("") or f"nothing from it in {START_SECONDS} s"
        raise TargetError(f"{self.board.name} does not start: {reason}")

    def _announced_port(self):
        found = re.search(r"/dev/pts/\d+", self._log())
        return found and found.group()

    def _connect(self):
        uart = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            uart.connect(f"{self._folder}/uart")
        except OSError:
            uart.close()
            return None
        return SocketLink(uart)

    def _log(self):
        lines = (self._folder / "log").read_text(errors="replace").splitlines()
        return "\n".join(line for line in lines if "QEMU waiting for connection" not in line)
