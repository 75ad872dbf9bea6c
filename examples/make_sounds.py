"""Write low.wav, high.wav and noise.wav, for a microphone that is emulated. Runs on the PC.

low and high are tones of a fifth of a second in faint noise, noise is loud. They stand for words.
"""

import math
import random

from tflm.sources import Samples

RATE = 16000  # samples a second
SECONDS = 3
PERIOD = 0.4  # seconds from a tone to the next
KINDS = {"low": 400, "high": 2000, "noise": 0}  # hertz

rng = random.Random(1)
for name, hertz in KINDS.items():
    data = bytearray()
    for i in range(SECONDS * RATE):
        faint = rng.gauss(0, 0.1 if hertz == 0 else 0.003)
        is_on = hertz and i / RATE % PERIOD < PERIOD / 2
        value = faint + (0.5 * math.sin(2 * math.pi * hertz * i / RATE) if is_on else 0)
        data += int(max(-1, min(1, value)) * 32767).to_bytes(2, "little", signed=True)
    Samples(data).save(name + ".wav")
