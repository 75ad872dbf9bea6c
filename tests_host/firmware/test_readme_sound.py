"""README's block of sound, in `tflm repl RPI_PICO --mic`."""

import re
import subprocess
import sys
from array import array

import pytest

from support.device.rp2040js import require_rp2040js
from tflm.sources import Samples
from tflm_host.places import ROOT

pytestmark = pytest.mark.firmware

BANDS = 40
RATE = 16000
LOW, HIGH = 500, 3000  # Hz
BLOCKS = " .:-=+*#%@"


@pytest.fixture
def node():
    require_rp2040js()


def triangle(hertz, seconds):
    """Return samples of a triangle wave."""
    phases = [i * hertz * 65536 // RATE % 65536 for i in range(int(seconds * RATE))]
    return [abs(phase - 32768) // 2 - 8192 for phase in phases]


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize(
    "microphone",
    [
        "I2SMicrophone(sck=16, ws=17, sd=18)",
        "AdcMicrophone(26)",
        "PdmMicrophone(clk=14, data=15)",
    ],
)
def test_block_shows_the_pitch_of_two_tones(tmp_path, microphone):
    (block,) = re.findall(r"```py\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert microphone in block
    code = block.replace("import I2SMicrophone", "import " + microphone.split("(")[0])
    code = re.sub("mic = .*", f"mic = {microphone}", code)
    sound = triangle(LOW, 0.5) + triangle(HIGH, 0.5)
    Samples(array("h", sound)).save(str(tmp_path / "tones.wav"))
    command = [sys.executable, "-m", "tflm_host", "repl", "RPI_PICO", "--mic"]
    done = subprocess.run(
        [*command, tmp_path / "tones.wav"], input=code, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    check, *rows = done.stdout.splitlines()
    assert re.fullmatch(r"1[56],\d{3} Hz, level -1\d dB, 0 of 8,000 clipped", check)
    assert len(rows) == 20
    assert {len(row) for row in rows} == {BANDS}
    loudest = {max(range(BANDS), key=lambda i, row=row: BLOCKS.index(row[i])) for row in rows}
    assert min(loudest) < 15 < 25 < max(loudest), rows
