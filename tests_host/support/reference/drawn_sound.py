"""Minutes of sound that front ends get wrong first, drawn from a seed."""

import numpy as np

RATE = 16000
CHUNKS = (1, 7, 160, 479, 480, 481, 4000)  # samples that are fed at a time
SECOND = np.arange(RATE) / RATE


def minutes_of_noise(minutes, seed=1):
    """Return int16 samples, each second of another kind: noise, tones, clipping, silence."""
    rng = np.random.default_rng(seed)
    return np.concatenate([_second(rng, int(rng.integers(7))) for _ in range(60 * minutes)])


def _second(rng, kind):
    if kind == 0:  # loudness over all 16 bits
        loudness = 2.0 ** np.repeat(rng.uniform(-1, 17, RATE // 800), 800)
        return _int16(rng.normal(0, 1, RATE) * loudness)
    if kind == 1:
        return _int16(rng.uniform(1, 40000) * np.sin(2 * np.pi * rng.uniform(50, 8000) * SECOND))
    if kind == 2:  # the lowest number, here and there
        return rng.choice(np.array([-32768, -1, 0, 1, 32767], np.int16), RATE)
    if kind == 3:
        return np.repeat(rng.integers(-32768, 32768, 16).astype(np.int16), RATE // 16)
    if kind == 4:
        tone = np.sin(2 * np.pi * rng.uniform(50, 8000) * SECOND)
        return np.where(tone > 0, 32767, -32768).astype(np.int16)
    if kind == 5:  # vowels, louder and softer
        pitch = rng.uniform(90, 250)
        voice = sum(np.sin(2 * np.pi * pitch * k * SECOND) / k for k in range(1, 20))
        swell = 1 + np.sin(2 * np.pi * rng.uniform(1, 6) * SECOND)
        return _int16(rng.uniform(30, 9000) * voice * swell + rng.normal(0, 20, RATE))
    sound = np.zeros(RATE, np.int16)
    sound[rng.integers(0, RATE, 5)] = rng.integers(-32768, 32768, 5)
    return sound


def _int16(values):
    return np.clip(np.rint(values), -32768, 32767).astype(np.int16)
