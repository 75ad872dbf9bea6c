"""The emulated Pico's PDM microphone: a WAV comes in as single bits, sample for sample."""

from array import array
from binascii import crc32

import numpy as np
import pytest

from support.device.microphones import NO_HEAP
from support.device.rp2040js import require_rp2040js
from support.reference.pdm_model import BITS, bits_of, samples_of
from tflm.sources import Samples
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import TargetError

RATE = 16000
SECONDS = 600  # of this machine
BLOCK = 320  # samples that are read at a time
NEAR = 16  # samples
SETTLE = RATE // 16
HERTZ = 1000

SETUP = """
import gc, machine, rp2, time
from binascii import crc32, hexlify
from tflm.sources import PdmMicrophone
buffer = bytearray(640)
def start(**options):
    global mic
    mic = PdmMicrophone(clk=14, data=15, **options)
"""

MANY = """
start()
sum = 0
for i in range(COUNT):
    if i == 20:
        first = time.ticks_us()  # no sample waits any more
    mic.readinto(buffer)
    sum = crc32(buffer, sum)
print(time.ticks_diff(time.ticks_us(), first), sum, mic.lost)
"""

PAUSES = """
start()
for i in range(4):
    if i % 2:
        time.sleep_ms(300)
    mic.readinto(buffer)
    print(hexlify(buffer).decode(), mic.lost)
"""

RATES = """
for rate in (8000, 22050):
    start(rate=rate)
    for i in range(8):
        mic.readinto(buffer)
    first = time.ticks_us()
    for i in range(20):
        mic.readinto(buffer)
    print(20 * 320 * 1000000 // time.ticks_diff(time.ticks_us(), first), mic.rate, mic.lost)
    mic.close()
"""

# Registers of an RP2040: state machines that run, and channels of DMA that are busy.
IDLE = """
running = [machine.mem32[base] & 15 for base in (0x50200000, 0x50300000)]
print(running, [i for i in range(12) if machine.mem32[0x50000010 + 64 * i] & 1 << 24])
"""

ALL_MACHINES = """
@rp2.asm_pio()
def nothing():
    nop()
machines = [rp2.StateMachine(i, nothing) for i in range(8)]
"""


@pytest.fixture(scope="module", autouse=True)
def _node():
    require_rp2040js()


@pytest.fixture(scope="module")
def tone():
    """Return a second of a tone of 1 kHz, with some noise."""
    wave = 20000 * np.sin(2 * np.pi * HERTZ / RATE * np.arange(RATE))
    noise = np.random.default_rng(27).normal(0, 2000, RATE)
    return np.round(wave + noise).astype(int).tolist()


@pytest.fixture
def pico(tone, tmp_path):
    path = tmp_path / "tone.wav"
    Samples(array("h", tone)).save(str(path))
    with open_target("RPI_PICO", mic=path) as target:
        target.exec(SETUP)
        yield target


def as_samples(text):
    return np.frombuffer(bytes.fromhex(text), "<i2").tolist()


@pytest.mark.parametrize("seconds", [1, pytest.param(30, marks=pytest.mark.long)])
def test_each_sample_is_the_models_at_its_time(pico, tone, seconds):
    count = 50 * seconds + 20
    spent, total, lost = map(int, pico.exec(f"COUNT = {count}" + MANY, SECONDS).split())
    samples = samples_of(bits_of(tone, (SETTLE + BLOCK * count) * BITS), settle=SETTLE)
    assert total == crc32(np.array(samples, "<i2").tobytes())
    assert abs(spent - seconds * 1_000_000) < seconds * 1000
    assert lost == 0


