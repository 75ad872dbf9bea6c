"""The problem of a planner: the buffers of a model, or of a CSV file.

A model's problem is the one that its own allocator gives to the planner on the device.
"""

import csv
from dataclasses import dataclass, replace
from io import StringIO

from tflm.base.arena import Arena
from tflm.base.errors import ModelError
from tflm.base.layout import ALIGNMENT
from tflm.interpreter import Interpreter
from tflm.memory.planner import ONLINE, overlap
from tflm.run.recording import Recording

from ..model.files import write_file
from .reference_counts import reference_counts

COLUMNS = (("id", "buffer"), ("lower", "start"), ("upper", "end"), ("size",))
OFFSET = "offset"  # the column that a solution adds


class CsvError(Exception):
    """A CSV file that is no planning problem, with the line that is wrong."""


@dataclass(frozen=True)
class Problem:
    """Buffers and overlaps as tflm.memory.planner describes them.

    names  one per buffer
    owners  (subgraph, tensor) or ("scratch", index), one per buffer
    unit  bytes in the file's unit. Sizes of a CSV file need not be multiples of the alignment, so
          each of its units counts as ALIGNMENT bytes here
    """

    buffers: tuple
    overlaps: tuple = ()
    names: tuple = ()
    owners: tuple = ()
    unit: int = 1

    def fixed(self, offsets):
        """Return this problem with its tensors at *offsets*; scratch buffers stay free."""
        buffers = [
            (*buffer[:3], ONLINE if owner[0] == "scratch" else offset)
            for buffer, owner, offset in zip(self.buffers, self.owners, offsets, strict=True)
        ]
        return replace(self, buffers=tuple(buffers))

    def by_reference_counts(self, model, preserve_inputs=False, preserve_intermediates=False):
        """Return this problem of *model* with ArenaPlanner's lifetimes in its first subgraph.

        What lives longer that way is no longer overwritten by the output of its reader.
        """
        end = max((last for _, _, last, _ in self.buffers), default=0) + 1  # after the last node
        counted = reference_counts(model.subgraphs[0], preserve_inputs, preserve_intermediates)
        buffers = []
        for buffer, (subgraph, tensor) in zip(self.buffers, self.owners, strict=True):
            size, first, last, fixed = buffer
            if subgraph == 0 and tensor in counted:
                counted_last = counted[tensor][1]
                last = max(last, end if counted_last is None else counted_last)
            buffers.append((size, first, last, fixed))
        overlaps = [o for o in self.overlaps if buffers[o[1]][2] == self.buffers[o[1]][2]]
        return replace(self, buffers=tuple(buffers), overlaps=tuple(overlaps))


def of_model(model):
    """Return the Problem that the device's planner gets for *model*, a tflm.Model."""
    caught = []

    def catch(buffers, overlaps=()):
        caught[:] = tuple(buffers), tuple(overlaps)
        return overlap(buffers, overlaps)

    interpreter = Interpreter(model, planner=catch, measure=True)
    if not caught:
        raise ModelError("too many buffers are in use at one moment to search a plan")
    allocator = interpreter.measure(Arena(None, Recording()))
    owners = tuple(owner for owner, _, _ in allocator.placed)
    names = tuple(_name(model, allocator, owner) for owner in owners)
    return Problem(*caught, names, owners)


def _name(model, allocator, owner):
    kind, index = owner
    if kind == "scratch":
        return f"scratch of node {allocator.scratch[index][2]}"
    return model.subgraphs[kind].tensor(index).name


def read_csv(path):
    """Return the Problem in a CSV file of minimalloc's format.

    Columns: id, lower, upper, size (or buffer, start, end, size); a buffer lives from lower up to
    but not at upper. An offset that is there is a solution's, and not read.
    """
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns = [_column(path, reader.fieldnames or [], names) for names in COLUMNS]
        unknown = set(reader.fieldnames) - set(columns) - {OFFSET}
        if unknown:
            raise CsvError(f"{path}: columns {sorted(unknown)} are not supported")
        rows = [_row(path, reader.line_num, row, columns) for row in reader]
    names, buffers = zip(*rows, strict=True) if rows else ((), ())
    return Problem(
        buffers, names=names, owners=tuple((0, i) for i in range(len(rows))), unit=ALIGNMENT
    )


def _column(path, present, names):
    for name in names:
        if name in present:
            return name
    raise CsvError(f"{path}: no column {' or '.join(names)} in {present}")


def _row(path, line, row, columns):
    name, *figures = (row[column] for column in columns)
    try:
        lower, upper, size = map(int, figures)
    except (TypeError, ValueError):
        raise CsvError(f"{path}:{line}: {figures} are not three integers") from None
    if size < 0 or upper <= lower:
        raise CsvError(f"{path}:{line}: size {size} from {lower} to {upper} is no buffer")
    return name, (size * ALIGNMENT, lower, upper - 1, ONLINE)


def write_csv(path, problem, offsets):
    """Write *problem* and its solution *offsets* in the format that read_csv reads."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*(names[0] for names in COLUMNS), OFFSET])
    for name, buffer, offset in zip(problem.names, problem.buffers, offsets, strict=True):
        size, first, last, _ = buffer
        figures = first, last + 1, size // problem.unit, offset // problem.unit
        writer.writerow([name, *figures])
    write_file(path, file.getvalue())
