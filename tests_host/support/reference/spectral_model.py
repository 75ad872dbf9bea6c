"""Edge Impulse's spectral features in double precision, by numpy and scipy, without our code.

Source of the definition: spectral_analysis/dsp.py and common/spectrum.py of
edgeimpulse/processing-blocks, 9b0ceb2. spectral_golden.txt has what that program itself gives.
"""

import json
from pathlib import Path

import numpy as np
from scipy import signal, stats

GOLDEN = Path(__file__).with_name("spectral_golden.txt")  # a case each line, as JSON


def golden():
    """Return the cases: samples, rate, seed, options and features."""
    return [json.loads(line) for line in GOLDEN.read_text().splitlines()]


def recording(count, seed):
    """Return the samples of a case, float32 (count, 3): noise, a swing along x, 1 on z."""
    values = []
    for i in range(3 * count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        swing = (i // 3 * 7) % 50 * 20 - 480 if i % 3 == 0 else 0
        values.append(((seed >> 16 & 1023) - 512 + swing + (1000 if i % 3 == 2 else 0)) / 1024)
    return np.array(values, np.float32).reshape(count, 3)


def features(samples, rate, **options):
    """Return the features of *samples*, an array (count, axes), axis by axis."""
    return np.concatenate([_of_axis(axis.astype(float), rate, **options) for axis in samples.T])


def _of_axis(
    values,
    rate,
    *,
    scale_axes=1,
    filter_type="none",
    filter_cutoff=0,
    filter_order=6,
    fft_length=16,
    do_log=True,
    do_fft_overlap=True,
    implementation_version=4,
):
    values = values * scale_axes
    first, last = 1, fft_length // 2 + 1
    if filter_type != "none":
        place = filter_cutoff * fft_length / rate
        if filter_type == "low":
            last = int(place + 0.5) + 1
        else:
            first = int(place - 0.5) + 1
        if filter_order:
            sections = signal.butter(
                filter_order, 2 * filter_cutoff / rate, filter_type, output="sos"
            )
            values = signal.sosfilt(sections, values)
    values = values - values.mean()
    found = [np.sqrt((values**2).mean()), stats.skew(values), stats.kurtosis(values)]
    step = fft_length // 2 if do_fft_overlap else fft_length
    frames = [values[i : i + fft_length] for i in range(0, len(values), step)]
    power = np.max([abs(np.fft.rfft(one, fft_length)) ** 2 for one in frames], 0) / fft_length
    if implementation_version == 4:
        found += [stats.skew(power), stats.kurtosis(power)]
    bins = power[first:last]
    return [*found, *(np.log10(np.where(bins == 0, 1e-10, bins)) if do_log else bins)]
