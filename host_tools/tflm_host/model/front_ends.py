"""Front ends with librosa's parameters: log-mel spectrum and MFCC, as mel_file.FrontEnd."""

from math import log2, log10

import numpy as np

from .files import InputError
from .mel_file import SHORT, FrontEnd, Lines, check_step

DECIBELS = 10 * log10(2)  # of an octave of power
FINE = 256  # int16 values of a decibel
AMIN = 1e-10  # librosa's: -100 dB
LOUDEST = 1 << 12  # a power that no window of 4096 points exceeds in a band of norm None
LARGEST_LIFTER = 1000


def triangles(settings):
    """Return the weights of a LogMel's bins in its bands, float64 [n_mels, n_fft / 2 + 1]."""
    bins = np.arange(settings.n_fft // 2 + 1) * settings.sr / settings.n_fft
    points = settings.points()[:, None]
    low, peak, high = points[:-2], points[1:-1], points[2:]
    bank = np.maximum(0, np.minimum((bins - low) / (peak - low), (high - bins) / (high - peak)))
    return bank * settings.norms()[:, None]


def dct(count, width):
    """Return the first *count* rows of the orthonormal DCT-II of *width* values."""
    angles = np.pi * np.arange(count)[:, None] * (2 * np.arange(width) + 1) / (2 * width)
    rows = np.cos(angles) * np.sqrt(2 / width)
    rows[0] /= np.sqrt(2)
    return rows


def log_mel(settings, step, fine=False):
    """Return librosa.power_to_db(librosa.feature.melspectrogram(center=False)) of a LogMel.

    step  hop_length
    fine  int16 lines of 1/256 dB, in place of int8 ones as the LogMel says
    """
    lines = Lines(1 / FINE, 0, *SHORT) if fine else _as_int8(settings)
    matrix = np.full(settings.n_mels, DECIBELS)
    return _front_end(settings, settings.description(), step, matrix, lines)


def mfcc(settings, step, n_mfcc=20, lifter=0, fine=False):
    """Return librosa.feature.mfcc(S=...) of log_mel's spectrum: DCT-II with norm "ortho".

    lifter  as librosa names it, 0 for none;  fine  int16 lines, of a scale that holds them all
    """
    if not 1 <= n_mfcc <= settings.n_mels:
        raise InputError(
            f"n_mfcc is {n_mfcc}, 1 to {settings.n_mels} expected: n_mels, the number of bands"
        )
    if not 0 <= lifter <= LARGEST_LIFTER:
        raise InputError(f"lifter is {lifter:g}, 0 to {LARGEST_LIFTER} expected")
    matrix = DECIBELS * dct(n_mfcc, settings.n_mels)
    if lifter:
        matrix *= (1 + lifter / 2 * np.sin(np.pi * np.arange(1, n_mfcc + 1) / lifter))[:, None]
    most = max(-log2(AMIN), log2(LOUDEST)) * abs(matrix).sum(axis=1).max()
    lines = Lines(most / -SHORT[0], 0, *SHORT) if fine else _as_int8(settings)
    text = f"{settings.description()}; n_mfcc={n_mfcc} dct_type=2 norm=ortho lifter={lifter:g}"
    return _front_end(settings, text, step, matrix, lines)


def _as_int8(settings):
    return Lines(float(np.float32(settings.scale)), settings.zero_point)


def _front_end(settings, description, step, matrix, lines):
    settings.check()
    check_step("hop_length", step)
    return FrontEnd(
        description=f"{description} hop_length={step}",
        rate=settings.sr,
        window=settings.window(),
        n_fft=settings.n_fft,
        step=step,
        bank=triangles(settings),
        matrix=matrix,
        offsets=np.zeros(len(matrix)),
        lines=lines,
        silence=AMIN,
        least=AMIN,
    )
