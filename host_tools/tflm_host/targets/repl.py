"""Run code on a MicroPython and take its output, by the raw REPL of boards, or by a copy of it for
the unix port, which has none.

Source: MicroPython shared/runtime/pyexec.c @v1.25.0 (the raw REPL and its paste mode).
"""

import time
from contextlib import contextmanager

CTRL_A, CTRL_B, CTRL_C, CTRL_D = b"\x01", b"\x02", b"\x03", b"\x04"
BANNER = b"raw REPL; CTRL-B to exit\r\n>"
REBOOT = b"soft reboot\r\n"
PASTE_REQUEST = b"\x05A\x01"
PASTE_ACCEPTED = b"R\x01"
ASK_SECONDS = 1
TAIL = 2000  # characters of output that an error quotes

# Reads "<length>\n<code>" from stdin, for ever; replies as the raw REPL does: what the code
# printed, CTRL-D, the traceback, CTRL-D.
SERVER = """
import sys
def serve(read, write, names):
    while True:
        length = read.readline()
        if not length:
            return
        code = read.read(int(length)).decode()
        try:
            exec(code, names)
            write("\\x04")
        except BaseException as error:
            write("\\x04")
            sys.print_exception(error, sys.stdout)
        write("\\x04")
serve(sys.stdin.buffer, sys.stdout.write, globals())
"""


class TargetError(Exception):
    """A target that could not be built, started or talked to, or whose code raised."""


class UnknownTargetError(TargetError):
    """A name that is no target's: wrong usage."""


class ExecError(TargetError):
    """Code that raised on the target."""

    def __init__(self, traceback, output):
        super().__init__(traceback + _quote(output))
        self.traceback = traceback
        self.output = output  # what it printed before


class _Stream:
    """Bytes received over a link and not yet used, and a deadline for more."""

    def __init__(self, link):
        self.link = link
        self.received = b""
        self.deadline = 0.0

    def start(self, timeout):
        self.deadline = time.monotonic() + timeout

    def take(self, nbytes):
        while len(self.received) < nbytes:
            self._more()
        data, self.received = self.received[:nbytes], self.received[nbytes:]
        return data

    def take_until(self, ending):
        """Return the bytes before *ending*, and drop *ending*."""
        start = 0
        while (end := self.received.find(ending, start)) < 0:
            start = max(0, len(self.received) - len(ending) + 1)
            self._more()
        data, self.received = self.received[:end], self.received[end + len(ending) :]
        return data

    def take_line(self):
        """Return (a line without its end, False), or (what comes before CTRL-D, True)."""
        start = 0
        while True:
            ends = [self.received.find(ending, start) for ending in (b"\n", CTRL_D)]
            ends = [end for end in ends if end >= 0]
            if ends:
                break
            start = len(self.received)
            self._more()
        end = min(ends)
        is_last = self.received[end : end + 1] == CTRL_D
        data, self.received = self.received[:end], self.received[end + 1 :]
        return data, is_last

    def _more(self):
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.received += self.link.read(left)


class ServerRepl:
    """Talks to SERVER, run by a MicroPython without a raw REPL."""

    def __init__(self, link):
        self._stream = _Stream(link)

    def exec(self, code, timeout):
        """Run *code* and return what it printed.

        Raises ExecError if it raised, TargetError without a reply in *timeout* seconds.
        """
        with self._deadline(timeout):
            self._send(code.encode())
            output = _text(self._stream.take_until(CTRL_D))
            self._end(output)
        return output

    def follow(self, code, take, quiet):
        """Run *code* and give each line that it prints to take(line), as it comes.

        The first Ctrl-C of the user interrupts the code on the target, and its last lines are
        still taken. Raises ExecError if it raised, TargetError without a line for *quiet* seconds.
        """
        with self._deadline(quiet):
            self._send(code.encode())
        is_last, is_interrupted = False, False
        while not is_last:
            try:
                with self._deadline(quiet):
                    line, is_last = self._stream.take_line()
                take(_text(line).rstrip("\r"))
            except KeyboardInterrupt:
                if is_interrupted:
                    raise
                is_interrupted = True
                self._stream.link.write(CTRL_C)
        with self._deadline(quiet):
            self._end("")

    def _end(self, output):
        """Take what follows the output. Raises ExecError if that is a traceback."""
        traceback = _text(self._stream.take_until(CTRL_D))
        self._finish()
        if traceback:
            raise ExecError(traceback.strip(), output)

    @contextmanager
    def _deadline(self, timeout):
        self._stream.start(timeout)
        try:
            yield
        except TimeoutError:
            problem = f"no reply in {timeout} s"
        except (EOFError, OSError):
            problem = "it stopped"
        else:
            return
        raise TargetError(problem + _quote(_text(self._stream.received)))

    def _send(self, code):
        self._stream.link.write(b"%d\n" % len(code) + code)

    def _finish(self):
        pass


class RawRepl(ServerRepl):
    """Talks to a board's raw REPL."""

    def enter(self, timeout):
        """Interrupt the running program, reset the board softly and enter the raw REPL."""
        with self._deadline(timeout):
            while not self._ask_for_raw():
                pass
            self._stream.link.write(CTRL_D)
            self._stream.take_until(REBOOT)
            self._stream.take_until(BANNER)

    def _ask_for_raw(self):
        """Ask once; return whether the banner came. A board that is booting may miss it."""
        stream = self._stream
        stream.link.write(b"\r" + CTRL_C + CTRL_C + b"\r" + CTRL_A)
        latest = stream.deadline
        stream.deadline = min(latest, time.monotonic() + ASK_SECONDS)
        try:
            stream.take_until(BANNER)
        except TimeoutError:
            if time.monotonic() >= latest:
                raise
            return False
        finally:
            stream.deadline = latest
        return True

    def leave(self):
        """Interrupt the running program and go back to the friendly REPL."""
        self._stream.link.write(b"\r" + CTRL_C + CTRL_C + CTRL_B)

    def _send(self, code):
        self._stream.link.write(PASTE_REQUEST)
        if self._stream.take(2) == PASTE_ACCEPTED:
            self._paste(code)
        else:
            self._stream.take_until(b">")
            self._stream.link.write(code + CTRL_D)
            self._stream.take_until(b"OK")

    def _paste(self, code):
        """Send *code* a window at a time: the board grants another as it consumes one.

        It ends with the board's CTRL-D: it has all of the code, or has found a syntax error.
        """
        window = int.from_bytes(self._stream.take(2), "little")
        granted = window
        while code:
            while granted == 0 or self._stream.received:
                if self._stream.take(1) == CTRL_D:
                    self._stream.link.write(CTRL_D)
                    return
                granted += window
            self._stream.link.write(code[:granted])
            code, granted = code[granted:], max(0, granted - len(code))
        self._stream.link.write(CTRL_D)
        self._stream.take_until(CTRL_D)

    def _finish(self):
        self._stream.take_until(b">")  # the next prompt


def _text(data):
    return data.decode(errors="replace").replace("\r\n", "\n")


def _quote(text):
    text = text.strip()
    return "; its output ends with:\n" + text[-TAIL:] if text else ""
