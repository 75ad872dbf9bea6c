"""Edge Impulse's MFE and MFCC blocks by the numbers of model_metadata.h, as mel_file.FrontEnd."""

from dataclasses import dataclass, replace
from math import ceil, isfinite, log

import numpy as np

from .files import InputError
from .front_ends import DECIBELS, dct
from .mel_file import SHORT, FrontEnd, Lines, Normal, check_length, check_step

FINE = 256  # int16 values of a unit of natural logarithms
CEILING = 12  # decibels that are 1 of an MFE
MFE_EMPHASIS = 0.98
LOWEST = 300  # Hz, in place of 0 before version 4
SILENCE, LEAST = 1e-10, 1e-30
SECONDS = 10  # of a frame or a stride at most
LARGEST_WINDOW = 511
LARGEST_SHIFT = 100
FINEST = 1 / 1024  # scale of an input that normalised values have


@dataclass(frozen=True)
class Block:
    """What both blocks have. Times are in seconds, high_frequency 0 is half the frequency.

    scale, zero_point  of the model's int8 input
    """

    scale: float
    zero_point: int
    frequency: int = 16000
    frame_length: float = 0.02
    frame_stride: float = 0.02
    num_filters: int = 40
    fft_length: int = 256
    low_frequency: float = 0
    high_frequency: float = 0
    implementation_version: int = 4

    def check(self, versions):
        """Raise InputError, which names the parameter that is wrong."""
        least, most = versions
        if not least <= self.implementation_version <= most:
            raise InputError(
                f"implementation_version is {self.implementation_version}, {least} to {most}"
                " expected"
            )
        check_length("fft_length", self.fft_length)
        if self.fft_length & (self.fft_length - 1):
            raise InputError(f"fft_length is {self.fft_length}, a power of 2 expected")
        shortest = 1 / self.frequency
        for name in ("frame_length", "frame_stride"):
            if not shortest <= getattr(self, name) <= SECONDS:
                raise InputError(
                    f"{name} is {getattr(self, name):g}, {shortest:g} to {SECONDS} seconds"
                    " expected"
                )
        self._check_bank()
        if not (self.scale > 0 and isfinite(self.scale) and -128 <= self.zero_point <= 127):
            raise InputError(f"scale {self.scale:g}, zero point {self.zero_point}: none of int8")

    def _check_bank(self):
        most = self.frequency / 2
        if not 2 <= self.num_filters < self.fft_length // 2:
            raise InputError(
                f"num_filters is {self.num_filters}, 2 to {self.fft_length // 2 - 1} expected"
            )
        if not 0 <= self.lowest < self.highest <= most:
            raise InputError(
                f"low_frequency is {self.low_frequency:g} and high_frequency"
                f" {self.high_frequency:g}: 0 to {most:g} Hz, the low one below the high one,"
                " expected"
            )

    @property
    def highest(self):
        return self.high_frequency or self.frequency / 2

    @property
    def lowest(self):
        return self.low_frequency or (0 if self.implementation_version >= 4 else LOWEST)

    def samples(self, seconds):
        """Return a time in samples: rounded in version 1, later rounded up."""
        count = round(seconds * self.frequency, 3)
        return round(count) if self.implementation_version == 1 else ceil(count)

    def bank(self):
        """Return the weights of bins in filters: triangles with corners at whole bins."""
        bins = self.fft_length // 2 + 1
        ends = (1127 * log(1 + hertz / 700) for hertz in (self.lowest, self.highest))
        hertz = 700 * (np.exp(np.linspace(*ends, self.num_filters + 2) / 1127) - 1)
        hertz[-1] -= 0.001
        points = self.fft_length if self.implementation_version >= 4 else bins
        corners = np.floor((points + 1) * hertz / self.frequency).astype(int)
        bank = np.zeros((self.num_filters, bins))
        for number, row in enumerate(bank):
            low, peak, high = corners[number : number + 3]
            if low == high:
                raise InputError(
                    f"num_filters is {self.num_filters}: filter {number} has no bin, fewer"
                    " filters or a longer fft_length expected"
                )
            row[low:peak] = np.arange(peak - low) / max(peak - low, 1)
            row[peak:high] = np.arange(high - peak, 0, -1) / max(high - peak, 1)
            row[peak] = 1
        return bank

    def description(self):
        names = "frequency frame_length frame_stride num_filters fft_length low_frequency"
        names = f"{names} high_frequency implementation_version"
        return " ".join(f"{name}={getattr(self, name):g}" for name in names.split())

    def front_end(self, kind, **facts):
        step = self.samples(self.frame_stride)
        check_step("frame_stride in samples", step)
        return FrontEnd(
            description=f"Edge Impulse's {kind}: {self.description()}",
            rate=self.frequency,
            window=np.ones(min(self.samples(self.frame_length), self.fft_length)),
            n_fft=self.fft_length,
            step=step,
            divisor=self.fft_length,
            silence=SILENCE,
            least=LEAST,
            **facts,
        )


