"""Whether a memory plan works, by acting it out on a memory of labels, byte group by byte group.

Independent of planners and of plan_check: it knows no rule about what may overlap, only who
writes and who reads which bytes when.
"""

CELL = 4  # bytes with one label: all sizes, offsets and gaps here are multiples of it
ALIGNMENT = 16
SECOND = 1 << 28  # offsets from here on are of the second memory


def is_sound(buffers, offsets, height, overlaps, spilled=0):
    """Return whether every buffer keeps what was written to it until it was read last.

    height, spilled  bytes of the first memory, and at the start of the second
    """
    if len(offsets) != len(buffers):
        return False
    for (size, _, _, fixed), offset in zip(buffers, offsets, strict=True):
        is_second = offset >= SECOND
        end = offset + size - SECOND * is_second
        if offset < 0 or end > (spilled if is_second else height):
            return False
        if fixed == -1 and offset % ALIGNMENT:
            return False
        if fixed not in (-1, offset) or offset % CELL:
            return False
    return _Play(buffers, offsets, overlaps).succeeds()


class _Play:
    """A memory as {cell: label}; a label is (buffer, cell within it)."""

    def __init__(self, buffers, offsets, overlaps):
        self.buffers = buffers
        self.starts = [offset // CELL for offset in offsets]
        self.cells = [size // CELL for size, _, _, _ in buffers]
        self.inputs = {}  # output: [(input, gap in cells)]
        for output, data, distance in overlaps:
            self.inputs.setdefault(output, []).append((data, distance // CELL))
        self.memory = {}

    def succeeds(self):
        moments = sorted({first for _, first, _, _ in self.buffers})
        return all(self._moment(moment) for moment in moments)

    def _moment(self, moment):
        live = [i for i, b in enumerate(self.buffers) if b[1] <= moment <= b[2]]
        born = [i for i in live if self.buffers[i][1] == moment]
        used_up = set()
        for i in born:
            if i not in self.inputs:
                self._write(i, range(self.cells[i]))
        for i in born:
            if i in self.inputs:
                used_up.update(data for data, _ in self.inputs[i])
                if not self._use_up(i):
                    return False
        return all(self._holds(i, range(self.cells[i])) for i in live if i not in used_up)

    def _use_up(self, output):
        """Write *output*, reading each input as late as its gap allows."""
        for cell in range(self.cells[output]):
            for data, distance in self.inputs[output]:
                due = cell - distance
                if 0 <= due < self.cells[data] and not self._holds(data, (due,)):
                    return False
            self._write(output, (cell,))
        for data, distance in self.inputs[output]:
            left = range(max(self.cells[output] - distance, 0), self.cells[data])
            if not self._holds(data, left):
                return False
        return True

    def _write(self, i, cells):
        for cell in cells:
            self.memory[self.starts[i] + cell] = i, cell

    def _holds(self, i, cells):
        return all(self.memory.get(self.starts[i] + cell) == (i, cell) for cell in cells)
