"""The filters of PdmMicrophone: their C, compiled here, against a model in Python."""

import ctypes

import numpy as np
import pytest

from support.native.ring_library import Ring, ring_library
from support.reference.pdm_model import SETTLE, bits_of, response, samples_of

BYTES, BITS = 8, 64  # a sample
MARGIN = 16
RATE = 16000
GUARD = 0xA5


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return ring_library(tmp_path_factory.mktemp("pdm"), "pdm.c")


class Source:
    """A ring that DMA fills with *bits*, and how far."""

    def __init__(self, library, bits, size, gain=8, settle=SETTLE):
        self.library = library
        self.data = np.packbits(np.asarray(bits, np.uint8), bitorder="little").tobytes()
        self.memory = (ctypes.c_uint8 * (BYTES * size))()
        self.ring = Ring(ctypes.addressof(self.memory), size, 0, 0, 0, 0)
        self.filters = (ctypes.c_uint32 * 2000)()  # more than a tflm_pdm_t
        ctypes.memset(self.filters, GUARD, ctypes.sizeof(self.filters))
        library.tflm_pdm_begin(self.filters, gain, settle)
        self.written = 0

    def come(self, count):
        """Let so many samples come."""
        for i in range(self.written, self.written + count):
            at = BYTES * (i % self.ring.size)
            self.memory[at : at + BYTES] = self.data[BYTES * i : BYTES * i + BYTES]
        self.written += count
        head = self.written % self.ring.size
        self.library.tflm_ring_advance(ctypes.byref(self.ring), head, count)

    def read(self, count, shift=0):
        buffer = np.full(2 * count + shift + 2, GUARD, np.uint8)
        to = ctypes.c_void_p(buffer.ctypes.data + shift)
        done = self.library.tflm_pdm_read(self.filters, ctypes.byref(self.ring), to, count)
        assert buffer[shift + 2 * done :].tolist() == [GUARD] * (2 * (count - done) + 2)
        return np.frombuffer(buffer[shift:].tobytes()[: 2 * done], "<i2").tolist()


def random_bits(rng, count):
    """Return bits of *count* samples: parts where ones are rare, usual, or many."""
    share = np.repeat(rng.choice([0, 0.1, 0.5, 0.7, 1], -(-count // 40)), 40 * BITS)
    return (rng.random(len(share)) < share).astype(int)[: count * BITS]


@pytest.mark.parametrize("size", [32, 100, 3216])
def test_every_chunk_gives_the_samples_of_the_model(library, size):
    rng = np.random.default_rng(size)
    bits = random_bits(rng, 4000)
    gain = int(rng.integers(1, 65))
    source, found = Source(library, bits, size, gain, settle=SETTLE + size), []
    while source.written < 4000:
        came = min(int(rng.integers(0, size - MARGIN + 1)), 4000 - source.written)
        source.come(came)
        while source.ring.at != source.ring.head:
            found += source.read(int(rng.integers(0, 70)), int(rng.integers(0, 2)))
    assert found == samples_of(bits, gain, SETTLE + size)
    assert source.ring.lost == 0


EXTREMES = {
    "ones": [1] * BITS,
    "zeros": [0] * BITS,
    "alternating": [0, 1] * (BITS // 2),
    "alternating from a one": [1, 0] * (BITS // 2),
    "bytes": [1] * 8 + [0] * 56,
}


@pytest.mark.parametrize("gain", [1, 64])
@pytest.mark.parametrize("pattern", EXTREMES)
def test_what_stands_still_is_silence_and_a_step_saturates(library, pattern, gain):
    bits = EXTREMES[pattern] * 200 + [0] * (100 * BITS) + [1] * (100 * BITS)
    source = Source(library, bits, 500, gain)
    source.come(400)
    found = source.read(500)
    assert found == samples_of(bits, gain)
    assert found[: 200 - SETTLE] == [0] * (200 - SETTLE)
    if gain > 1:
        assert (min(found), max(found)) == (-32768, 32767)


def test_largest_values_of_the_taps_stay_within_int32(library):
    """Bits that are ones exactly where the filters' response is positive, and the opposite."""
    signs = (response()[::-1] > 0).astype(int)
    bits = np.concatenate([signs, 1 - signs, signs, signs])
    bits = np.concatenate([np.zeros(-len(bits) % BITS + SETTLE * BITS, int), bits])
    source = Source(library, bits, 500, gain=1)
    source.come(len(bits) // BITS)
    assert source.read(500) == samples_of(bits, 1)


def test_lost_samples_are_left_out_of_the_bits(library):
    size, before, pause = 200, 130, 1000
    bits = random_bits(np.random.default_rng(9), before + pause)
    source = Source(library, bits, size)
    source.come(before)
    found = source.read(before)
    source.come(pause)
    assert source.ring.lost == pause - (size - MARGIN)
    found += source.read(size)
    rows = bits.reshape(-1, BITS)
    kept = np.concatenate([rows[:before], rows[before + source.ring.lost :]])
    assert found == samples_of(kept.ravel())


def gains(frequencies):
    """Return the filters' gain in dB at *frequencies*, in Hz for 16,000 samples a second."""
    found = response()
    times = np.arange(len(found)) / (BITS * RATE)
    values = np.exp(-2j * np.pi * np.outer(frequencies, times)) @ found
    return 20 * np.log10(np.abs(values) / found.sum() + 1e-12)


def test_pitches_that_are_heard_are_even_and_those_above_are_not_heard():
    assert np.ptp(gains(np.arange(50, 6501, 50))) <= 0.22
    assert gains(np.arange(9500, 22001, 50)).max() <= -56
    assert gains(np.arange(22000, 42001, 50)).max() <= -43
    assert gains(np.arange(42000, 512001, 250)).max() <= -72


def test_a_tone_is_70_db_above_what_the_microphone_and_the_filters_add(library):
    hertz, count = 1000, 9000
    tone = np.round(29000 * np.sin(2 * np.pi * hertz / RATE * np.arange(RATE)))
    source = Source(library, bits_of(tone.astype(int).tolist(), count * BITS), count + MARGIN, 8)
    source.come(count)
    found = np.array(source.read(count), float)[-RATE // 4 :]
    times = 2 * np.pi * hertz / RATE * np.arange(len(found))
    waves = np.stack([np.sin(times), np.cos(times), np.ones(len(found))], axis=1)
    fit = waves @ np.linalg.lstsq(waves, found, rcond=None)[0]
    assert 10 * np.log10(fit.var() / (found - fit).var()) >= 70
    assert abs(np.hypot(*np.linalg.lstsq(waves, found, rcond=None)[0][:2]) / 29000 - 1) <= 0.02
