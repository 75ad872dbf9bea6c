"""Runs with turns between nodes, and sources, give other tasks their turns on any Python.

The loop here stands for asyncio, which few boards have: tests_host/firmware/test_aio_boards.py
runs the same with MicroPython's own.
"""

from binascii import a2b_base64

import tflm
from tflm.base.clock import ticks_diff, ticks_us
from tflm_tests import TestCase, answers, main, pattern

try:
    from tflm.stream import Each, drop, invoke
except ImportError:  # firmware has it as a file
    Each = None

try:
    from micropython import heap_lock, heap_unlock

    import _tflm  # noqa: F401
except ImportError:  # CPython has no lock; without `_tflm` a node takes heap

    def heap_lock():
        pass

    heap_unlock = heap_lock

# Written by tests_host/make_device_tests.py:
RELUS = a2b_base64(
    "CAAAAFRGTDOe////PAMAABAAAABMAAAAJAAAAAMAAAAOAAAAbWFkZSBieSBhIHRlc3QAAAAAAAAAAAAAAQAAABAA"
    "AAAMABAADwAAAAgABAAMAAAAEwAAAAEAAAAAAAATAQAAABQAAAAAAA4AGAAUABAADAAIAAQADgAAABQAAAAsAAAA"
    "GAAAABwAAADQAAAABAAAAG1haW4AAAAAAQAAAAQAAAABAAAAAAAAAAQAAACIAAAAVAAAACwAAAAEAAAAlP///wAA"
    "AAAMAAAAEAAAAAAAAAABAAAABAAAAAEAAAADAAAAuP///wAAAAAMAAAAEAAAAAAAAAABAAAAAwAAAAEAAAACAAAA"
    "3P///wAAAAAMAAAAEAAAAAAAAAABAAAAAgAAAAEAAAABAAAADAAUABAADAAIAAcADAAAAAAAAAAMAAAAEAAAAAAA"
    "AAABAAAAAQAAAAEAAAAAAAAABQAAAIABAAAYAQAAvAAAAGAAAAAEAAAApP7//wAAAAAoAAAAEAAAAAAAAAAAAAAJ"
    "DAAAAAIAAAB0NAAAAgAAAAEAAAAEAAAAkv7//wAAAAAIAAAAFAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAzczMPfz+"
    "//8AAAAAKAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDMAAAIAAAABAAAABAAAAOr+//8AAAAACAAAABQAAAABAAAA"
    "AAAAAAAAAAAAAAAAAQAAAM3MzD1U////AAAAACgAAAAQAAAAAAAAAAAAAAkMAAAAAgAAAHQyAAACAAAAAQAAAAQA"
    "AABC////AAAAAAgAAAAUAAAAAQAAAAAAAAAAAAAAAAAAAAEAAADNzMw9rP///wAAAAAoAAAAEAAAAAAAAAAAAAAJ"
    "DAAAAAIAAAB0MQAAAgAAAAEAAAAEAAAAmv///wAAAAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAADNzMw9EAAcABgA"
    "FwAQAAwACAAHABAAAAAAAAAAPAAAABAAAAAAAAAAAAAACQwAAAACAAAAdDAAAAIAAAABAAAABAAAAAAAEgAQAAAA"
    "AAAMAAgAAAAAAAQAEgAAAAAAAAAIAAAAEAAAAAEAAAAAAAAAAAAAAAEAAADNzMw9AQAAAAgAAAAEAAQABAAAAA=="
)
RELUS_OUTPUTS = a2b_base64("CzBVemYAAAAAAAsw")
# End of what is written.


class Turn:
    """An awaitable that lets the loop go on once; reused, as asyncio reuses its own."""

    def __init__(self):
        self.is_over = True

    def __call__(self, _ms):
        self.is_over = False
        return self

    def __iter__(self):
        return self

    __await__ = __iter__

    def __next__(self):
        if self.is_over:
            raise StopIteration
        self.is_over = True


class Cancelled(Exception):
    pass


def drive(task, turns=None):
    """Run coroutine *task* to its end; return how many turns others had."""
    count = 0
    try:
        while count != turns:
            task.send(None)
            count += 1
    except StopIteration:
        pass
    return count


async def collected(source, found):
    async for one in source:
        found.append(bytes(one) if isinstance(one, (bytearray, memoryview)) else one)


class Reader:
    """A source with readinto() that gives *parts*, None where there is nothing yet."""

    def __init__(self, parts):
        self.parts = list(parts)

    def readinto(self, buffer):
        part = self.parts.pop(0) if self.parts else b""
        if part is None:
            return None
        buffer[: len(part)] = part
        return len(part)


class Camera:
    """A camera whose frames come later, as of DvpCamera."""

    def __init__(self):
        self.started = self.asked = 0

    def start(self, frame):
        self.started += 1
        frame[0] = self.started

    def is_ready(self):
        self.asked += 1
        return self.asked % 3 == 0

    def wait(self):
        if self.started == 3:
            raise OSError("no frame begins")


