"""The digits of scikit-learn, split once for all models: no TensorFlow in here."""

import numpy as np
from sklearn.datasets import load_digits

SIDE = 8  # pixels
WHITE = 16  # the largest grey value
TEST_SAMPLES = 450  # a quarter of the 1797


def split():
    """Return (train images, labels), (test images, labels).

    images: float32 [n, 8, 8, 1] in 0..1;  labels: int [n]. The test part is the first 450 of
    a permutation drawn by numpy's RandomState(0), whose sequence numpy has frozen.
    """
    digits = load_digits()
    order = np.random.RandomState(0).permutation(len(digits.target))
    images = (digits.images[order, :, :, None] / WHITE).astype(np.float32)
    labels = digits.target[order]
    test = slice(0, TEST_SAMPLES)
    train = slice(TEST_SAMPLES, None)
    return (images[train], labels[train]), (images[test], labels[test])


def quantize(values, scale, zero_point):
    """Return float32 *values* as int8: divided in float32, halves rounded away from zero."""
    q = np.asarray(values, np.float32) / np.float32(scale)
    rounded = np.trunc(q + np.copysign(np.float32(0.5), q))
    return np.clip(rounded + zero_point, -128, 127).astype(np.int8)
