"""The microphone of the emulated Pico: a WAV comes in by I2S, sample for sample, in time.

Its PDM microphone hears the same wake word.
"""

import json
from array import array
from binascii import crc32

import numpy as np
import pytest

from support.device.rp2040js import require_rp2040js
from support.reference import pdm_model
from tflm import listen
from tflm.sources import Samples
from tflm_host.prepare import prepare
from tflm_host.targets.microphone import samples_of
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import TargetError

RAMP = 65536  # samples, each one above that before: a gap shows as a larger step
SECONDS = 600  # of this machine: PIO takes 2 million steps a second of sound
WAKE = {
    "type": "micro",
    "wake_word": "okay nabu",
    "model": "okay_nabu.tflite",
    "version": 2,
    "micro": {
        "probability_cutoff": 0.97,
        "feature_step_size": 10,
        "sliding_window_size": 5,
    },
}

LISTEN = """
import gc, time
from array import array
from tflm.sources import I2SMicrophone
mic = I2SMicrophone(sck=16, ws=17, sd=18)
buffer = bytearray(640)
samples = array("h", buffer)
class Watch:
    "Counts the samples that are missing between those that come."
    def __init__(self):
        self.last = None
        self.gaps = self.samples = 0
    def look(self):
        mic.readinto(samples)
        for value in samples:
            if self.last is not None:
                self.gaps += (value - self.last - 1) & 0xFFFF
            self.last = value
        self.samples += len(samples)
watch = Watch()
"""

PAUSES = """
for i in range(40):
    if i in (10, 25):
        time.sleep_ms(300)
    watch.look()
print(watch.samples, watch.gaps, mic.lost)
"""

FIRST_SECOND = """
mic.record(0.1)
start = time.ticks_us()
for i in range(50):
    mic.readinto(buffer)
    if i == 0:
        first = buffer[0] | buffer[1] << 8
print(first, buffer[-2] | buffer[-1] << 8, time.ticks_diff(time.ticks_us(), start), mic.lost)
"""

# What docs/audio.md shows for wake words; the source keeps a checksum of what it gave.
WAKE_WORD = """
import tflm, time
from binascii import crc32
from tflm.sources import I2SMicrophone, PdmMicrophone
ear = tflm.listen("/rom/okay_nabu.json")
class Heard:
    rate = 16000
    hint = None  # the sound begins with zeros
    count = sum = 0
    def __init__(self, mic, limit):
        self.mic, self.limit = mic, limit
    @property
    def lost(self):
        return self.mic.lost
    def readinto(self, buffer):
        if self.count >= self.limit:
            return 0
        count = self.mic.readinto(buffer)
        self.count += count // 2
        self.sum = crc32(buffer, self.sum)
        return count
heard = Heard(MICROPHONE, SAMPLES)
for event in ear(heard):
    print("event", event)
print("sound", heard.count, heard.sum, heard.lost)
"""


@pytest.fixture(scope="module", autouse=True)
def _node():
    require_rp2040js()


@pytest.fixture(scope="module")
def ramp(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "ramp.wav"
    values = [(i ^ 0x8000) - 0x8000 for i in range(RAMP)]
    Samples(array("h", values)).save(str(path))
    return path


@pytest.fixture(scope="module")
def pico(ramp):
    with open_target("RPI_PICO", mic=ramp) as target:
        target.exec(LISTEN)
        yield target


def test_samples_come_in_order_as_time_passes(pico):
    first, last, micros, lost = map(int, pico.exec(FIRST_SECOND, SECONDS).split())
    assert (last - first) % RAMP == 50 * 320 - 1
    assert 999_000 < micros < 1_001_000
    assert lost == 0


def test_pauses_are_told_as_lost_samples(pico):
    samples, gaps, lost = map(int, pico.exec(PAUSES, SECONDS).split())
    assert samples == 40 * 320
    assert gaps >= 2 * 1600
    assert abs(gaps - lost) <= 16


def test_check_and_record_on_the_board(pico):
    rate, level = pico.exec("print(mic.check())", SECONDS).split(" Hz, ")
    assert abs(int(rate.replace(",", "")) - 16000) <= 80
    assert level.startswith("level -")
    assert level.strip().endswith(" of 8,000 clipped")
    pico.exec('mic.record(2).save("hello.wav")', SECONDS)
    saved = pico.exec("from tflm.sources import Wav; w = Wav('hello.wav'); print(w.rate, w.count)")
    assert saved.split() == ["16000", "32000"]
    first, last = pico.exec(
        "w.readinto(buffer); a = array('h', buffer); print(a[0], a[319])"
    ).split()
    assert (int(last) - int(first)) % RAMP == 319


def by_i2s(sound, count):
    """Return *count* samples, as bytes, of those of *sound* over and over."""
    return (sound * (2 * count // len(sound) + 1))[: 2 * count]


def by_pdm(sound, count):
    """Return what PdmMicrophone makes of them, after 62 ms."""
    values = np.frombuffer(sound, "<i2").tolist()
    bits = pdm_model.bits_of(values, (count + 1000) * pdm_model.BITS)
    return np.array(pdm_model.samples_of(bits, settle=1000), "<i2").tobytes()


I2S, PDM = "I2SMicrophone(sck=16, ws=17, sd=18)", "PdmMicrophone(clk=14, data=15)"


@pytest.mark.parametrize(
    ("microphone", "chunks", "samples_of_sound"),
    [
        (I2S, 120, by_i2s),
        (PDM, 120, by_pdm),
        pytest.param(I2S, 1500, by_i2s, marks=pytest.mark.long),
        pytest.param(PDM, 1500, by_pdm, marks=pytest.mark.long),
    ],
)
def test_wake_word_hears_each_sample_and_the_events_of_the_pc(
    shared, tmp_path, microphone, chunks, samples_of_sound
):
    model = next((shared / "zoo").rglob("okay_nabu-0689ab.tflite")).read_bytes()
    sound = shared / "sense" / "data" / "nabu.wav"
    (tmp_path / "okay_nabu.tflite").write_bytes(model)
    (tmp_path / "okay_nabu.json").write_text(json.dumps(WAKE))
    files = [("okay_nabu.tflite", prepare(model, "armv6m")), tmp_path / "okay_nabu.json"]
    count = 320 * chunks
    code = WAKE_WORD.replace("MICROPHONE", microphone)
    with open_target("RPI_PICO", files, mic=sound) as target:
        printed = target.exec(f"SAMPLES = {count}" + code, SECONDS).splitlines()
    samples = samples_of_sound(samples_of(sound, "RPI_PICO"), count)
    assert printed[-1].split()[1:] == [str(count), str(crc32(samples)), "0"]
    ear = listen(str(tmp_path / "okay_nabu.json"))
    here = [f"event {event}" for event in ear(Samples(samples))]
    assert printed[:-1] == here
    assert here


def test_a_wav_of_another_rate_and_a_board_without_microphone_are_refused(tmp_path):
    path = tmp_path / "slow.wav"
    Samples(bytes(64), rate=8000).save(str(path))
    with pytest.raises(TargetError, match=r"8,000 samples a second, the microphone 16,000: sox"):
        open_target("RPI_PICO", mic=path)
    with pytest.raises(TargetError, match="MPS2_AN386 has no emulated microphone"):
        open_target("MPS2_AN386", mic=path)
