"""Spectral features on an emulated board, whose firmware has the module as a file."""

import shutil

import pytest

from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

SCRIPT = ROOT / "tests_device" / "test_spectral.py"
BOARD = "MPS2_AN386"
SECONDS = 600  # beside other work


@pytest.mark.long
@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")
def test_features_have_the_pcs_bits_on_a_board():
    module = ROOT / "mp_modules" / "tflm" / "spectral.py"
    with open_target(BOARD, models=[("lib/tflm/spectral.py", module.read_bytes())]) as board:
        printed = board.run_file(SCRIPT, SECONDS)
    assert "0 skipped, 0 failed" in printed, printed
