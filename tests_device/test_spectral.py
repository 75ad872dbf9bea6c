"""Spectral features: the model has the same bytes on any Python, and its features the same bits.

tests_host/runtime/test_spectral.py compares them with Edge Impulse's own program.
"""

import gc
from array import array
from binascii import hexlify
from hashlib import sha256

import tflm
from tflm_tests import TestCase, main

try:
    from micropython import heap_lock, heap_unlock

    import _tflm  # noqa: F401
except ImportError:  # CPython has no lock; without `_tflm` a run takes heap

    def heap_lock():
        pass

    heap_unlock = heap_lock

OPTIONS = {"samples": 125, "rate": 62.5, "filter_type": "low", "filter_cutoff": 3}
MODEL = "41161de89a213e2b2eeaaea7baba21a6365b2ef236c85955b892c5cbf1c1bc92"
FEATURES = (
    "6fa7e43da03d6dbba4fe53bf25c51740ce457340bbe895bfcc64a73da951073f807fcf3d"
    "8b33dc3fc0cbb23f0eec8cbfc9c0913eccb1e6bf38e53140233d1b40786f7e402d6e12be"
)


def recording():
    """Return the samples of case 1 of tests_host/support/reference/spectral_golden.txt."""
    seed, values = 1, array("f")
    for i in range(3 * OPTIONS["samples"]):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        swing = (i // 3 * 7) % 50 * 20 - 480 if i % 3 == 0 else 0
        values.append(((seed >> 16 & 1023) - 512 + swing + (1000 if i % 3 == 2 else 0)) / 1024)
    return values


class SpectralTest(TestCase):
    def setUp(self):
        gc.collect()
        try:
            from tflm.stream import Spectral
        except ImportError:  # firmware has it as a file
            self.skipTest("no tflm.spectral in this build")
        except MemoryError:
            self.skipTest("too little heap beside modules in RAM")
        try:
            self.spectral = Spectral(**OPTIONS)
        except tflm.UnsupportedOpError:
            self.skipTest("no kernels of spectral features in this build")
        except MemoryError:
            self.skipTest("too little heap beside modules in RAM")

    def test_bytes_are_known_and_a_window_takes_no_heap(self):
        spectral = self.spectral
        self.assertEqual(hexlify(sha256(spectral.data).digest()).decode(), MODEL)
        self.assertEqual(spectral.count, 6)
        samples = recording()
        for _ in range(2):
            spectral.input.assign(samples)
            gc.collect()
            heap_lock()
            try:
                spectral.write()
            finally:
                heap_unlock()
            self.assertEqual(hexlify(bytes(spectral.output.data)).decode(), FEATURES)


if __name__ == "__main__":
    main()
