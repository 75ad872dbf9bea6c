"""What PdmMicrophone makes of bits, and the bits of an emulated microphone, in Python.

The filters are sums of products here, from the first bit on: firmware/tflm/audio/pdm.c has the
same values from tables of bytes and differences.
"""

import numpy as np

BITS = 64  # a sample
STEP = 32  # bits of a value in front of the taps
LOSS = 7  # in 2**-5: what both neighbours of a value lose
TAPS = (2588, -812, 430, -255, 150, -88, 43, -27)  # from the middle, those that are not 0
TO_VALUE, TO_SAMPLE, FINE, FRACTION, SLOW = 3, 10, 4, 8, 9
SETTLE = 20  # samples after which nothing is left of the first state
SHARE = 8  # the loudest sample is an eighth of the microphone's range, which a gain of 8 undoes


def cic():
    """Return the impulse response of the CIC filter, for bits."""
    response = np.ones(1, np.int64)
    for _ in range(4):
        response = np.convolve(response, np.ones(STEP, np.int64))
    return response


def half_band():
    """Return its 31 taps, in 2**-13."""
    upper = [tap for one in TAPS for tap in (one, 0)][:-1]
    return np.array([*upper[::-1], 4096, *upper], np.int64)


def response():
    """Return the impulse response of all filters, for bits; its sum is the gain for all ones."""
    taps = np.convolve(half_band(), np.array([-LOSS, 32 + 2 * LOSS, -LOSS]))
    spread = np.zeros((len(taps) - 1) * STEP + 1, np.int64)
    spread[::STEP] = taps
    return np.convolve(cic(), spread)


def values_of(bits):
    """Return what the filters give for *bits*, of which there were zeros before."""
    seen = np.convolve(np.asarray(bits, np.int64), cic())[: len(bits)][STEP - 1 :: STEP]
    values = np.concatenate([np.zeros(len(half_band()) + 1, np.int64), seen >> TO_VALUE])
    line = values[1:-1] - ((LOSS * np.diff(values, 2)) >> 5)
    return np.convolve(line, half_band(), "valid")[1::2] >> TO_SAMPLE


def samples_of(bits, gain=8, settle=SETTLE):
    """Return the samples, without the first *settle*: less their mean, as int16."""
    found, mean = [], None
    for value in values_of(bits)[settle:].tolist():
        if mean is None:
            mean = value << FRACTION
        sample = value - ((mean + (1 << (FRACTION - 1))) >> FRACTION)
        mean += ((value << FRACTION) - mean) >> SLOW
        found.append(max(-32768, min((sample * gain + (1 << (FINE - 1))) >> FINE, 32767)))
    return found


def bits_of(samples, count):
    """Return the first *count* bits that the emulated microphone gives for *samples*, repeated.

    Between samples it goes straight. A delta-sigma modulator of third order, in integers.
    """
    one = BITS * 32768 * SHARE
    first = second = third = 0
    bits = []
    for i in range(count):
        number, part = divmod(i, BITS)
        here = samples[number % len(samples)]
        there = samples[(number + 1) % len(samples)]
        back = one if third >= 0 else -one
        bits.append(int(third >= 0))
        third += second - 14 * back
        second += first - 5 * back
        first += here * (BITS - part) + there * part - back
    return bits
