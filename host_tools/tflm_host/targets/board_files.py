"""Files under test on a real board, for as long as a session lasts; nothing there is replaced.

A file that /rom holds already, byte for byte, is used there. All others go to RAM. Other files
than models may go to a file of their own, which is removed afterwards. For a model that would save
nothing, because the board reads it into RAM.
"""

import base64
import hashlib
from contextlib import suppress

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.model import Model

from ..model.loading import heap_besides, in_pieces
from .answers import refuse
from .device import script
from .repl import ExecError, TargetError

CHUNK = 3072
_DIGITS = 20  # a number with as many is enough
SPARE = 4096  # bytes that stay free on a filesystem


class NoRoom(TargetError):
    """A real board's RAM, or an emulated board's /rom, does not hold the files."""


class BoardFiles:
    """Puts *files*, pairs of (name, bytes), onto the board behind *target*.

    sources  {name: an expression that is the file's path there, or its bytes}
    Raises NoRoom, with the board as it was before.
    """

    def __init__(self, target, files):
        self._target = target
        self.written = []  # paths of our own files
        self.sources = {}
        target.exec("import tflm")  # before room is counted: it takes some
        target.exec(script("files_device"))
        left = [file for file in files if not self._is_there(*file)]
        if left:
            self._place(left, max((_needs_of(data) for _, data in files), default=[0], key=sum))

    def remove(self):
        """Remove the files that were made."""
        while self.written:
            with suppress(ExecError):  # it could not be made
                self._target.exec(f"os.remove({self.written.pop()!r})")

    def _is_there(self, name, data):
        path = "/rom/" + name
        found = self._target.exec(f"has({path!r}, {len(data)})").strip()
        if found != hashlib.sha256(data).hexdigest():
            return False
        self.sources[name] = repr(path)
        return True

    def _place(self, files, besides):
        others = [file for file in files if not sum(_needs_of(file[1]))]
        models = [file for file in files if file not in others]
        if self._fits(files, besides):
            return self._hold(files)
        if others and self._fits(models, besides) and self._write(others):
            return self._hold(models)
        nbytes = sum(len(data) for _, data in files)
        raise NoRoom(
            f"{self._target.name}: {nbytes:,} bytes of files and {sum(besides):,} for arena and"
            " interpreter do not fit into its RAM"
        )

    def _fits(self, files, besides):
        sizes = [len(data) for _, data in files] + besides
        return self._target.exec(f"fits({sizes!r})").strip() == "True"

    def _hold(self, files):
        for name, data in files:  # all before the first one is filled: the heap is in one piece
            self._target.exec(f"hold({name!r}, {len(data)})")
        for name, data in files:
            for start in range(0, len(data), CHUNK):
                text = base64.b64encode(data[start : start + CHUNK]).decode()
                self._target.exec(f"put({name!r}, {start}, {text!r})")
            self.sources[name] = f"held[{name!r}]"

    def _write(self, files):
        """Write *files* to the board's filesystem; return whether it has one with the room."""
        try:
            for name, data in files:
                answer = self._target.exec("spare()").split()
                if len(answer) != 2 or not answer[1].isdecimal():
                    refuse(self._target.name, answer)
                path, free = answer
                if len(free) < _DIGITS and int(free) < len(data) + SPARE:
                    self.remove()
                    return False
                self.written.append(path)
                for start in range(0, max(len(data), 1), CHUNK):
                    text = base64.b64encode(data[start : start + CHUNK]).decode()
                    self._target.exec(f"append({path!r}, {text!r})")
                self.sources[name] = repr(path)
        except ExecError:  # read-only, full, or none
            self.remove()
            return False
        return True


def _needs_of(data):
    """Return the sizes of arena and other heap of the model *data*; [0] where none can run."""
    try:
        interp = Interpreter(Model(data, prepared=True), measure=True)
    except ModelError:
        return [0]
    besides = heap_besides(interp.model, interp.arena_report())
    return [*interp.arena.used_in_each(), *in_pieces(besides)]
