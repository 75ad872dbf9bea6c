"""Runs on the board for `tflm record`: prints the samples of its microphone.

The host sends this file, then calls its functions. What they say is one line of JSON behind MARK.
"""

import gc
import json
from binascii import b2a_base64

MARK = "tflm:"
CHUNK = 768  # bytes a line
mic = None


def emit(kind, value):
    print(MARK + json.dumps([kind, value]))


def begin(pins):
    """Start the microphone at *pins*: three of I2S, two of PDM, one of an ADC. Say its rate."""
    global mic  # noqa: PLW0603 - the state of a board is its names
    from tflm.sources import AdcMicrophone, I2SMicrophone, PdmMicrophone

    kinds = AdcMicrophone, PdmMicrophone, I2SMicrophone
    mic = kinds[len(pins) - 1](*pins)
    emit("rate", mic.rate)


def record(seconds):
    """Listen for *seconds* and say the samples, then how many were lost."""
    gc.collect()
    lost = mic.lost
    try:
        samples = mic.record(seconds)
    except MemoryError:
        need = 2 * int(seconds * mic.rate)
        raise ValueError(f"{need} bytes of samples, {gc.mem_free()} of heap are free") from None
    data = memoryview(samples.samples)
    for i in range(0, len(data), CHUNK):
        emit("sound", b2a_base64(data[i : i + CHUNK]).decode().strip())
    emit("lost", mic.lost - lost)


def end():
    """Stop the microphone."""
    mic.close()


def attempt(function, *args):
    """Call *function*; report what it raises."""
    try:
        function(*args)
    except (ImportError, ValueError, MemoryError, OSError) as error:
        emit("error", [type(error).__name__, str(error)])