class AioTest(TestCase):
    def setUp(self):
        if Each is None:
            self.skipTest("no tflm.aio in this build")

    def test_run_gives_turns_between_nodes_and_the_same_outputs(self):
        interp, turn = tflm.Interpreter(RELUS), Turn()
        size = interp.outputs[0].nbytes
        for run in range(3):
            interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, run)
            self.assertEqual(drive(invoke(interp, turn)), 3)
            found = bytes(interp.outputs[0].data)
            self.assertEqual(found, RELUS_OUTPUTS[run * size : (run + 1) * size])
            self.assertTrue(interp.answered)
        self.assertEqual(answers(interp), RELUS_OUTPUTS)

    def test_nodes_take_no_heap(self):
        interp, turn = tflm.Interpreter(RELUS), Turn()
        seen = []
        interp.on_node = seen.append
        drive(invoke(interp, turn))
        self.assertEqual(seen, [0, 1, 2, 3])
        interp.on_node = None
        interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, 0)
        task = invoke(interp, turn)
        task.send(None)
        heap_lock()
        try:
            task.send(None)
            task.send(None)
        finally:
            heap_unlock()
        drive(task)
        self.assertTrue(interp.answered)

    def test_arena_is_taken_until_the_run_ends(self):
        arena = tflm.Arena(1024)
        interp, other = tflm.Interpreter(RELUS, arena), tflm.Interpreter(RELUS, arena)
        task = invoke(interp, Turn())
        drive(task, 2)
        for run in (interp.invoke, other.invoke):
            with self.assertRaises(tflm.StateError):
                run()
        with self.assertRaises(tflm.StateError) as refused:
            drive(invoke(other, Turn()))
        self.assertTrue("drop()" in str(refused.exception))
        self.assertEqual(drive(task), 1)
        self.assertEqual(answers(other), RELUS_OUTPUTS)

    def test_cancelled_or_failed_run_can_be_repeated(self):
        interp = tflm.Interpreter(RELUS)
        task = invoke(interp, Turn())
        drive(task, 2)
        with self.assertRaises(Cancelled):
            task.throw(Cancelled())
        self.assertTrue(not interp.answered)
        self.assertEqual(answers(interp), RELUS_OUTPUTS)

        def fail(node):
            if node == 2:
                raise Cancelled()

        interp.on_node = fail
        interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, 0)
        with self.assertRaises(Cancelled):
            drive(invoke(interp, Turn()))
        interp.on_node = None
        self.assertEqual(answers(interp), RELUS_OUTPUTS)

    def test_dropped_run_frees_the_arena_and_cannot_go_on(self):
        interp = tflm.Interpreter(RELUS)
        task = invoke(interp, Turn())
        drive(task, 1)
        drop(interp)
        drop(interp)
        self.assertEqual(answers(interp), RELUS_OUTPUTS)
        with self.assertRaises(tflm.StateError):
            drive(task)
        second = invoke(interp, Turn())
        interp.inputs[0].data[:] = pattern(interp.inputs[0].nbytes, 0)
        drive(second, 1)
        with self.assertRaises(tflm.StateError):
            interp.invoke()
        drive(second)
        drop(interp)
        self.assertEqual(answers(interp), RELUS_OUTPUTS)

    def test_closed_interpreter_is_refused(self):
        interp = tflm.Interpreter(RELUS)
        interp.close()
        with self.assertRaises(tflm.StateError):
            drive(invoke(interp, Turn()))

    def test_samples_of_an_iterable_and_of_a_function(self):
        found = []
        self.assertEqual(drive(collected(Each([5, 6], sleep=Turn()), found)), 3)
        self.assertEqual(found, [5, 6])
        samples = [None, 1, None, None, 2]

        def read():
            if not samples:
                raise StopIteration
            return samples.pop(0)

        found = []
        self.assertEqual(drive(collected(Each(read, sleep=Turn()), found)), 6)
        self.assertEqual(found, [1, 2])
        with self.assertRaises(ValueError):
            Each(read, every=-1)
        with self.assertRaises(ValueError):
            Each(Reader(()))

    def test_late_samples_are_counted(self):
        waits = []

        def sleep(ms):
            waits.append(ms)
            return Turn()(ms)

        source = Each(lambda: 1, every=200, sleep=sleep)
        task = collected(source, [])
        drive(task, 2)
        self.assertEqual(waits[0], 0)
        self.assertTrue(100 < waits[1] <= 200, waits)
        self.assertEqual(source.late, 0)
        start = ticks_us()
        while ticks_diff(ticks_us(), start) < 650000:  # the third sample is due after 400 ms
            pass
        drive(task, 1)
        self.assertEqual(source.late, 1)
        self.assertEqual(waits[2], 0)
        task.close()

    def test_buffer_is_filled_and_the_rest_comes_shorter(self):
        reader, found = Reader((b"ab", None, b"cd", b"efgh", b"i")), []
        drive(collected(Each(reader, into=bytearray(4), sleep=Turn()), found))
        self.assertEqual(found, [b"abcd", b"efgh", b"i"])

    def test_frames_of_a_camera_come_meanwhile(self):
        camera, found = Camera(), []
        source = Each(camera, into=bytearray(1), sleep=Turn())
        with self.assertRaises(OSError):
            drive(collected(source, found))
        self.assertEqual(found, [b"\1", b"\2"])
        self.assertEqual(camera.started, 3)


if __name__ == "__main__":
    main()
