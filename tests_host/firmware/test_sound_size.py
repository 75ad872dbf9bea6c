"""What sound takes of a Pico's flash."""

import pytest

from tflm_host.generate.squeeze import SERVICES
from tflm_host.measure.firmware_size import flash_of_modules, flash_of_objects
from tflm_host.places import BUILD
from tflm_host.targets.build import build

pytestmark = pytest.mark.firmware

PYTHON = 10 * 1024 + 128  # with the names of what other sensors need, and tables for all names
C = 9 * 1024
OBJECTS = r"/tflm/(audio/(?!mel|pdm)\w+|kernels/\w+/audio_\w+|microphone_rp2)\.c\.o$"
MEL_PYTHON = 2 * 1024
MEL_C = 2560
PDM_C = 1280
PDM_OBJECTS = r"/tflm/audio/pdm\.c\.o$"
MEL_OBJECTS = r"/tflm/audio/mel\w*\.c\.o$"


def test_sound_takes_10_kb_of_python_and_9_kb_of_c_on_a_pico():
    build("RPI_PICO")
    text = (BUILD / "RPI_PICO" / "firmware.elf.map").read_text()
    python = flash_of_modules(text, SERVICES["listen"])
    assert 8 * 1024 < python <= PYTHON
    assert 6 * 1024 < flash_of_objects(text, OBJECTS) <= C


def test_filters_of_pdm_take_1280_bytes_of_c_more():
    build("RPI_PICO")
    text = (BUILD / "RPI_PICO" / "firmware.elf.map").read_text()
    assert 512 < flash_of_objects(text, PDM_OBJECTS) <= PDM_C


def test_log_mel_and_mfcc_take_2_kb_of_python_and_2560_bytes_of_c_more():
    """Without the transforms, which the operators of signals have, too."""
    build("RPI_PICO")
    text = (BUILD / "RPI_PICO" / "firmware.elf.map").read_text()
    assert 1024 < flash_of_modules(text, SERVICES["mel"]) <= MEL_PYTHON
    assert 2048 < flash_of_objects(text, MEL_OBJECTS) <= MEL_C
