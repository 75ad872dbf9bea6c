"""Runs every file of tests_device/ on CPython; test_device_scripts.py runs them elsewhere."""

import subprocess
import sys

import pytest

from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import ExecError

FOLDER = ROOT / "tests_device"
SCRIPTS = sorted(FOLDER.glob("test_*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_device_script_passes_on_cpython(script):
    folders = f"{ROOT / 'host_tools'}:{ROOT / 'mp_modules'}"
    done = subprocess.run(
        [sys.executable, script],
        cwd=ROOT,
        env={"PYTHONPATH": folders, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_failing_test_on_device_is_reported():
    case = (
        "from tflm_tests import TestCase, main\n"
        "class Wrong(TestCase):\n"
        "    def test_sum(self):\n"
        "        self.assertEqual(1 + 1, 3)\n"
        "    def test_missing_error(self):\n"
        "        with self.assertRaises(ValueError):\n"
        "            pass\n"
        "    def test_skipped(self):\n"
        "        self.skipTest('not here')\n"
        "main()\n"
    )
    with open_target("unix") as target, pytest.raises(ExecError, match="SystemExit") as caught:
        target.exec(case)
    assert "AssertionError: 2 != 3" in caught.value.output
    assert "ValueError was not raised" in caught.value.output
    assert "Ran 3 tests, 1 skipped, 2 failed" in caught.value.output
