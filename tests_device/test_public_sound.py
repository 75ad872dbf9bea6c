"""Sound does the same on any Python: see test_public.py."""

import gc
from binascii import a2b_base64

import tflm
from tflm_tests import TestCase, main, walk

AUDIO = """
>>> pixels = bytes(2 * 640)
>>> features = tflm.audio.Features("micro")
>>> for line in features.lines(pixels):
...     print(line)
>>> features.name, features.output, features.step, features.ready, len(features.line)
('micro', 'esphome', 160, False, 40)
>>> features.feed(pixels, 160), features.ready
(320, True)
>>> data = features.save_state()
>>> features.reset()
>>> features.load_state(data)
>>> features.load_state(data[1:])
ValueError: load_state: these bytes are no state of an audio front end
>>> len(features.of(pixels)) > 1
True
>>> tflm.audio.Features("macro")
ValueError: front end 'macro': 'micro' or 'micro_speech' expected
"""


# An MFCC block of Edge Impulse with 2 filters, 2 coefficients, and 4 lines of 16 samples.
TABLES = a2b_base64(
    "VExGTXqAIl8BAAAAKAEAABAAAAARAAAAAQAAAF99AAAeAAAAEAAAAAMAAAACAAAAAwAAABcAAABAx+j/+lam/wCA"
    "////fwAAAgAAAAMAAAAABAAAAAAAAIQAAACkAAAA4AAAAOwAAAAUAQAAIAEAABMAAAAEAAAAAACAPgAAAACAPgAA"
    "7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n/uf+5/7n8BAAAAEAAAABAAAAD/fwAAglp+pQAAAYB+pX6lAYAAAH6l"
    "gloAAP9/glqCWgXPv4l+pX6lv4kFzwGAAAAAAAMAAQAHAAAACQD//6qqVVVVVaqq///MzJmZZmYzM///////////"
    "/////////////wAAAAAAALlYvT5DwQAA+hH5/wAAAAA="
)

MEL = """
>>> import tflm.mel
>>> pixels = bytes(2 * 40)
>>> features = tflm.mel.Features(tables)
>>> for line in features.lines(pixels):
...     print(line)
>>> features.rate, features.step, features.values, features.rows, features.ready
(16000, 16, 2, 4, False)
>>> features.scale, features.zero_point, features.is_normalized, list(features.line)
(0.25, 0, True, [-5895, 0])
>>> features.feed(pixels, 30), features.ready
(38, True)
>>> features.reset()
>>> lines = features.of(bytes(2 * 64))
>>> list(features.normalize(lines))
[0, 0, 0, 0, 0, 0, 0, 0]
>>> tflm.mel.Features(b"")
ValueError: tables: no file of `tflm features`, or one for another version
"""


LISTEN = """
>>> tflm.listen()
ValueError: listen: the name of a model expected
>>> from tflm.ear import Ear
>>> from tflm.stream import Event, Recogniser, Repeats, WakeWord, Word
>>> class FakeTensor:
...     def __init__(self, nbytes):
...         self.type, self.nbytes, self.data = 9, nbytes, memoryview(bytearray(nbytes))
>>> class FakeModel:
...     def __init__(self):
...         self.inputs, self.outputs = (FakeTensor(40),), (FakeTensor(1),)
...     def invoke(self):
...         self.outputs[0].data[0] = 0x7F
...     def reset(self):
...         pass
>>> rule = WakeWord(2, 0.6, warm_up=0, cool_down=9)
>>> rule.cutoff, rule.cool_down, rule.level, rule.is_above()
(153, 9, 0, False)
>>> rule.frame()
>>> word = Word("fake", FakeModel(), ("loud",), rule, 1)
>>> word.name, word.labels, word.lines, word.hop, word.heard, word.rule is rule
('fake', ('loud',), 1, 1, -1, True)
>>> word.add(bytes(40), 0, True)
-1
>>> word.heard, rule.level, word.interp.outputs[0].data[0]
(-1, 127, 127)
>>> rule.note(b"Z", 0, True)
0
>>> ear = Ear([word], tflm.audio.Features("micro"))
>>> ear.reset()
>>> word.reset()
>>> rule.reset()
>>> ear.labels, ear.words == [word], ear.features.step, ear.vad
(['loud'], True, 160, None)
>>> ear.on("loud", lambda: None)
>>> ear.run(bytes(960))
>>> event = ear.feed(bytes(640))
>>> event
loud 1.00 at 0.04 s
>>> event is ear.event, event.label, event.level, event.score, event.lost, event.time == 0.04
(True, 'loud', 255, 1.0, 0, True)
>>> rules = Recogniser(2, 100, least=1), Repeats(2, 1, 1)
>>> for rule in rules:
...     rule.reset()
...     rule.frame()
>>> [(rule.note(b"a~", 0, True), rule.level, rule.threshold) for rule in rules]
[(-1, 126, 200), (-1, 126, 204)]
"""


class SoundTest(TestCase):
    def setUp(self):
        gc.collect()
        self.names = {"tflm": tflm}

    def check(self, *texts):
        for text in texts:
            wrong = walk(text, self.names)
            self.assertEqual(wrong, [], "\n".join(wrong))

    def test_audio(self):
        try:
            tflm.audio.Features("micro")
        except ImportError:
            self.skipTest("no audio front end in this build")
        self.check(AUDIO, LISTEN)

    def test_mel(self):
        import tflm.mel

        try:
            tflm.mel.Features(TABLES)
        except ImportError:
            self.skipTest("no audio front end in this build")
        self.names["tables"] = TABLES
        self.check(MEL)


if __name__ == "__main__":
    main()
