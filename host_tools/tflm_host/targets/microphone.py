"""The input of an emulated Pico's microphone: a wave file of 16,000 samples a second."""

from tflm.audio import RATE
from tflm.sources import Wav, spaced

from .boards import RP2_EMULATORS, folder_of
from .repl import TargetError


def refuse_rate(path, rate, listener):
    """Raise ValueError, with the line that cures it, unless *rate* is that of models of sound.

    listener  what the error says before the right rate, such as "the model takes"
    """
    if rate != RATE:
        raise ValueError(
            f"{path} has {spaced(rate)} samples a second, {listener} {spaced(RATE)}:"
            f" sox {path} -r {RATE} out.wav"
        )


def samples_of(path, target):
    """Return the samples of the wave file at *path*, int16 in bytes, for a microphone of *target*.

    Raises TargetError where *target* has no microphone or the file cannot be played to it.
    """
    if folder_of(target) not in RP2_EMULATORS:
        able = ", ".join(sorted(RP2_EMULATORS))
        raise TargetError(f"{target} has no emulated microphone; boards with one: {able}")
    try:
        wav = Wav(str(path))
        refuse_rate(path, wav.rate, "the microphone")
        samples = bytearray(2 * wav.count)
        wav.readinto(samples)
        wav.close()
    except (OSError, ValueError) as error:
        raise TargetError(str(error)) from None
    if not samples:
        raise TargetError(f"{path} has no samples")
    return bytes(samples)
