"""Toggle the LED at each "okay nabu".

board        mpremote cp okay_nabu.json okay_nabu.tflite : + run examples/wake_word.py
unattended   mpremote cp examples/wake_word.py :main.py

It expects an INMP441 on a Pico: SCK at GPIO 16, WS at 17, SD at 18, L/R at ground.

The model is not part of tflm: okay_nabu.json and okay_nabu.tflite come from ESPHome's project
micro-wake-word-models, folder models/v2. Another of its models will do, with its name in MODEL.
"""

from machine import Pin

import tflm
from tflm.sources import I2SMicrophone

MODEL = "okay_nabu.json"

ear = None
for place in (MODEL, "/rom/" + MODEL):
    try:
        ear = tflm.listen(place)
        break
    except OSError:
        pass
if ear is None:
    print("%s or its model is missing: see ESPHome's micro-wake-word-models" % MODEL)
else:
    led = Pin("LED", Pin.OUT)
    mic = I2SMicrophone(sck=16, ws=17, sd=18)
    print(mic.check())
    for event in ear(mic):
        led.toggle()
        print(event)
