"""A shell in a pseudo-terminal: a test types lines, as a person does, and reads what comes."""

import os
import pty
import re
import select
import signal
import time

SECONDS = 600  # within which a command ends
QUIET = 0.3  # seconds without a byte, after which a prompt is the last one
IDLE = 2  # seconds after which a person presses Enter to see a prompt
READ = 65536
SHELL, BOARD = "$", ">>>"  # the prompts
SEEN = {  # the shell's with the status of the last command
    SHELL: re.compile(rb"(?:\(\S+\) )?\[(?P<status>\d+)\] \$ ", re.MULTILINE),
    BOARD: re.compile(rb"^>>> ", re.MULTILINE),
}
AT_END = {prompt: re.compile(seen.pattern + rb"\Z", re.MULTILINE) for prompt, seen in SEEN.items()}
LEAVE = b"\x1d"  # Ctrl-], with which a person leaves a board's prompt
CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")  # colours and moves of the cursor
WORDS = {"TERM": "dumb", "PS1": "[$?] $ ", "COLUMNS": "88", "LANG": "C.UTF-8"}


class StoppedError(Exception):
    """A command did not come to its end."""


class Terminal:
    """A shell that starts in *folder* and knows nothing but *environment*."""

    def __init__(self, folder, environment):
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            shell = ["bash", "--noprofile", "--norc", "--noediting", "-i"]
            os.execvpe("bash", shell, {**environment, **WORDS})
        self._prompt = SHELL
        self.status = 0  # of the last command
        self._read_until(SHELL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self._pid, signal.SIGHUP)  # which the shell passes on to what it started
        os.close(self._end)
        os.waitpid(self._pid, 0)

    def type(self, line, follows=SHELL):
        """Type *line*; return what is printed until the prompt *follows*."""
        os.write(self._end, line.encode() + b"\r")
        printed = self._read_until(follows, waits=follows != self._prompt)
        self._prompt = follows
        return printed.partition("\n")[2]  # behind the echo

    def leave(self):
        """Leave a board's prompt, where the terminal is in one."""
        if self._prompt == BOARD:
            os.write(self._end, LEAVE)
            self._read_until(SHELL)
            self._prompt = SHELL

    def _read_until(self, prompt, waits=False):
        """Return what comes before *prompt*.

        Enter is typed when nothing comes, if the prompt *waits* for it, or if a program in the
        background has written behind the prompt.
        """
        data, ends, quiet = b"", time.monotonic() + SECONDS, time.monotonic() + IDLE
        while True:
            found = AT_END[prompt].search(data)
            if select.select([self._end], [], [], QUIET)[0]:
                data = (data + self._read()).replace(b"\r\n", b"\n")
                quiet = time.monotonic() + IDLE
            elif found:
                self.status = int(found.groupdict().get("status", 0))
                return CODES.sub("", data[: found.start()].decode(errors="replace"))
            elif time.monotonic() > ends:
                raise StoppedError(data.decode(errors="replace"))
            elif time.monotonic() > quiet and (waits or SEEN[prompt].search(data)):
                os.write(self._end, b"\r")
                quiet = time.monotonic() + IDLE

    def _read(self):
        try:
            return os.read(self._end, READ)
        except OSError:
            raise StoppedError("the shell ended") from None
