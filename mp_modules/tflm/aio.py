"""Runs and sources for asyncio: a program does something else between nodes, and between samples.

    async for sample in Each(read, every=20):      # milliseconds
        if window.add(sample):
            await invoke(moves)
            print(moves.outputs[0].argmax())

The same on boards and on the PC. `sleep` is for another scheduler than asyncio: a function of
milliseconds that returns what can be awaited.
"""

from .base.clock import ticks_diff, ticks_us
from .base.errors import ABORT, StateError
from .base.port import const

try:
    from asyncio import sleep_ms as _sleep
except ImportError:  # CPython, or firmware without asyncio, which says so on first use

    def _sleep(ms):
        """Return an awaitable that takes *ms* milliseconds."""
        from asyncio import sleep

        return sleep(ms / 1000)


_RUNNING = const(1)  # RUNNING of base/arena.py, whose constants firmware has not by name
_LONGEST = const(300000)  # of which two are small ints of microseconds everywhere


async def invoke(interp, sleep=_sleep):
    """Run the model once, as `interp.invoke()` does, and let other tasks run between nodes.

    The outputs are the same. A node is not divided, and fused layers are one node. No node takes
    heap, beyond what *sleep* takes.

    Until the run has ended its arena is taken: other runs in it raise StateError, and inputs that
    are set do not count. If the task is cancelled or an operator raises, the run has ended: set
    the inputs and run again. Variables keep what the run left in them: see reset().
    """
    interp.allocate_tensors()
    if interp._measure or interp.context is None and interp.model.snapshot.is_fed():
        interp._run()  # which raises
    # Ctrl-C comes at jumps: there is none between opening or shutting the gate and its `try`.
    state = [None, interp.graph]  # what begin() returned, None where there is no run to end
    gate = interp.graph.runners[0].run
    try:
        state[0] = gate.begin()
        while state[0]:
            _mend(interp, state[0])
            state[0] = gate.begin()
        interp.arena.awaited = state
        await _walk(interp, state, sleep)
    finally:
        gate.end(state[0])
        state[0] = None


def _mend(interp, reason):
    if reason == -_RUNNING:
        raise StateError(
            "a run is going on in this arena: await its task, or cancel it; drop() it where the"
            " task is gone"
        )
    interp._mend(reason)


async def _walk(interp, state, sleep):
    arena, graph = interp.arena, state[1]
    runner, runs = graph.runners[0], arena._gate[1]
    graph.current_subgraph = 0
    if graph.rounds:
        graph.rounds = 0
    graph.answered = False
    for i in range(runner.count):
        if i:
            await sleep(0)
            if state[0] is None or arena._gate[1] != runs or interp.graph is not graph:
                raise StateError(
                    "node %d: the run was dropped, or its arena used otherwise. Set the inputs,"
                    " and run again" % i
                )
        ended = None
        if runner.run(i, i + 1):
            call = runner.calls.get(i) or graph.refuse(runner.count - i)
            ended = runner.viper(i, i + 1) if isinstance(call, tuple) else call()
        hook = graph.hook
        if hook is not None:
            hook(i)
        if ended is ABORT:
            return
    graph.answered = True


def drop(interp):
    """End the run in the arena of *interp* whose task is gone, as after Ctrl-C in asyncio.run().

    Does nothing where invoke() has none there. If the task goes on nevertheless, it gets
    StateError.
    """
    state = getattr(interp.arena, "awaited", None)
    if state and state[0] == 0:
        state[0] = None
        state[1].runners[0].run.end(0)


class Each:
    """Samples or frames of *source*, for `async for`. Other tasks run while it waits.

    source  a function that returns a sample, or None while there is none; an iterable; or an
            object with readinto(buffer)
    into    a bytearray, for readinto(): each turn gives it, filled. What is left at the end
            comes as a shorter memoryview
    every   milliseconds from one sample to the next. 0: as fast as they come. At most 300,000
    late    samples so far that came a whole period late, or more

    A source that blocks lets no other task run meanwhile. DvpCamera does not block: the next frame
    comes by DMA.
    """

    late = 0

    def __init__(self, source, into=None, every=0, sleep=_sleep):
        if not 0 <= every <= _LONGEST:
            raise ValueError("every %s: 0 to %d milliseconds expected" % (every, _LONGEST))
        self._sleep = sleep
        self._every = every
        self._last = self._left = 0  # microseconds: of the last sample, until the next one then
        self._is_new = True
        self._into = into
        self._at = 0  # bytes of `into` that came
        if into is not None:
            self._next, self._view = self._fill, memoryview(into)
            if hasattr(source, "is_ready"):
                self._next = self._take
                self._comes = False  # whether a frame was started
        elif callable(source):
            self._next = source
        elif hasattr(source, "readinto"):
            raise ValueError("into: a bytearray for readinto() expected")
        else:
            self._next, source = self._step, iter(source)
        self._source = source

    def __aiter__(self):
        return self

    async def __anext__(self):
        await self._sleep(self._rest() if self._every else 0)
        found = None
        try:
            found = self._next()
            while found is None:
                await self._sleep(1)
                found = self._next()
        except StopIteration:
            raise StopAsyncIteration from None
        return found

    def _rest(self):
        """Return how many milliseconds are left until the next sample is due."""
        now, period = ticks_us(), 1000 * self._every
        left = 0 if self._is_new else self._left + period - ticks_diff(now, self._last)
        self._is_new = False
        if left < 0:
            missed = -left // period
            self.late += missed
            left += missed * period
        self._last, self._left = now, left
        return (left + 999) // 1000 if left > 0 else 0

    def _step(self):
        return next(self._source)

    def _fill(self):
        """Return `into` once it is full, None while bytes are missing."""
        count = self._source.readinto(self._view[self._at :] if self._at else self._into)
        if count is None:
            return None
        self._at = at = self._at + count
        if count and at < len(self._view):
            return None
        self._at = 0
        if count:
            return self._into
        if at:
            return self._view[:at]
        raise StopIteration

    def _take(self):
        """Return the frame of a camera once it is there; let it begin before."""
        camera = self._source
        if not self._comes:
            camera.start(self._into)
            self._comes = True
        if not camera.is_ready():
            return None
        self._comes = False
        camera.wait()
        return self._into
