"""The ring of AdcMicrophone: its C, compiled here, against a model in Python."""

import ctypes

import numpy as np
import pytest

from support.native.ring_library import Ring, ring_library
from support.reference.adc_model import HighPass, samples_of

UNKNOWN = -1
MARGIN = 16


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return ring_library(tmp_path_factory.mktemp("microphone"))


class Source:
    """A ring that DMA fills with *values*, and how far."""

    def __init__(self, library, values, size):
        self.library, self.values = library, values
        self.memory = (ctypes.c_uint16 * size)()
        self.ring = Ring(ctypes.addressof(self.memory), size, 0, 0, 0, UNKNOWN)
        self.written = 0

    def come(self, count, error=0):
        """Let so many samples come; the clock is wrong by *error* samples."""
        for value in self.values[self.written : self.written + count]:
            self.memory[self.written % self.ring.size] = int(value)
            self.written += 1
        head = self.written % self.ring.size
        self.library.tflm_ring_advance(ctypes.byref(self.ring), head, max(count + error, 0))

    def read(self, count, shift=0):
        buffer = np.zeros(2 * count + shift, np.uint8)
        done = self.library.tflm_ring_read(
            ctypes.byref(self.ring), ctypes.c_void_p(buffer.ctypes.data + shift), count
        )
        return buffer[shift:].tobytes()[: 2 * done]


def as_samples(data):
    return np.frombuffer(data, "<i2").tolist()


@pytest.mark.parametrize("size", [32, 100, 3216])
def test_every_sample_arrives_with_its_mean_taken(library, size):
    rng = np.random.default_rng(size)
    values = rng.integers(0, 4096, 20 * size) | rng.integers(0, 16, 20 * size) << 12
    source, found = Source(library, values, size), []
    while source.written < len(values):
        source.come(int(rng.integers(0, size - MARGIN + 1)), int(rng.integers(-3, 4)))
        while len(found) < source.written:
            found += as_samples(source.read(int(rng.integers(1, 400)), int(rng.integers(0, 2))))
    assert found == samples_of(values & 0xFFF)
    assert source.ring.lost == 0


@pytest.mark.parametrize("first", [0, 2048, 4095])
def test_extremes_saturate_and_a_constant_is_silence(library, first):
    values = [first] * 50 + [0] * 50 + [4095] * 50
    source = Source(library, values, 200)
    source.come(150)
    found = as_samples(source.read(200))
    assert found == samples_of(values)
    assert found[:50] == [0] * 50
    assert first != 0 or found[100] == 32767
    assert first != 4095 or found[50] == -32768


@pytest.mark.parametrize("pause", [184, 185, 200, 399, 400, 401, 1000, 12345])
@pytest.mark.parametrize("error", [-90, 0, 90])
def test_lost_samples_are_those_that_were_overwritten(library, pause, error):
    size, before = 200, 130
    values = np.arange(before + pause) % 4096
    source = Source(library, values, size)
    source.come(before)
    assert len(source.read(before)) == 2 * before
    source.come(pause, error)
    assert source.ring.lost == max(pause - (size - MARGIN), 0)
    model = HighPass()
    for value in values[:before]:
        model.take(int(value))
    newest = values[before:][-(size - MARGIN) :]
    assert as_samples(source.read(size)) == [model.take(int(value)) for value in newest]