def mfe(block, noise_floor_db=-52, fine=False):
    """Return the MFE block, of version 3 or 4: decibels from the noise floor to 12 as 0 to 1."""
    block.check((3, 4))
    if not -1000 <= noise_floor_db < CEILING:
        raise InputError(
            f"noise_floor_db is {noise_floor_db:g}, -1000 to {CEILING - 1} dB expected"
        )
    span = CEILING - noise_floor_db
    if fine:
        lines = Lines(1 / (SHORT[1] + 1), 0, 0, SHORT[1], 2)
    else:
        ends = (round(end / block.scale) + block.zero_point for end in (0, 1))
        lines = Lines(block.scale, block.zero_point, *np.clip(list(ends), -128, 127).tolist())
    front = block.front_end(
        "MFE",
        bank=block.bank(),
        matrix=np.full(block.num_filters, DECIBELS / span),
        offsets=np.full(block.num_filters, -noise_floor_db / span),
        lines=lines,
        lag=1,
        emphasis=MFE_EMPHASIS,
    )
    return _described(front, noise_floor_db=noise_floor_db)


def mfcc(block, num_cepstral=13, win_size=101, pre_cof=0.98, pre_shift=1, fine=False):
    """Return the MFCC block: int16 lines, normalised over win_size lines; 0 is not normalised.

    fine  without normalising: int16 lines, too
    """
    block.check((1, 4))
    if not 1 <= num_cepstral <= block.num_filters:
        raise InputError(
            f"num_cepstral is {num_cepstral}, 1 to {block.num_filters} expected: num_filters"
        )
    if win_size and not (win_size % 2 and 1 <= win_size <= LARGEST_WINDOW):
        raise InputError(f"win_size is {win_size}, 0 or odd, 1 to {LARGEST_WINDOW}, expected")
    if not 0 <= pre_cof <= 1:
        raise InputError(f"pre_cof is {pre_cof:g}, 0 to 1 expected")
    if not 1 <= pre_shift <= LARGEST_SHIFT:
        raise InputError(f"pre_shift is {pre_shift}, 1 to {LARGEST_SHIFT} expected")
    if win_size and block.scale < FINEST:
        raise InputError(
            f"the scale of the model's input is {block.scale:g}, 1/1024 or more expected"
        )
    bank = block.bank()
    matrix = np.zeros((num_cepstral, len(bank) + 1))
    matrix[:, :-1] = dct(num_cepstral, len(bank))
    matrix[0] = [0] * len(bank) + [1]  # the energy of all bins stands in for the mean
    is_short = win_size or fine
    front = block.front_end(
        "MFCC",
        bank=np.vstack([bank, np.ones(bank.shape[1])]),
        matrix=log(2) * matrix,
        offsets=np.zeros(num_cepstral),
        lines=Lines(1 / FINE, 0, *SHORT) if is_short else Lines(block.scale, block.zero_point),
        amplitude=1,
        lag=pre_shift if pre_cof else 0,
        emphasis=pre_cof,
        normal=Normal(win_size, block.scale, block.zero_point) if win_size and not fine else None,
    )
    facts = {"num_cepstral": num_cepstral, "win_size": win_size}
    return _described(front, **facts, pre_cof=pre_cof, pre_shift=pre_shift)


def _described(front, **facts):
    """Return *front*, whose description ends with *facts*."""
    text = " ".join(f"{name}={value:g}" for name, value in facts.items())
    return replace(front, description=f"{front.description} {text}")
