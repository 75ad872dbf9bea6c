"""The emulated Pico's analogue microphone: a WAV comes in by ADC and DMA, sample for sample."""

from array import array
from binascii import crc32
from copy import copy

import numpy as np
import pytest

from support.device.microphones import NO_HEAP
from support.device.rp2040js import require_rp2040js
from support.reference.adc_model import HighPass, samples_of
from tflm.sources import Samples
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import TargetError

SECONDS = 600  # of this machine
BLOCK = 320  # samples that are read at a time
NEAR = 16  # samples
LATE = (
    40  # samples by which the first one of the microphone may be behind the first one of the ADC
)

SETUP = """
import gc, machine, time
from binascii import crc32, hexlify
from tflm.sources import AdcMicrophone
buffer = bytearray(640)
def start():
    global mic
    mic = AdcMicrophone(26)
    mic.readinto(buffer)
    return hexlify(buffer).decode()
"""

MANY = """
sum = crc32(buffer)
for i in range(COUNT):
    if i == 20:
        first = time.ticks_us()  # no sample waits any more
    mic.readinto(buffer)
    sum = crc32(buffer, sum)
spent = time.ticks_diff(time.ticks_us(), first)
print(spent, sum, mic.lost)
"""

PAUSE = """
time.sleep_ms(300)
mic.readinto(buffer)
print(hexlify(buffer).decode(), mic.lost)
"""

# Registers of an RP2040.
IDLE = """
import machine
many = machine.mem32[0x4004c000] & 8
busy = [i for i in range(12) if machine.mem32[0x50000010 + 64 * i] & 1 << 24]
print(many, busy)
"""


@pytest.fixture(scope="module", autouse=True)
def _node():
    require_rp2040js()


@pytest.fixture(scope="module")
def values():
    """Return a second of noise, as int16."""
    return np.random.default_rng(27).integers(-32768, 32768, 16000)


@pytest.fixture(scope="module")
def volts(values):
    """Return two minutes of what the ADC gives for it: 12 bits."""
    return np.tile((values + 32768) >> 4, 120).tolist()


@pytest.fixture
def pico(values, tmp_path):
    path = tmp_path / "noise.wav"
    Samples(array("h", values.tolist())).save(str(path))
    with open_target("RPI_PICO", mic=path) as target:
        target.exec(SETUP)
        yield target


def first_of(volts, heard):
    """Return which of *volts* is the first that *heard* has."""
    found = [i for i in range(LATE) if samples_of(volts[i : i + len(heard)]) == heard]
    assert len(found) == 1
    return found[0]


def as_samples(text):
    return np.frombuffer(bytes.fromhex(text), "<i2").tolist()


@pytest.mark.parametrize("seconds", [5, pytest.param(30, marks=pytest.mark.long)])
def test_each_sample_arrives_at_its_time(pico, volts, seconds):
    count = 50 * seconds + 20
    heard, counted = pico.exec(f"COUNT = {count}; print(start())" + MANY, SECONDS).splitlines()
    first = first_of(volts, as_samples(heard))
    spent, total, lost = counted.split()
    samples = samples_of(volts[first : first + BLOCK * (count + 1)])
    assert int(total) == crc32(np.array(samples, "<i2").tobytes())
    assert abs(int(spent) - seconds * 1_000_000) < seconds * 1000
    assert lost == "0"


def test_pause_is_told_as_the_samples_that_are_missing(pico, volts):
    heard, *pauses = pico.exec("print(start())" + PAUSE + PAUSE, SECONDS).splitlines()
    at = first_of(volts, as_samples(heard))
    model, before = HighPass(), 0
    for _ in range(BLOCK):
        model.take(volts[at])
        at += 1
    for text, lost in [line.split() for line in pauses]:
        told, before = int(lost) - before, int(lost)
        assert told >= 1500
        found = [
            (missing, after)
            for missing in range(told - 2 * NEAR, told + 2 * NEAR)
            for after in [copy(model)]
            if [after.take(v) for v in volts[at + missing :][:BLOCK]] == as_samples(text)
        ]
        assert len(found) == 1
        missing, model = found[0]
        assert abs(missing - told) <= NEAR
        at += missing + BLOCK


def test_reading_takes_no_heap(pico):
    pico.exec("start()")
    assert pico.exec(NO_HEAP, SECONDS) == "no heap 0\n"


def test_check_record_and_silence(pico):
    pico.exec("start()")
    rate, level = pico.exec("print(mic.check())", SECONDS).split(" Hz, ")
    assert abs(int(rate.replace(",", "")) - 16000) <= 16
    assert level.startswith("level -5 dB, ")
    pico.exec('mic.record(0.5).save("noise.wav")', SECONDS)
    saved = pico.exec("from tflm.sources import Wav; w = Wav('noise.wav'); print(w.rate, w.count)")
    assert saved.split() == ["16000", "8000"]
    assert pico.exec("print(mic.lost)") == "0\n"


def test_a_voltage_that_stands_still_names_the_pin(tmp_path):
    path = tmp_path / "silence.wav"
    Samples(bytes(32000)).save(str(path))
    with open_target("RPI_PICO", mic=path) as target:
        target.exec(SETUP + "start()")
        assert target.exec("print(mic.check())", SECONDS) == "only zeros: OUT to pin 26?\n"
        with pytest.raises(TargetError, match="Pin doesn't have ADC capabilities"):
            target.exec("AdcMicrophone(15)")


def test_dma_ends_with_the_microphone(pico):
    """By close(), by another one, and by a soft reset, whose heap it would write to."""
    pico.exec("start()")
    many, busy = pico.exec(IDLE).split(None, 1)
    assert (many, busy) == ("8", "[0]\n")
    pico.exec("old = mic; start()")
    assert pico.exec(IDLE).split(None, 1)[0] == "8"
    with pytest.raises(TargetError, match="the microphone is closed"):
        pico.exec("old.readinto(buffer)")
    pico.exec("old.close(); mic.readinto(buffer)")  # closes nothing of the new one's
    pico.exec("mic.close(); mic.close()")
    assert pico.exec(IDLE) == "0 []\n"
    pico.exec("start()")
    pico.repl.enter(SECONDS)  # with a soft reset
    assert pico.exec(IDLE) == "0 []\n"
