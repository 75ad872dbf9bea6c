"""Switch the LED on at "yes" and off at "no".

board        tflm deploy micro_speech_quantized.tflite --port /dev/ttyACM0
             mpremote run examples/yes_no.py
unattended   mpremote cp examples/yes_no.py :main.py

It expects an INMP441 on a Pico: SCK at GPIO 16, WS at 17, SD at 18, L/R at ground. On an emulated
Pico a WAV is the sound: tflm repl RPI_PICO micro_speech_quantized.tflite --mic hello.wav

The model is not part of tflm: it comes with the example micro_speech of the project tflite-micro.
"""

from machine import Pin

import tflm
from tflm.sources import I2SMicrophone

MODEL = "/rom/micro_speech_quantized.tflite"
LABELS = ("silence", "unknown", "yes", "no")

try:
    ear = tflm.listen(MODEL, labels=LABELS, front="micro_speech")
except OSError:
    ear = None
if ear is None:
    print("%s is missing: it comes with tflite-micro's example micro_speech" % MODEL)
else:
    led = Pin("LED", Pin.OUT)
    ear.on("yes", led.on)
    ear.on("no", led.off)
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    print(mic.check())
    for event in ear(mic):
        print(event)
