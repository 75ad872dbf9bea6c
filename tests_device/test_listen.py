"""Ears, their rules and sources do the same on any Python, and take no heap while they listen."""

import gc
from array import array
from io import BytesIO
from struct import pack

import tflm
from tflm_tests import TestCase, main

try:
    import tflm.ear as ear
    import tflm.sources as sources
    import tflm.stream as stream
except ImportError:  # left out of this firmware
    ear = sources = stream = None

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has neither

    def heap_lock():
        pass

    heap_unlock = heap_lock


SAMPLES = 16000
LEAST_HEAP = 66000  # free, for two such sounds


class FakeTensor:
    def __init__(self, dtype, shape, nbytes):
        self.type = {"int8": 9, "uint8": 3}[dtype]
        self.shape = shape
        self.nbytes = nbytes
        self.data = memoryview(bytearray(nbytes))


class FakeModel:
    """Scores what is loud: the sum of the bands of its last line, as a byte."""

    def __init__(self, lines, scores=1):
        self.inputs = (FakeTensor("int8", (1, lines, 40), 40 * lines),)
        self.outputs = (FakeTensor("uint8", (1, scores), scores),)
        self.runs = 0
        self._first = 40 * (lines - 1)

    def invoke(self):
        self.runs += 1
        data, first = self.inputs[0].data, self._first
        total = 0
        for i in range(40):
            total += data[first + i] ^ 0x80
        scores = self.outputs[0].data
        scores[len(scores) - 1] = min(total // 20, 255)

    def reset(self):
        self.runs = 0


class Stream:
    """What a microphone is like: gives a few bytes at a time, and sometimes none yet."""

    rate = 16000
    hint = None

    def __init__(self, data, size):
        self._file = BytesIO(data)
        self._view = memoryview(bytearray(size))
        self._is_late = False
        self.lost = 0

    def readinto(self, buffer):
        self._is_late = not self._is_late
        if self._is_late:
            return None
        count = self._file.readinto(self._view[: min(len(self._view), len(buffer))])
        buffer[:count] = self._view[:count]
        return count


def loud_sound(test):
    """Return a second of samples, as bytes: a fifth of a second of noise, twice."""
    if hasattr(gc, "mem_free") and gc.mem_free() < LEAST_HEAP:
        test.skipTest("too little heap for a second of sound")
    data = bytearray(2 * SAMPLES)
    state = 1
    for first in (4000, 10000):
        for i in range(2 * first, 2 * (first + 3200), 2):
            state = (state * 1103 + 12345) & 0xFFFF
            data[i] = state & 0xFF
            data[i + 1] = (state >> 8) // 4
    return data


def loud_word():
    return stream.WakeWord(2, 0.4, warm_up=10, cool_down=10)


def make_ear(rule, lines=3, scores=1, hop=3, labels=("loud",)):
    word = stream.Word("fake", FakeModel(lines, scores), labels, rule, hop)
    return ear.Ear([word], tflm.audio.Features("micro"))


class ListenTest(TestCase):
    def setUp(self):
        gc.collect()
        try:
            tflm.audio.Features("micro")
        except ImportError:
            self.skipTest("no audio front end in this build")
        if stream is None:
            self.skipTest("no tflm.stream in this build")

    def test_wake_word_waits_fires_once_and_cools_down(self):
        rule = stream.WakeWord(3, 0.5, warm_up=4, cool_down=4)
        heard = []
        for i in range(40):
            score = 255 if i < 20 or i >= 30 else 0
            heard.append(rule.note(bytes([score]), 0, True))
            rule.frame()
        # A score above the cutoff holds the count up: nothing is heard before a silence.
        self.assertEqual([i for i in range(40) if heard[i] == 0], [31])
        rule.reset()
        heard = []
        for i in range(60):
            score = 255 if 10 <= i < 20 or 40 <= i < 45 else 0
            heard.append(rule.note(bytes([score]), 0, True))
            rule.frame()
        self.assertEqual([i for i in range(60) if heard[i] == 0], [11, 41])
        self.assertEqual(rule.level, 0)

    def test_wake_word_above_and_at_the_cutoff(self):
        rule = stream.WakeWord(5, 0.97, warm_up=0)
        self.assertEqual(rule.cutoff, 247)
        for _ in range(9):
            self.assertEqual(rule.note(bytes([247]), 0, True), -1)
        self.assertEqual(rule.note(bytes([248]), 0, False), -1)
        self.assertEqual(rule.note(bytes([248]), 0, True), 0)
        self.assertEqual(rule.level, 247)

    def test_recogniser_takes_the_mean_of_a_second(self):
        rule = stream.Recogniser(3, 100)
        heard = []
        for i in range(40):
            loud = 5 <= i < 20
            heard.append(rule.note(bytes((0 if loud else 255, 0, 255 if loud else 0)), 100 * i, 1))
        self.assertEqual(heard[:4], [-1, -1, -1, 0])
        self.assertEqual(heard.index(2), 13)
        self.assertEqual(heard[14:28], [-1] * 14)

    def test_repeats_counts_runs(self):
        rule = stream.Repeats(2, 4, 3)
        scores = (0, 0, 255, 255, 0, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255)
        heard = [rule.note(bytes((0, score)), 0, True) for score in scores]
        self.assertEqual([i for i in range(15) if heard[i] == 1], [5, 14])

    def test_ear_hears_the_same_in_any_chunks(self):
        sound = loud_sound(self)
        found = []
        for event in make_ear(loud_word())(sound):
            found.append(str(event))
        self.assertEqual(len(found), 2, str(found))
        self.assertEqual(found[0][:5], "loud ")
        for size in (2, 6, 33, 640, 3000):
            again = [str(event) for event in make_ear(loud_word())(Stream(sound, size))]
            self.assertEqual(again, found, "%d" % size)
        listener = make_ear(loud_word())
        view = memoryview(sound)
        events = []
        for first in range(0, 2 * SAMPLES, 1000):
            event = listener.feed(view[first : first + 1000])
            if event:
                events.append(str(event))
        self.assertEqual(events, found)

    def test_ear_calls_functions(self):
        listener = make_ear(loud_word())
        calls = []
        listener.on("loud", lambda: calls.append(1))
        listener.run(loud_sound(self))
        self.assertEqual(calls, [1, 1])
        with self.assertRaises(ValueError) as caught:
            listener.on("quiet", calls.clear)
        self.assertEqual(str(caught.exception), "label 'quiet': one of loud expected")
        listener.reset()
        listener.run(loud_sound(self))
        self.assertEqual(len(calls), 4)

    def test_model_that_reads_old_lines_again(self):
        word_model = FakeModel(49, 3)
        rule = stream.Repeats(3, 1, 1)
        word = stream.Word("fake", word_model, ("silence", "unknown", "loud"), rule, 5)
        listener = ear.Ear([word], tflm.audio.Features("micro_speech"))
        # Line number n of features is a byte of n.
        lines = []
        for i in range(64):
            word.add(bytes([i]) * 40, 20 * i, True)
            if word_model.runs > len(lines):
                lines.append((i, [word_model.inputs[0].data[40 * k] for k in range(49)]))
        self.assertEqual([last for last, _ in lines], [48, 53, 58, 63])
        for last, picture in lines:
            self.assertEqual(picture, list(range(last - 48, last + 1)))
        self.assertEqual(listener.labels, ["loud"])

    def test_listening_takes_no_heap(self):
        listener = make_ear(loud_word())
        calls = bytearray(1)

        def note():
            calls[0] += 1

        listener.on("loud", note)
        sound = memoryview(loud_sound(self))
        part = sound[6000:12000]
        listener.feed(sound[:6000])
        heap_lock()
        try:
            listener.feed(part)
        finally:
            heap_unlock()
        self.assertEqual(calls[0], 1)

    def test_loop_over_a_source_takes_no_heap(self):
        class Endless:
            rate = 16000
            hint = None
            lost = 0
            count = 0

            def readinto(self, buffer):
                self.count += 1
                for i in range(0, 640, 2):
                    buffer[i] = buffer[i + 1] = (
                        (i * self.count * 7) & 0x3F if self.count > 60 else 0
                    )
                return 640

        source = Endless()
        events = make_ear(stream.WakeWord(2, 0.2))(source)
        next(events)
        source.count = 1
        for _ in range(1):
            heap_lock()
            try:
                event = next(events)
            finally:
                heap_unlock()
        self.assertEqual(event.label, "loud")

    def test_lost_samples_are_told(self):
        source = Stream(loud_sound(self), 640)
        lost = []
        times = []
        for event in make_ear(loud_word())(source):
            lost.append((event.lost, str(event).split(", ")[1:]))
            times.append(round(100 * event.time))
            source.lost += 320
        self.assertEqual(lost, [(0, []), (320, ["320 samples lost"])])
        plain = [round(100 * event.time) for event in make_ear(loud_word())(loud_sound(self))]
        self.assertEqual(times, [plain[0], plain[1] + 2])

    def test_voice_must_be_heard_too(self):
        quiet = stream.Word("vad", FakeModel(3), ("voice",), stream.WakeWord(1, 1.0), 3)
        words = make_ear(loud_word()).words
        listener = ear.Ear(words, tflm.audio.Features("micro"), quiet)
        self.assertEqual(list(listener(loud_sound(self))), [])
        voice = stream.Word("vad", FakeModel(3), ("voice",), stream.WakeWord(1, 0.1), 3)
        listener = ear.Ear(words, tflm.audio.Features("micro"), voice)
        listener.reset()
        self.assertEqual(len([1 for _ in listener(loud_sound(self))]), 2)

    def test_wave_files(self):
        samples = array("h", range(100))
        data = wave_file(bytes(memoryview(samples)))
        wav = sources.Wav(BytesIO(data))
        self.assertEqual((wav.rate, wav.channels, wav.count), (16000, 1, 100))
        buffer = bytearray(150)
        self.assertEqual([wav.readinto(buffer) for _ in range(3)], [150, 50, 0])
        stereo = array("h", [i // 2 if i % 2 == 0 else -1 for i in range(400)])
        wav = sources.Wav(BytesIO(wave_file(bytes(memoryview(stereo)), channels=2)))
        left = b""
        while True:
            count = wav.readinto(buffer)
            if not count:
                break
            left += bytes(buffer[:count])
        self.assertEqual(left, bytes(memoryview(array("h", range(200)))))

    def test_wave_files_that_are_wrong(self):
        good = wave_file(bytes(20))
        for data, message in (
            (b"", "the file ends at byte 0, in a header"),
            (b"RIFX" + good[4:], " is no wave file: byte 0 is not RIFF, or byte 8 not WAVE"),
            (good[:36], 'no "data" chunk before its end at byte 36'),
            (wave_file(bytes(20), bits=8), " has 8 bits a sample (byte 34), 16 expected"),
            (wave_file(bytes(20), bits=24), " has 24 bits a sample (byte 34), 16 expected"),
            (wave_file(bytes(20), bits=32), " has 32 bits a sample (byte 34), 16 expected"),
            (wave_file(bytes(24), channels=3), "byte 22 says 3 channels, 1 expected"),
            (wave_file(bytes(20), code=3), "byte 20 says format 3, 1 expected, which is PCM"),
            (wave_file(bytes(21)), "byte 40 says 21 bytes, which are no whole samples"),
            (good[:-4], "byte 40 says that 20 bytes follow, but there are 16"),
            (wave_file(bytes(20), channels=2)[:-4], "20 bytes follow, but there are 16"),
            (riff_of(good, 57), "byte 4 says that 57 bytes follow, but there are 56"),
            (riff_of(good, 55), "byte 4 says that 55 bytes follow, but there are 56"),
            (riff_of(good, 0), "byte 4 says that 0 bytes follow, but there are 56"),
            (riff_of(good, 0xFFFFFFFF), "byte 4 says that 4,294,967,295 bytes follow"),
        ):
            with self.assertRaises(ValueError) as caught:
                sources.Wav(BytesIO(data))
            self.assertTrue(message in str(caught.exception), str(caught.exception))

    def test_wrong_rate_is_refused_with_its_cure(self):
        wav = sources.Wav(BytesIO(wave_file(bytes(20), rate=44100)))
        wav.name = "hello.wav"
        with self.assertRaises(ValueError) as caught:
            next(make_ear(loud_word())(wav))
        self.assertEqual(
            str(caught.exception),
            "hello.wav has 44,100 samples a second, the model takes 16,000:"
            " sox hello.wav -r 16000 out.wav",
        )

    def test_interrupt_feeds_no_ear_that_is_fed(self):
        listener = make_ear(loud_word())
        sound = memoryview(loud_sound(self))
        told = []

        class Interrupted(FakeModel):
            def invoke(self):
                try:
                    listener.feed(sound[:2])
                except tflm.StateError as error:
                    told.append(str(error))
                FakeModel.invoke(self)

        model = Interrupted(3)
        listener.words[0] = stream.Word("fake", model, ("loud",), loud_word(), 3)
        whole = make_ear(loud_word())
        self.assertEqual(str(whole.feed(sound)), str(listener.feed(sound)))
        self.assertEqual(told[0], "this ear is being fed: feed it from one place only")
        self.assertTrue(len(told) > 30)

    def test_half_a_sample_at_the_end_is_named(self):
        with self.assertRaises(ValueError):
            list(make_ear(loud_word())(Stream(bytes(641), 3)))
        with self.assertRaises(ValueError):
            sources.Samples(bytes(3))


def wave_file(data, rate=16000, channels=1, bits=16, code=1):
    size = channels * bits // 8
    head = pack(
        "<4sI4s4sIHHII",
        b"RIFF",
        36 + len(data),
        b"WAVE",
        b"fmt ",
        16,
        code,
        channels,
        rate,
        rate * size,
    )
    return head + pack("<HH4sI", size, bits, b"data", len(data)) + data


def riff_of(data, nbytes):
    """Return the wave file *data* with another size of all that follows byte 8."""
    return data[:4] + pack("<I", nbytes) + data[8:]


if __name__ == "__main__":
    main()
