"""Learn how a machine sounds, then say and show by the LED when it sounds otherwise.

PC           tflm features ad01_int8.tflite --n-fft 1024 --mels 128 -o ad01_features.tflite
board        tflm deploy ad01_int8.tflite ad01_features.tflite --port /dev/ttyACM0
             mpremote run examples/machine_sound.py
unattended   mpremote cp examples/machine_sound.py :main.py

It expects an INMP441 on a Pico: SCK at GPIO 16, WS at 17, SD at 18, L/R at ground. The model is
not part of tflm: it comes from mlcommons/tiny, folder benchmark/training/anomaly_detection.
"""

import tflm

try:
    from machine import Pin
except ImportError:  # CPython
    Pin = None

MODEL, FRONT = "/rom/ad01_int8.tflite", "/rom/ad01_features.tflite"
WINDOW, HOP = 1024, 512  # samples
LINES, BANDS = 5, 128
EVERY = 5  # lines from a score to the next: 160 ms
LEARNED = 16  # scores, of the machine as it should be
ONE = 1024  # decibels are integers times this: boards and PCs count the same


def scores(source, front, model):  # type: ignore[no-untyped-def]
    """Yield how badly the model draws the sound of *source* again, in tenths of dB * dB."""
    window = bytearray(2 * WINDOW)
    new = memoryview(window)[2 * (WINDOW - HOP) :]
    picture = bytearray(LINES * BANDS)
    count = 0
    while True:
        window[: 2 * (WINDOW - HOP)] = window[2 * HOP :]
        if source.readinto(new) < len(new):
            return
        front.inputs[0].data[:] = window
        front.invoke()
        picture[:-BANDS] = picture[BANDS:]
        picture[-BANDS:] = front.outputs[0].data
        count += 1
        if count > LINES and count % EVERY == 0:
            model.inputs[0].data[:] = picture
            model.invoke()
            yield difference(model.outputs[0], picture, model.inputs[0])


def difference(drawn: tflm.Tensor, picture: bytearray, source: tflm.Tensor) -> int:
    """Return the mean squared difference of two int8 pictures, in tenths."""
    first, second = round(drawn.scale * ONE), round(source.scale * ONE)
    offset = source.zero_point * second - drawn.zero_point * first
    data, total = drawn.data, 0
    for i in range(len(picture)):
        a, b = (data[i] ^ 128) - 128, (picture[i] ^ 128) - 128
        one = a * first - b * second + offset
        total += one * one
    return 10 * total // (len(picture) * ONE * ONE)


def watch(found, show):  # type: ignore[no-untyped-def]
    """Print each score; call show(whether it is strange) once the machine is known."""
    limit = 0
    for count, score in enumerate(found, 1):
        text = "%d.%d" % (score // 10, score % 10)
        if count <= LEARNED:
            limit = max(limit, score)
            print(text, "learning")
            if count == LEARNED:
                limit = limit * 3 // 2
        else:
            print(text, "strange" if score > limit else "usual")
            show(score > limit)


def main() -> None:
    try:
        front, model = tflm.Interpreter(FRONT), tflm.Interpreter(MODEL)
    except OSError:
        print("%s or %s is missing: it comes from mlcommons/tiny" % (MODEL, FRONT))
        return
    from tflm.sources import I2SMicrophone

    led = Pin("LED", Pin.OUT)
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    watch(scores(mic, front, model), led.value)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
