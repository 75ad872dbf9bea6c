"""Writes models to a board: checks first, never leaves a part of a model that loads, proves all.

    with SerialTarget(port, ()) as target:
        plan = Plan(target, paths)      # raises before anything is written
        plan.write(advance)
        results = plan.prove()

deploy_device.py is what runs on the board. Where it has a ROMFS partition, that is replaced as a
whole; elsewhere the models become files.
"""

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path

from tflm import backends
from tflm.base.arena import Arena
from tflm.base.errors import ModelError, UnsupportedOpError
from tflm.interpreter import Interpreter
from tflm.model import Model
from tflm.schema import OP_CUSTOM

from ..model.descriptions import companions
from ..model.files import read_model
from ..model.flash_cache import CHIPS
from ..model.kernels import kernels_run_by
from ..model.loading import heap_besides, in_pieces
from ..prepare.proof import proven
from ..targets.answers import (
    answers,
    below,
    is_count,
    is_hex,
    is_number,
    is_size,
    is_text,
    one_of,
)
from ..targets.device import deploy_device, script
from ..targets.repl import ExecError, RawRepl, TargetError
from ..targets.romfs import build_romfs
from . import verdicts

BOOT_SECONDS = 30
PROVE_SECONDS = 600
FILE_CHUNK = 3072


FACTS = {
    "version": is_text,
    "backends": [one_of("c", "viper"), ...],
    "old": [is_text, ...],
    "build": (None, [is_text, is_count]),
    "flash": (None, is_count),
    "room": (None, is_count),
    "folder": is_text,
    "in_place": bool,
}
PROOF = {
    "model": is_hex,
    "outputs": [is_hex, ...],
    "microseconds": is_number,
    "in_flash": bool,
    "arena": is_count,
    "backend": one_of("c", "viper"),
}


class DeployError(TargetError):
    """A model that the board cannot take, or a write that was not completed."""


@dataclass
class Companion:
    """A file that goes beside a model: a .json of microWakeWord, a .sample, or .features."""

    name: str
    data: bytes


@dataclass
class Item:
    """One model: what it needs, and where it goes."""

    name: str
    data: bytes
    arenas: tuple  # bytes of arena in each memory
    ops: list  # of (builtin code or custom name, version)
    kernels: list  # names of the kernels that run its nodes
    build: list | None  # [kernels, layout] of the builds that a prepared model is for
    besides: int  # bytes of heap beside the arena, while it loads
    flash: int | None = None  # key of CHIPS that a prepared model is for
    note: str = ""  # how a prepared model runs where nothing trusts it, or on another board

    @property
    def arena(self):
        return sum(self.arenas)

    @classmethod
    def read(cls, path):
        path = Path(path)
        try:
            data, why = proven(read_model(path))
            item = cls.of_model(path.name, data)
        except UnsupportedOpError as error:
            raise UnsupportedOpError(f"{path}: {error}") from error
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error
        if why:  # in /rom it would be trusted as firmware is
            raise DeployError(
                f"{path}: the prepared part {why}. Prepare it again with this version of tflm,"
                " or deploy the unprepared .tflite"
            )
        return item

    @classmethod
    def of_model(cls, name, data, prepared=True):
        """Return the Item of the file *data*; *prepared* as of tflm.Model."""
        interp = Interpreter(Model(data, prepared=prepared), Arena(), measure=True)
        kernels = kernels_run_by(interp)
        found = {
            (op.custom_name if op.builtin == OP_CUSTOM else op.builtin, op.version)
            for op in interp.model.operators()
        }
        snapshot = interp.model.snapshot
        build = [snapshot.isa, snapshot.layout] if snapshot else None
        besides = heap_besides(interp.model, interp.arena_report())
        need = interp.arena.used_in_each()
        flash = snapshot.flash if snapshot else None
        return cls(name, data, need, sorted(found, key=str), kernels, build, besides, flash)

    def outside_rom(self):
        """Return the Item of the same file outside of /rom, where no board trusts it."""
        if self.build is None:
            return self
        item = type(self).of_model(self.name, self.data, prepared=False)
        item.note = (
            f"{self.name} runs there as an unprepared model, in {item.arena:,} bytes of arena"
            f" instead of {self.arena:,}. Outside of /rom a board trusts prepared data only with"
            " tflm.Interpreter(path, prepared=True)"
        )
        return item


