"""Features of sound in float64, from their definitions: librosa's, and Edge Impulse's blocks."""

import numpy as np

HALF = 32768


def frames(pcm, length, step):
    return np.lib.stride_tricks.sliding_window_view(pcm, length)[::step]


def mel_bank(settings):
    """Return the triangles of librosa.filters.mel, from the points of a LogMel."""
    bins = np.arange(settings.n_fft // 2 + 1) * settings.sr / settings.n_fft
    low, peak, high = (settings.points()[i : i + settings.n_mels, None] for i in range(3))
    bank = np.maximum(0, np.minimum((bins - low) / (peak - low), (high - bins) / (high - peak)))
    return bank * (2 / (high - low)) if settings.norm else bank


def decibels(settings, windows):
    """Return power_to_db(melspectrogram(center=False)) of windows of n_fft samples."""
    spectrum = np.abs(np.fft.rfft(windows / HALF * settings.window())) ** 2
    return 10 * np.log10(np.maximum(spectrum @ mel_bank(settings).T, 1e-10))


def dct2(lines):
    """Return the orthonormal DCT-II of each line, summed term by term."""
    width = lines.shape[1]
    angles = np.pi / width * np.outer(np.arange(width) + 0.5, np.arange(width))
    found = lines @ np.cos(angles) * np.sqrt(2 / width)
    found[:, 0] /= np.sqrt(2)
    return found


def librosa_mfcc(settings, windows, n_mfcc, lifter=0):
    found = dct2(decibels(settings, windows))[:, :n_mfcc]
    if lifter:
        found *= 1 + lifter / 2 * np.sin(np.pi * np.arange(1, n_mfcc + 1) / lifter)
    return found


def edge_bank(rate, filters, points, low, high, version):
    """Return Edge Impulse's triangles, bin by bin."""
    count = points // 2 + 1
    high = high or rate / 2
    low = low or (0 if version >= 4 else 300)
    mel = np.linspace(1127 * np.log(1 + low / 700), 1127 * np.log(1 + high / 700), filters + 2)
    hertz = 700 * (np.exp(mel / 1127) - 1)
    hertz[-1] -= 0.001
    corners = [int((points + 1 if version >= 4 else count + 1) * f / rate) for f in hertz]
    bank = np.zeros((filters, count))
    for i in range(filters):
        left, middle, right = corners[i : i + 3]
        for k in range(left, right + 1):
            if left < k <= middle:
                bank[i, k] = (k - left) / (middle - left)
            if middle <= k < right:
                bank[i, k] = (right - k) / (right - middle)
    return bank


def edge_powers(block, signal, shift, factor):
    """Return (powers of bins, of filters) of a whole sound after the pre-emphasis."""
    signal = signal - factor * np.roll(signal, shift)
    length, step = (round(s * block.frequency) for s in (block.frame_length, block.frame_stride))
    cut = frames(signal, length, step)[:, : block.fft_length]
    powers = np.abs(np.fft.rfft(cut, block.fft_length)) ** 2 / block.fft_length
    bank = edge_bank(
        block.frequency,
        block.num_filters,
        block.fft_length,
        block.low_frequency,
        block.high_frequency,
        block.implementation_version,
    )
    return powers, powers @ bank.T


def edge_mfe(block, pcm, floor):
    """Return the MFE block's lines of a whole sound, 0 to 1 in steps of 1/256."""
    _, found = edge_powers(block, pcm / HALF, 1, 0.98)
    found = np.where(found == 0, 1e-10, found)
    found = (10 * np.log10(np.maximum(found, 1e-30)) - floor) / (12 - floor)
    return np.clip(np.round(found * 256) / 256, 0, 1)


def edge_cepstra(block, pcm, count, shift, factor):
    powers, found = edge_powers(block, pcm.astype(float), shift, factor)
    lines = dct2(np.log(np.where(found == 0, 1e-10, found)))[:, :count]
    energy = powers.sum(axis=1)
    lines[:, 0] = np.log(np.where(energy == 0, 1e-10, energy))
    return lines


def edge_normalized(lines, window):
    """Return lines without their sliding mean, then over their sliding deviation."""
    half = window // 2

    def around(values):
        padded = np.pad(values, ((half, half), (0, 0)), "symmetric")
        return np.lib.stride_tricks.sliding_window_view(padded, window, axis=0)

    centred = lines - around(lines).mean(axis=2)
    return centred / (around(centred).std(axis=2) + 1e-10)