def test_pauses_are_told_as_the_samples_that_are_missing(pico, tone):
    lines = pico.exec(PAUSES, SECONDS).splitlines()
    heard = [as_samples(line.split()[0]) for line in lines]
    told = [int(line.split()[1]) for line in lines]
    assert told[0] == 0
    assert told[1] == told[2] >= 1500
    rows = np.array(bits_of(tone, 16000 * BITS)).reshape(-1, BITS)
    at = SETTLE + BLOCK
    for lost, first in ((told[1], 0), (told[3] - told[2], 2)):
        expected = heard[0] + heard[1] if first == 0 else sum(heard, [])
        for missing in sorted(range(lost - 64, lost + 64), key=lambda n: abs(n - lost)):
            kept = np.concatenate([rows[:at], rows[at + missing :][: 2 * BLOCK]])
            if samples_of(kept.ravel(), settle=SETTLE)[: len(expected)] == expected:
                break
        else:
            raise AssertionError(f"the samples after pause {first} are nowhere near")
        assert abs(missing - lost) <= NEAR
        rows = np.concatenate([rows[:at], rows[at + missing :]])
        at += 2 * BLOCK


def test_tone_is_70_db_above_what_microphone_and_filters_add(tmp_path):
    wave = np.round(29000 * np.sin(2 * np.pi * HERTZ / RATE * np.arange(RATE)))
    Samples(array("h", wave.astype(int).tolist())).save(str(tmp_path / "tone.wav"))
    with open_target("RPI_PICO", mic=tmp_path / "tone.wav") as target:
        target.exec(SETUP + "start()")
        target.exec("sound = mic.record(0.5).samples", SECONDS)
        text = target.exec("print(hexlify(sound).decode())", SECONDS).strip()
    found = np.array(as_samples(text), float)[-RATE // 4 :]
    times = 2 * np.pi * HERTZ / RATE * np.arange(len(found))
    waves = np.stack([np.sin(times), np.cos(times), np.ones(len(found))], axis=1)
    fit = waves @ np.linalg.lstsq(waves, found, rcond=None)[0]
    assert 10 * np.log10(fit.var() / (found - fit).var()) >= 70


def test_reading_takes_no_heap(pico):
    assert pico.exec("start()" + NO_HEAP, SECONDS) == "no heap 0\n"


def test_other_rates_come_in_time(pico):
    for line in pico.exec(RATES, SECONDS).splitlines():
        found, rate, lost = map(int, line.split())
        assert abs(found - rate) <= rate / 500
        assert lost == 0


def test_check_and_silence(pico):
    rate, level = pico.exec("start(); print(mic.check())", SECONDS).split(" Hz, ")
    assert abs(int(rate.replace(",", "")) - RATE) <= 48  # the last samples wait for a millisecond
    assert level == "level -7 dB, 0 of 8,000 clipped\n"
    absent = "mic = PdmMicrophone(clk=2, data='GPIO3'); print(mic.check())"
    assert pico.exec(absent, SECONDS) == "only zeros: DAT to pin GPIO3, SEL to GND?\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("PdmMicrophone(clk=4, data=4)", "clk and data are one pin"),
        ("PdmMicrophone(clk=4, data=99)", "invalid pin"),
        ("start(rate=4000)", "rate: 8000 to 48000 samples a second expected"),
        ("start(rate=48001)", "rate: 8000 to 48000 samples a second expected"),
        ("start(gain=0)", "gain: 1 to 64 expected"),
        ("start(gain=65)", "gain: 1 to 64 expected"),
        ("start(buffer=0)", "buffer: 1 to 9999 ms expected"),
        ("channels = [rp2.DMA() for i in range(11)]; start()", "two channels of DMA are needed"),
        (ALL_MACHINES + "start()", "PIO has no free state machine"),
    ],
)
def test_what_cannot_be_is_refused_by_name(pico, call, message):
    with pytest.raises(TargetError, match=message):
        pico.exec(call)


def test_pio_and_dma_end_with_the_microphone(pico):
    """By close(), and by a soft reset, to whose next program's heap it would write."""
    pico.exec("for i in range(40):\n    start()\n    mic.close()")
    assert pico.exec(IDLE) == "[0, 0] []\n"
    pico.exec("start(); mic.readinto(buffer)")
    running, busy = pico.exec(IDLE).split("] [")
    assert running != "[0, 0"
    assert busy == "0]\n"
    pico.exec("mic.close(); mic.close()")
    with pytest.raises(TargetError, match="the microphone is closed"):
        pico.exec("mic.readinto(buffer)")
    pico.exec("start()")
    pico.repl.enter(SECONDS)  # with a soft reset
    pico.exec("import machine")
    assert pico.exec(IDLE) == "[0, 0] []\n"
