"""Prove that a prepared file is a result of `tflm prepare`: anybody can forge a checksum.

The proof prepares the file's own graph again, with the kernels and options that the file notes,
and compares bytes. A snapshot that tells kernels to write elsewhere never results from that. A
file that does not prove is an unprepared model.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from tflm.base.errors import ArenaError, ModelError
from tflm.file.flatbuffer import vector
from tflm.model import PREPARED, Model

from ..generate.sources import isa_names
from ..places import CACHE, MODULES, PACKAGE, SOURCES
from ..plan.optimal import SolverMissing
from . import KernelsMissingError, prepare
from .options import options_of

PROOFS = CACHE / "proofs"
UNPROVEN = b"TFLM_UNPROVEN"  # as long as PREPARED; no end of it begins PREPARED, nor the reverse


@dataclass(frozen=True)
class Doubt:
    """Why the proof of a prepared file fails.

    is_foreign  whether it differs from the file that its graph gives. False: this machine cannot
                prepare that file again
    """

    reason: str
    is_foreign: bool

    def __str__(self):
        if self.is_foreign:
            return f"is not genuine: {self.reason}"
        return f"cannot be proven here: {self.reason}"


def proven(data):
    """Return (data, None) of an unprepared model, or a prepared one that proves.

    If it does not prove, return (the file with the snapshot's name overwritten, the Doubt).
    Raises ModelError if the graph is malformed.
    """
    model = Model(data, prepared=False)
    if not model.metadata_entry(PREPARED)[0]:
        return data, None
    note = PROOFS / hashlib.sha256(_tools() + data).hexdigest()
    if note.exists():
        return data, None
    doubt = _doubt(data)
    if doubt:
        return without_snapshot(data), doubt
    _remember(note)
    return data, None


def _doubt(data):
    """Return the Doubt about the prepared model *data*, None where it proves."""
    try:
        snapshot = Model(data, prepared=True).snapshot
        if snapshot is None:
            return Doubt("it lies at no multiple of 4 bytes", True)
        isa, options = snapshot.isa, options_of(snapshot)
        if isa not in isa_names():
            return Doubt(f"it is for {isa!r} kernels, which this version does not have", False)
        again = prepare(data, isa, **options)
    except ArenaError:
        return Doubt("no plan has as little of the first memory as it notes", True)
    except (SolverMissing, KernelsMissingError, MemoryError) as error:
        return Doubt(str(error) or "it takes more memory than there is", False)
    except ValueError as error:  # ModelError is one, and so is the error of text that is not ASCII
        return Doubt(str(error), True)
    if again != bytes(data):
        return Doubt("it is not what this version of tflm prepare makes", True)
    return None


def without_snapshot(data):
    """Return the file *data* with no metadata that is called PREPARED; positions stay.

    Raises ModelError where other metadata are malformed.
    """
    out = bytearray(data)
    try:
        while Model(out, prepared=False).metadata_entry(PREPARED)[0]:
            model = Model(bytes(out), prepared=False)
            for field, _, _ in model._metadata_entries():
                at, size = vector(model.buf, field, 1)
                if model.buf[at : at + size] == PREPARED.encode():
                    out[at : at + size] = UNPROVEN
    except ModelError:
        raise
    except ValueError as error:
        raise ModelError(f"metadata: {error}") from None
    return bytes(out)


@lru_cache
def _tools():
    """Return a digest of everything that affects a prepared file."""
    total = hashlib.sha256()
    try:
        total.update(version("ortools").encode())
    except PackageNotFoundError:
        total.update(b"none")
    for root, pattern in ((PACKAGE, "*.py"), (MODULES / "tflm", "*.py"), (SOURCES, "*.[ch]")):
        for path in sorted(root.rglob(pattern)):
            total.update(path.read_bytes())
    return total.digest()


def _remember(note):
    """Keep *note*, whose name only the very bytes that proved give."""
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()
    except OSError:
        pass  # proved again next time
