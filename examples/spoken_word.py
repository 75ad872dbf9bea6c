"""Say which word is in a stored second of sound.

CPython      python examples/spoken_word.py [MODEL [CLIP]]
board        tflm deploy micro_speech_quantized.tflite --port /dev/ttyACM0
             mpremote cp examples/clip.pgm : + run examples/spoken_word.py
unattended   mpremote cp examples/spoken_word.py :main.py

It expects 20 KB of free heap and 20 KB of /rom, which every board here has, and no microphone:
the clip is stored as what the model hears, 49 moments of 40 loudnesses. It also runs on the
emulated boards.

The model is not part of tflm: micro_speech_quantized.tflite comes with the example "micro_speech"
of the project tflite-micro. Another one with 40x49 int8 in and int8 scores out will do, with its
own LABELS. clip.pgm is made up, not recorded (see make_inputs.py): it shows that everything runs,
not how good the model is.
"""

import os
import sys

import tflm

MODEL = "micro_speech_quantized.tflite"
CLIP = "clip.pgm"
FOLDERS = ("", "/rom/", "examples/", "../examples/")
LABELS = ("silence", "unknown", "yes", "no")
SHADES = " .:-=+*#%@"


def find(name: str) -> str | None:
    """Return the path of file *name*: as it stands, in ROMFS, in a clone; None without one."""
    for folder in FOLDERS:
        try:
            os.stat(folder + name)
            return folder + name
        except OSError:
            pass
    return None


def read_clip(path: str, data: memoryview) -> int:
    """Fill *data*, int8 of the model, with a binary PGM file; return how many bands it has."""
    with open(path, "rb") as file:
        words = [file.readline() for _ in range(3)]
        if words[0].strip() != b"P5" or int(words[2]) != 255:
            raise ValueError("%s is not a binary PGM file" % path)
        bands, moments = [int(word) for word in words[1].split()]
        if bands * moments != len(data) or file.readinto(data) != len(data):
            raise ValueError("%s: %dx%d, the model takes %d" % (path, bands, moments, len(data)))
    return bands


def show(data: memoryview, bands: int) -> None:
    """Print every second moment of the clip, low bands on the left."""
    for start in range(0, len(data), 2 * bands):
        row = data[start : start + bands]
        print("".join([SHADES[value * len(SHADES) // 256] for value in row]))


def main(model: str = MODEL, clip: str = CLIP) -> str | None:
    """Classify the clip and return the word, None without model or clip."""
    path, stored = find(model), find(clip)
    if path is None or stored is None:
        missing = clip if path else model
        print("%s is missing: it goes to /rom, or beside this program" % missing)
        print("the model is micro_speech_quantized.tflite of tflite-micro's example micro_speech")
        return None
    interp = tflm.Interpreter(path)
    sound = interp.inputs[0].data
    show(sound, read_clip(stored, sound))
    for i in range(len(sound)):
        sound[i] ^= 0x80  # from 0..255 to the bits of -128..127
    interp.invoke()
    scores = interp.outputs[0]
    for label, score, raw in zip(LABELS, scores.dequantize(), scores.data):
        print("%-8s %5.1f %% (%d)" % (label, 100 * score, raw - 256 if raw > 127 else raw))
    word = LABELS[scores.argmax()]
    print("this is: %s" % word)
    print("arena: %d bytes" % interp.arena_used_bytes())
    return word


main(*getattr(sys, "argv", [""])[1:3])