def _refuse(why):
    """Raise DeployError where *why* says something."""
    if why:
        raise DeployError(why)


def _no_progress(_nbytes):
    pass


class Plan:
    """The files to write, and their places. The constructor only checks, and writes nothing."""

    def __init__(self, target, paths, folder=""):
        """paths: of models, of .json files of microWakeWord, which bring theirs, and .features."""
        self.target = target
        self._renames = 0  # begun by write()
        models, beside = companions(paths)
        self.items = [Item.read(path) for path in models]
        self.companions = [Companion(path.name, path.read_bytes()) for path in beside]
        names = self.names
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise DeployError(f"two files are called {', '.join(twice)}")
        self._send_driver()
        self.facts = self._call(f"look({folder!r})", FACTS)
        self.in_place = self.facts["in_place"]
        self.folder = self.facts["folder"]
        self.image = build_romfs([(file.name, file.data) for file in self.files])
        self.total = len(self.image) if self.in_place else sum(len(f.data) for f in self.files)
        _refuse(verdicts.of_version(self.facts) or verdicts.of_room(self.facts, self.total))
        for item in self.items:
            self._check_build(item)
        if not self.in_place:
            self.items = [item.outside_rom() for item in self.items]
        for item in self.items:
            self._check(item)

    @property
    def files(self):
        """Every file that is written, models first."""
        return [*self.items, *self.companions]

    @property
    def names(self):
        return [file.name for file in self.files]

    @property
    def replaced(self):
        """The files that write() removes or replaces: names in `folder`, sorted."""
        return verdicts.replaced(self.facts, self.names)

    @property
    def losses(self):
        """The files that write() destroys, as a sentence; None if there are none."""
        return verdicts.losses(self.facts, self.names)

    def path(self, file):
        return f"{self.folder.rstrip('/')}/{file.name}"

    def write(self, advance=_no_progress):
        """Write everything, calling advance(bytes) as it goes. Raises DeployError."""
        write = self._write_rom if self.in_place else self._write_files
        self._renames = 0
        try:
            write(advance)
        except DeployError:
            raise
        except KeyboardInterrupt:
            raise DeployError(f"interrupted: {self._state()}; deploy again") from None
        except (TargetError, OSError, EOFError) as error:
            reason = (str(error).strip() or "unplugged").splitlines()[-1]  # of a traceback
            raise DeployError(
                f"writing failed: {reason}: {self._state()}; deploy again"
            ) from error

    def _state(self):
        """Return a text: the files that are on the board after an interrupted write()."""
        if self.in_place:
            return verdicts.NO_IMAGE
        if not self._renames:
            return f"what was in {self.folder} before is still there"
        names = self.names
        new, doubtful, old = (
            names[: self._renames - 1],
            names[self._renames - 1],
            names[self._renames :],
        )
        parts = [f"new are {', '.join(new)}"] if new else []
        parts.append(f"{doubtful} may be new, as before or missing")
        parts += [f"as before are {', '.join(old)}"] if old else []
        return f"in {self.folder} " + "; ".join(parts)

    def prove(self):
        """Reset the board, load each model and run it once; return what the board said."""
        if isinstance(self.target.repl, RawRepl):
            self.target.repl.enter(BOOT_SECONDS)
        self._send_driver()
        return [self._prove(item) for item in self.items]

    # Checks

    def _send_driver(self):
        try:
            self.target.exec("import tflm, hashlib, binascii, json")
        except ExecError as error:
            reason = error.traceback.splitlines()[-1]
            raise DeployError(f"{self.target.name}: no tflm on this board ({reason})") from None
        self.target.exec(script("deploy_device"))

    def _call(self, code, form):
        """Run one function of deploy_device.py and return what it emitted, which has *form*."""
        printed = self.target.exec(code, PROVE_SECONDS)
        for answer in answers(self.target.name, printed, form):
            return answer
        raise TargetError(f"{self.target.name}: no reply to {code[:40]}: {printed[-200:]}")

    def _check_build(self, item):
        if item.build and item.build != self.facts["build"]:
            raise DeployError(
                f"{item.name}: prepared for {item.build[0]} kernels of builds with layout"
                f" {item.build[1]:x}, the board has {_build_name(self.facts['build'])}:"
                " prepare it with --target of this port"
            )
        if None not in (item.flash, self.facts["flash"]) and item.flash != self.facts["flash"]:
            item.note = (
                f"{item.name} was prepared for {CHIPS[item.flash]}, this board has"
                f" {CHIPS[self.facts['flash']]}: it runs, but may be slower than prepared for it"
            )

    def _check(self, item):
        sizes = [*item.arenas, *in_pieces(item.besides)]
        if not self.in_place:
            sizes.insert(0, len(item.data))
        form = {"missing": [(below(len(item.ops)), is_text), ...], "fits": bool, "free": is_count}
        answer = self._call(f"check({item.ops!r}, {item.kernels!r}, {sizes!r})", form)
        missing = verdicts.missing(answer, item.ops)
        if missing:
            raise UnsupportedOpError(
                f"{item.name}: the firmware of the board lacks {', '.join(missing)}"
            )
        size = 0 if self.in_place else len(item.data)
        why = verdicts.of_heap(answer, size, item.arena, item.besides)
        _refuse(why and f"{item.name}: {why}")

    # Writing

    def _write_rom(self, advance):
        image = self.image
        chunk = self._call(f"begin({len(image)})", is_size)
        padded = image + b"\xff" * (-len(image) % chunk)
        for offset in range(chunk, len(padded), chunk):
            self._send("write", offset, padded[offset : offset + chunk])
            advance(min(chunk, len(image) - offset))
        self._compare("digest", chunk, len(padded), padded[chunk:])
        self._send("write", 0, padded[:chunk])
        self.target.exec("rom.complete()")
        advance(min(chunk, len(image)))
        try:
            self._compare("digest", 0, len(image), image)
        except DeployError:
            self._call(f"begin({len(image)})", is_size)  # no header, no image
            raise

    def _send(self, function, where, data):
        text = base64.b64encode(data).decode()
        self.target.exec(f"{function}({where!r}, {text!r})")

    def _compare(self, function, start, end, data):
        found = self._call(f"{function}({start}, {end})", is_hex)
        if found != hashlib.sha256(data).hexdigest():
            raise DeployError(
                f"bytes {start} to {end} of the ROMFS partition read back differently;"
                " it holds no image now and must be rewritten: deploy again"
            )

    def _write_files(self, advance):
        for file in self.files:
            path = self.path(file)
            for start in range(0, len(file.data), FILE_CHUNK):
                part = file.data[start : start + FILE_CHUNK]
                text = base64.b64encode(part).decode()
                self.target.exec(f"append({path!r}, {'ab' if start else 'wb'!r}, {text!r})")
                advance(len(part))
            found = self._call(f"file_digest({path!r})", is_hex)
            if found != hashlib.sha256(file.data).hexdigest():
                raise DeployError(f"{path} reads back differently: the old files are still there")
        for file in self.files:
            self._renames += 1  # whether one that is stopped took place, nobody knows
            self.target.exec(f"rename({self.path(file)!r})")

    # Proof

    def _prove(self, item):
        answer = self._call(f"prove({self.path(item)!r})", PROOF)
        answer["path"] = self.path(item)
        if answer["model"] != hashlib.sha256(item.data).hexdigest():
            raise DeployError(f"{item.name}: the board reads other bytes than were written")
        expected = expected_outputs(item.data)
        answer["checked"] = expected is not None
        if expected not in (None, answer["outputs"]):
            raise DeployError(f"{item.name}: the board's output differs from this machine's")
        return answer


def expected_outputs(model):
    """Return the digests of the outputs that prove() must find; None without kernels here."""
    if not backends():
        return None
    interp = Interpreter(Model(model, prepared=False))  # it may be for the board's kernels
    for tensor in interp.inputs:
        deploy_device.fill(tensor.data)
    interp.invoke()
    return [hashlib.sha256(bytes(tensor.data)).hexdigest() for tensor in interp.outputs]


def _build_name(build):
    return f"{build[0]} ones with layout {build[1]:x}" if build else "none in C"
