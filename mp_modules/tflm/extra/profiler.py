"""The time of nodes, and of parts of a program."""

from ..base.clock import ticks_diff, ticks_us
from ..base.errors import StateError
from ..run.report import place_of


def profile(interpreter, runs, profiler):
    """Return the rows described in `Interpreter.profile`."""
    rows, known = [], {}  # [place, name, microseconds, bytes], by (subgraph, node) in `known`
    hook, graph = interpreter.on_node, interpreter.graph
    start = 0

    def note(i):
        nonlocal start
        elapsed = ticks_diff(ticks_us(), start)
        s = graph.current_subgraph
        row = known.get((s, i))
        if row is None:
            subgraph = interpreter.model.subgraphs[s]
            operator = subgraph.operator(i)
            nbytes = sum([subgraph.tensor(t).nbytes for t in operator.outputs])
            row = known[s, i] = [place_of(s, i), operator.name, 0, nbytes]
            rows.append(row)
        row[2] += elapsed
        if profiler is not None:
            profiler.note(row[1], elapsed)
        start = ticks_us()

    interpreter.on_node = note
    try:
        for _ in range(runs):
            start = ticks_us()
            interpreter._begin_anyhow()  # time depends on no input
            interpreter.invoke()
    finally:
        interpreter.on_node = hook
    return [tuple(row) for row in rows]


class Profiler:
    """Times the code in `with profiler("tag"):`, even with a locked heap.

    events  maximum number of events; `lost` counts the events beyond it
    """

    def __init__(self, events=64):
        self._tags = [None] * events
        self._ticks = [0] * events
        self._open = [0] * events  # events that have begun, the latest last, and when
        self._starts = [0] * events
        self.clear()

    def clear(self):
        """Forget all events."""
        self._count = self._depth = self.lost = 0

    def __len__(self):
        return self._count

    def note(self, tag, microseconds):
        """Enter an event that took *microseconds*; return its number, -1 if it is lost."""
        i = self._count
        if i == len(self._tags):
            self.lost += 1
            return -1
        self._tags[i] = tag
        self._ticks[i] = microseconds
        self._count = i + 1
        return i

    def __call__(self, tag):
        depth = self._depth
        if depth == len(self._open):
            raise StateError("a Profiler of %d events has no room for more" % depth)
        self._open[depth] = self.note(tag, 0)
        self._depth = depth + 1
        return self

    def __enter__(self):
        self._starts[self._depth - 1] = ticks_us()
        return self

    def __exit__(self, kind, value, traceback):
        now = ticks_us()
        self._depth -= 1
        i = self._open[self._depth]
        if i >= 0:
            self._ticks[i] = ticks_diff(now, self._starts[self._depth])

    def events(self):
        """Return [(tag, microseconds)], in the order in which they began."""
        return [(self._tags[i], self._ticks[i]) for i in range(self._count)]

    def totals(self):
        """Return [(tag, microseconds, events)] of each tag, in the order of their first events."""
        rows = {}
        for i, (tag, ticks) in enumerate(self.events()):
            first, total, count = rows.get(tag, (i, 0, 0))
            rows[tag] = first, total + ticks, count + 1
        return [(self._tags[row[0]],) + row[1:] for row in sorted(rows.values())]

    def csv(self, totals=False):
        """Return the events, or the totals by tag, as text with a line for each."""
        if totals:
            lines = ["tag,microseconds,events"] + ["%s,%d,%d" % row for row in self.totals()]
        else:
            lines = ["event,tag,microseconds"]
            lines += ["%d,%s,%d" % ((i,) + row) for i, row in enumerate(self.events())]
        return "\n".join(lines) + "\n"
