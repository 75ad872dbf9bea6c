"""Write low.wav, high.wav and noise.wav, for a microphone that is emulated. Runs on the PC.

low and high are tones in faint noise, which do not end. noise is loud. They stand for words.
"""

import math
import random

from tflm.sources import Samples

RATE = 16000  # samples a second
SECONDS = 3
KINDS = {"low": 400, "high": 2000, "noise": 0}  # hertz

rng = random.Random(1)
for name, hertz in KINDS.items():
    data = bytearray()
    for i in range(SECONDS * RATE):
        faint = rng.gauss(0, 0.1 if hertz == 0 else 0.003)
        value = faint + 0.5 * math.sin(2 * math.pi * hertz * i / RATE)
        data += int(max(-1, min(1, value)) * 32767).to_bytes(2, "little", signed=True)
    Samples(data).save(name + ".wav")
