"""Minutes of speech with wake words in them, by espeak-ng: the same samples for the same seed.

Another version of espeak-ng may give other samples.
"""

import shutil
import subprocess

import numpy as np
from scipy.signal import resample_poly

RATE, ESPEAK_RATE = 16000, 22050
PROGRAM = "espeak-ng"
HEADER = 44  # bytes, in front of the samples
EVERY = 30  # seconds from a phrase to the next
HISS = 8  # loudness of the noise below the speech, of 32768
VOICES = (
    *("en-us", "en-gb", "en-us+f2", "en-gb+m3", "en-us+f4"),
    *("en-gb-scotland", "en-us+m7", "en-us+f5"),
)
SENTENCES = (
    "The train to the harbour leaves at a quarter past nine.",
    "Could you turn the radio down and open the window a little?",
    "Nobody knew that the old mill had been sold in November.",
    "We had onions, tomatoes and a loaf of brown bread for lunch.",
    "It is okay to leave the lamp on until we are back.",
    "One, two, three, four, five, six, seven, eight, nine, ten.",
    "The navy boat came into the bay when the fog was gone.",
    "Yes, no, up, down, left, right, on, off, stop, go.",
    "Alex, are you sure that this was the last of the biscuits?",
    "Hey, Jarvis is what the neighbour calls his parrot.",
    "My grandmother used to bake a cake of almonds and lemon.",
    "Please remind me to call the garage before half past four.",
)


def is_there():
    return shutil.which(PROGRAM) is not None


def say(text, voice, speed=165, pitch=50):
    """Return int16 samples of *text*; words a minute, pitch of 0..99."""
    command = [PROGRAM, "-v", voice, "-s", str(speed), "-p", str(pitch), "--stdout", text]
    data = subprocess.run(command, capture_output=True, check=True).stdout[HEADER:]
    samples = np.frombuffer(data[: len(data) // 2 * 2], "<i2").astype(float)
    return _int16(resample_poly(samples, 320, 441))  # 16,000 of 22,050


def minutes_of(minutes, seed, phrase):
    """Return (samples, [(start, end)] of each *phrase*, in samples), one phrase each 30 s."""
    rng = np.random.default_rng(seed)
    parts, places, total = [], [], 0

    def add(samples):
        nonlocal total
        parts.append(samples)
        total += len(samples)

    def speak(text, voice, slow, fast):
        return say(text, voice, int(rng.integers(slow, fast)), int(rng.integers(30, 70)))

    for number in range(minutes * 60 // EVERY):
        middle = int((number + 0.5) * EVERY * RATE)
        end = (number + 1) * EVERY * RATE
        while total < middle:
            add(speak(rng.choice(SENTENCES), rng.choice(VOICES), 130, 200))
            add(_gap(rng.uniform(0.3, 1.5)))
        add(_gap(1.0))
        word = speak(phrase, VOICES[number % len(VOICES)], 125, 185)
        places.append((total, total + len(word)))
        add(word)
        add(_gap(1.5))
        while total < end:
            add(speak(rng.choice(SENTENCES), rng.choice(VOICES), 130, 200))
            add(_gap(rng.uniform(0.1, 0.8)))
    sound = np.concatenate(parts)[: minutes * 60 * RATE]
    return _int16(sound + rng.normal(0, HISS, len(sound))), places


def _gap(seconds):
    return np.zeros(int(RATE * seconds), np.int16)


def _int16(values):
    return np.clip(np.rint(values), -32768, 32767).astype(np.int16)
