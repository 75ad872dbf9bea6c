"""Every test is in a room, and what `make check` runs asks for no firmware."""

import pytest

from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

TESTS = ROOT / "tests_host"
ROOMS = {"runtime", "kernels", "tools", "firmware"}


def test_every_test_is_in_a_room():
    tests = [path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")]
    assert {path.parts[0] for path in tests} == ROOMS
    assert all(len(path.parts) == 2 for path in tests)


def test_test_without_the_marker_cannot_build():
    with (
        pytest.raises(
            pytest.fail.Exception, match="asks for unix: it needs @pytest.mark.firmware"
        ),
        open_target("unix"),
    ):
        pass
