"""The kernels of each ISA, compiled for this machine (plain C for instructions that it lacks): the
tests of the portable ones, in another process."""

import os
import subprocess
import sys

import pytest

from tflm_host.places import ROOT

ISAS = ("armv6m", "dsp", "mve")


def passed_with_isa(isa, file, pattern):
    """Run the tests of *file* that match *pattern* with the kernels of *isa*; return how many.

    Those that need a firmware are left out: make would build it with TFLM_ISA in its environment.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file, "-k", pattern]
    command += ["-m", "not firmware"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "TFLM_ISA": isa},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    summary = done.stdout.splitlines()[-1].split()
    return int(summary[summary.index("passed,") - 1 if "passed," in summary else 0])


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("tests_host/kernels/test_kernels_c.py", "conv or fully or svdf"),
        (
            "tests_host/kernels/test_exact_host.py",
            "conv or fully or svdf or matmul or lstm or pool",
        ),
        ("tests_host/kernels/test_extremes_s16.py", "equal_tflm"),
        ("tests_host/kernels/test_quantize_f32.py", "equals_floats"),
        ("tests_host/kernels/test_exact_host.py", "zoo_models_random or alignment"),
        ("tests_host/kernels/test_constants.py", "equals_model"),
        ("tests_host/kernels/test_add.py", "all_pairs"),
        ("tests_host/kernels/test_conv_extremes.py", "equals_model"),
        ("tests_host/kernels/test_slices.py", "conv or fully or svdf or add_s8 or rows_up"),
    ],
)
def test_isa_kernels_pass_the_tests_of_the_portable_ones(isa, file, pattern):
    assert passed_with_isa(isa, file, pattern) > 0


@pytest.mark.parametrize("isa", ISAS)
def test_isa_library_is_another_one(isa):
    code = "import _tflm; print(_tflm.isa)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TFLM_ISA": isa, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == isa + "\n"
