"""The audio front ends give the right bits on any core, in chunks of any size, without heap.

tests_host/runtime/test_audio.py holds CHECKSUMS against a model in plain Python.
"""

import gc
from array import array
from binascii import crc32

import tflm
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has neither

    def heap_lock():
        pass

    heap_unlock = heap_lock

# Of all lines of hard_sound().
CHECKSUMS = {
    ("micro", "raw"): 0x1AC6306E,
    ("micro", "esphome"): 0x48A13B25,
    ("micro", "pymicro"): 0xD32DABE7,
    ("micro_speech", "raw"): 0x5DAE2BE5,
    ("micro_speech", "esphome"): 0xB7A454F3,
    ("micro_speech", "pymicro"): 0xCF900C92,
}
CHUNKS = (1, 7, 160, 479, 480, 481, 4000)

PART = 800  # samples of each sound


def _loud(_i, r):
    return r - 32768


def _silence(_i, _r):
    return 0


def _lowest_bit(_i, r):
    return 1 if r & 0x4000 else -1


def _lowest(_i, _r):
    return -32768


def _clipped(_i, r):
    return -32768 if r < 0x3000 else 32767 if r > 0xD000 else (r - 32768) >> 3


def _square(i, _r):
    """6,661 Hz: the feature 674, which int8 does not hold."""
    return -32767 if (i * 13322 // 16000) & 1 else 32767


def _triangle(i, _r):
    return 40 * abs(i % 50 - 25) - 500


def _spikes(_i, r):
    return -32768 if r < 0x400 else (r & 0xFFF) - 2048


PARTS = (_square, _silence, _loud, _lowest, _triangle, _clipped, _lowest_bit, _spikes)


def hard_sound():
    """Return PARTS one after the other."""
    samples = array("h")
    state = 1
    for part in PARTS:
        for i in range(PART):
            state = (state * 1103 + 12345) & 0xFFFF
            samples.append(part(i, state))
    return samples


def checksum(features, samples, chunk, total=0):
    """Return the checksum of the lines of *samples*, fed *chunk* at a time."""
    view = memoryview(samples)
    for start in range(0, len(view), chunk):
        part = view[start : start + chunk]
        at = features.feed(part)
        while features.ready:
            total = crc32(features.line, total)
            at = features.feed(part, at)
    return total


class AudioTest(TestCase):
    samples = None

    def setUp(self):
        gc.collect()
        try:
            tflm.audio.Features("micro")
        except ImportError:
            self.skipTest("no audio front end in this build")
        if AudioTest.samples is None:
            AudioTest.samples = hard_sound()

    def test_all_front_ends_and_outputs(self):
        for name, output in CHECKSUMS:
            features = tflm.audio.Features(name, output)
            total = checksum(features, self.samples, len(self.samples))
            self.assertEqual(total, CHECKSUMS[name, output], "%s %s" % (name, output))

    def test_chunks_of_any_size(self):
        for name in ("micro", "micro_speech"):
            for chunk in CHUNKS:
                total = checksum(tflm.audio.Features(name, "raw"), self.samples, chunk)
                self.assertEqual(total, CHECKSUMS[name, "raw"], "%s %d" % (name, chunk))

    def test_bytes_at_an_odd_address(self):
        data = memoryview(b"x" + bytes(memoryview(self.samples)))[1:]
        features = tflm.audio.Features("micro", "raw")
        self.assertEqual(checksum(features, data, len(data)), CHECKSUMS["micro", "raw"])

    def test_saved_and_loaded_in_the_middle_of_a_window(self):
        view = memoryview(self.samples)
        for cut in (0, 1, 479, 480, 700, 2500):
            features = tflm.audio.Features("micro", "raw")
            total = checksum(features, view[:cut], 4000)
            data = features.save_state()
            for other in (tflm.audio.Features("micro", "raw"), features):
                checksum(other, view[1000:2000], 4000)
                other.load_state(data)
                again = checksum(other, view[cut:], 4000, total)
                self.assertEqual(again, CHECKSUMS["micro", "raw"], "%d" % cut)

    def test_reset_forgets_all(self):
        features = tflm.audio.Features("micro_speech", "raw")
        checksum(features, memoryview(self.samples)[100:3333], 4000)
        features.reset()
        total = checksum(features, self.samples, 4000)
        self.assertEqual(total, CHECKSUMS["micro_speech", "raw"])

    def test_whole_sound(self):
        features = tflm.audio.Features("micro")
        features.feed(self.samples)
        data = features.save_state()
        self.assertEqual(crc32(features.of(self.samples)), CHECKSUMS["micro", "esphome"])
        self.assertEqual(features.save_state(), data)

    def test_other_steps(self):
        for step in (320, 480):
            features = tflm.audio.Features("micro", "raw", step)
            lines = [bytes(line) for line in features.lines(self.samples)]
            self.assertEqual(len(lines), (len(self.samples) - 480) // step + 1)
            first = tflm.audio.Features("micro", "raw").lines(self.samples)
            self.assertEqual(lines[0], bytes(next(first)))

    def test_silence_is_zero(self):
        features = tflm.audio.Features("micro", "raw")
        for line in features.lines(bytes(2 * 4000)):
            self.assertEqual(list(line), [0] * 40)

    def test_feeding_and_reset_take_no_heap(self):
        features = tflm.audio.Features("micro")
        samples = self.samples
        features.feed(samples)  # makes room for the names of attributes
        heap_lock()
        try:
            at = features.feed(samples, 480)
            at = features.feed(samples, at, features.line)
            features.reset()
        finally:
            heap_unlock()
        self.assertEqual(at, 480 + 160 + 160)

    def test_features_are_small(self):
        gc.collect()
        if not hasattr(gc, "mem_alloc"):
            return
        before = gc.mem_alloc()
        kept = tflm.audio.Features("micro")
        gc.collect()
        size = gc.mem_alloc() - before
        self.assertTrue(kept.step == 160 and 2048 < size < 3 * 1024, "%d bytes" % size)

    def test_what_is_being_fed_raises_state_error(self):
        features = tflm.audio.Features("micro")
        features._state[0] = 1  # as an interrupt finds it in the middle of a call
        calls = (
            lambda: features.feed(self.samples),
            features.reset,
            features.save_state,
            lambda: features.load_state(tflm.audio.Features("micro").save_state()),
        )
        for call in calls:
            with self.assertRaises(tflm.StateError):
                call()
        features._state[0] = 0
        self.assertEqual(features.feed(self.samples), 480)
        self.assertEqual(features.feed(self.samples, 480), 640)

    def test_interrupt_without_heap_gets_state_error(self):
        features = tflm.audio.Features("micro")
        features._state[0] = 1
        caught = None
        heap_lock()
        try:
            features.feed(self.samples)
        except tflm.StateError as error:
            caught = error
        finally:
            heap_unlock()
        self.assertEqual(str(caught)[:33], "this front end is being fed: feed")

    def test_wrong_arguments_are_refused(self):
        with self.assertRaises(ValueError):
            tflm.audio.Features("macro")
        with self.assertRaises(ValueError):
            tflm.audio.Features("micro", "float")
        with self.assertRaises(ValueError):
            tflm.audio.Features("micro", step=200)
        features = tflm.audio.Features("micro")
        for error, arguments in (
            (ValueError, (bytes(3),)),
            (ValueError, (bytes(4), 3)),
            (ValueError, (bytes(4), -1)),
            (ValueError, (bytes(4), 0, bytearray(39))),
            (TypeError, (4,)),
            (TypeError, ([1, 2],)),
        ):
            with self.assertRaises(error):
                features.feed(*arguments)
        features.feed(bytes(960))
        data = features.save_state()
        for wrong in (
            b"",
            b"TFLb" + data[4:],
            data[:-1],
            data[:20] + b"\x01" + data[21:],
            tflm.audio.Features("micro_speech").save_state(),
            tflm.audio.Features("micro", step=320).save_state(),
        ):
            with self.assertRaises(ValueError):
                features.load_state(wrong)
        self.assertEqual(features.save_state(), data)


if __name__ == "__main__":
    main()
