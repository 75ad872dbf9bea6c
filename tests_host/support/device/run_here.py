"""Runs a program of examples/ with the Python of the tests."""

import os
import subprocess
import sys

from tflm_host.places import ROOT


def run_here(*command):
    """Return what Python prints that runs *command*, a program and its arguments, in the clone."""
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
