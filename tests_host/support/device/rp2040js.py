"""What tests on the emulated Pico need of this machine."""

import shutil

import pytest


def require_rp2040js():
    """Skip where node or npm is missing."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: nothing here runs rp2040js")
