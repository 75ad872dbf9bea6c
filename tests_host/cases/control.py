"""Nets of IF, WHILE, CALL_ONCE and resource variables in one another, of small int8 vectors."""

from functools import partial

from cases.op import Op
from support.draw.one_op import pack

DEPTH = 3  # of calls in calls
STEPS = 3  # in a subgraph, at most


class Net:
    """A net under construction: one subgraph at a time, those that it calls after it.

    Data are int8 vectors of one quantization, so that any may go anywhere. `flags` is a vector
    of bools: an IF looks at one of them, a WHILE runs as long as the first is true and moves the
    others up, so that it ends; others count.
    """

    def __init__(self, draw, counts):
        self.draw = draw
        self.counts = counts  # whether there are loops that count
        self.builder = draw.make_builder()
        self.size = draw.size(1, 9)
        self.flag_count = draw.size(1, 3)
        self.quant = draw.quant()
        self.waiting = []  # what writes the subgraphs that are called
        self.variables = []  # names of those that a value is assigned to
        self.values, self.flags, self.depth = [], None, 0  # of the present subgraph

    def data(self, constant=False):
        bits = self.draw.int8(self.size) if constant else None
        return self.builder.tensor([1, self.size], "INT8", self.quant, bits)

    def bools(self, count, data=None):
        return self.builder.tensor([count], "BOOL", data=data)

    def pick(self):
        return self.draw.rng.choice(self.values)

    def op(self, name, inputs, outputs, **options):
        self.builder.op(name, inputs, outputs, **options)
        self.values += [i for i in outputs if i not in self.values]

    def unary(self):
        name, options = self.draw.rng.choice((("RELU", {}), ("LEAKY_RELU", {"alpha": 0.5})))
        self.op(name, [self.pick()], [self.data()], **options)

    def binary(self):
        other = self.data(constant=True) if self.draw.odds(0.5) else self.pick()
        self.op(self.draw.rng.choice(("ADD", "MUL")), [self.pick(), other], [self.data()])

    def part(self, first, count):
        """Return *count* of the flags from *first* on."""
        limits = [
            self.builder.tensor([1], "INT32", data=pack("i", [i]))
            for i in (first, first + count, 1)
        ]
        part = self.bools(count)
        self.builder.op("STRIDED_SLICE", [self.flags, *limits], [part])
        return part

    def call(self, write):
        """Return the index of a subgraph that *write* will write, one call deeper than here."""
        self.waiting.append((write, self.depth + 1))
        return len(self.waiting)

    def branch(self):
        condition = self.part(self.draw.size(0, self.flag_count - 1), 1)
        given = [self.pick() for _ in range(self.draw.size(1, 2))]
        outputs = [self.data() for _ in range(self.draw.size(1, 2))]
        handles = [self.remember()] if self.draw.odds(0.2) else []
        write = partial(self.write, len(given), len(outputs), handles=len(handles))
        then = self.call(write)
        other = then if self.draw.odds(0.1) else self.call(write)
        inputs = [condition, *given, self.flags, *handles]
        self.op("IF", inputs, outputs, then_subgraph=then, else_subgraph=other)

    def loop(self):
        given = [self.pick() for _ in range(self.draw.size(1, 2))]
        outputs = [self.data() for _ in given]
        calls = {"cond_subgraph": self.call(partial(self.write_condition, len(given)))}
        calls["body_subgraph"] = self.call(partial(self.write, len(given), len(given), loop=True))
        left = self.bools(self.flag_count)
        self.builder.op("WHILE", [*given, self.flags], [*outputs, left], **calls)
        self.values += outputs

    def count(self):
        """Add a WHILE that counts up to a limit."""
        given = [self.pick() for _ in range(self.draw.size(1, 2))]
        outputs = [self.data() for _ in given]
        calls = {"cond_subgraph": self.call(partial(self.write_limit, len(given)))}
        calls["body_subgraph"] = self.call(
            partial(self.write, len(given), len(given), counts=True)
        )
        left = [self.bools(self.flag_count), self.number()]
        inputs = [*given, self.flags, self.number(self.draw.size(-2, 2))]
        self.builder.op("WHILE", inputs, [*outputs, *left], **calls)
        self.values += outputs

    def number(self, value=None):
        return self.builder.tensor(
            [1], "INT32", data=None if value is None else pack("i", [value])
        )

    def once(self):
        self.builder.op("CALL_ONCE", [], [], init_subgraph=self.call(self.write_constants))

    def remember(self):
        """Read or assign a variable; one that is new is assigned to, too. Return its handle."""
        is_new = not self.variables or self.draw.odds(0.4)
        if is_new:
            self.variables.append(f"v{len(self.variables)}")
        name = self.draw.rng.choice(self.variables[-1:] if is_new else self.variables)
        handle = self.builder.tensor([], "RESOURCE")
        self.builder.op("VAR_HANDLE", [], [handle], container="", shared_name=name)
        self.use(handle, is_new or self.draw.odds(0.3))
        return handle

    def use(self, handle, assigns):
        steps = [lambda: self.op("READ_VARIABLE", [handle], [self.data()])]
        if assigns:
            value = self.data(constant=True) if self.draw.odds(0.2) else self.pick()
            steps.append(lambda: self.builder.op("ASSIGN_VARIABLE", [handle, value], []))
        self.draw.rng.shuffle(steps)
        for step in steps:
            step()

    def grow(self, most):
        kinds = [self.unary, self.binary, self.remember]
        if self.depth < DEPTH:
            kinds += [self.branch, self.loop, self.once, *[self.count] * self.counts]
        for _ in range(self.draw.size(0, most)):
            self.draw.rng.choice(kinds)()

    def start(self, count):
        """Begin a subgraph of *count* data inputs and the flags; return its inputs."""
        self.values = [self.data() for _ in range(count)]
        self.flags = self.bools(self.flag_count)
        return [*self.values, self.flags]

    def ends(self, count):
        """Return *count* outputs: inputs themselves and constants as well."""
        if self.draw.odds(0.1):
            self.values.append(self.data(constant=True))
        return [self.pick() if self.draw.odds(0.3) else self.values[-1] for _ in range(count)]

    def write(self, inputs, outputs, *, loop=False, counts=False, handles=0):
        """Write a branch, or the body of a loop; one of *handles* comes as an input."""
        given = self.start(inputs)
        flags = self.flags
        if counts:
            given.append(self.number())
        for _ in range(handles):
            given.append(self.builder.tensor([], "RESOURCE"))
            self.use(given[-1], self.draw.odds(0.5))
        self.grow(STEPS)
        ends = self.ends(outputs)
        if loop:
            left = self.bools(1, b"\0")
            if self.flag_count > 1:
                parts, left = (
                    [self.part(1, self.flag_count - 1), left],
                    self.bools(self.flag_count),
                )
                self.builder.op("CONCATENATION", parts, [left], axis=0)
            ends.append(left)
        if counts:
            more = self.number()
            self.builder.op("ADD", [given[-1], self.number(1)], [more])
            ends += [flags, more]
        self.builder.bind(given, ends)

    def write_condition(self, inputs):
        given = self.start(inputs)
        if self.draw.odds(0.3):
            self.unary()
        is_whole = self.flag_count == 1 and self.draw.odds(0.5)
        self.builder.bind(given, [self.flags if is_whole else self.part(0, 1)])

    def write_limit(self, inputs):
        given = [*self.start(inputs), self.number()]
        holds = self.bools(1)
        name = self.draw.rng.choice(("LESS", "LESS_EQUAL"))
        self.builder.op(name, [given[-1], self.number(self.draw.size(-1, 2))], [holds])
        self.builder.bind(given, [holds])

    def write_constants(self):
        self.values = [self.data(constant=True)]
        self.remember()
        self.builder.bind([], [])

    def finish(self):
        """Write all subgraphs that are called; return the model."""
        done = 0
        while done < len(self.waiting):
            write, self.depth = self.waiting[done]
            self.builder.subgraph(f"called {done}")
            write()
            done += 1
        graph = self.builder.subgraphs[-1]
        return self.builder.build(graph.inputs, graph.outputs)


def net(first, draw):
    """Return a net in whose main subgraph the step *first* comes first, and its inputs."""
    made = Net(draw, first == "count")
    given = made.start(draw.size(1, 2))
    getattr(made, first)()
    made.grow(2 * STEPS)
    made.builder.bind(given, made.ends(draw.size(1, 2)))
    makers = [partial(draw.int8, made.size) for _ in given[1:]]
    return made.finish(), [*makers, lambda: bytes(draw.rng.choices((0, 1), k=made.flag_count))]


CASES = {
    "if": Op(partial(net, "branch"), invokes=3),
    "while": Op(partial(net, "loop"), invokes=3),
    "while_counting": Op(partial(net, "count"), invokes=3, viper=False),
    "call_once": Op(partial(net, "once"), invokes=3),
}
