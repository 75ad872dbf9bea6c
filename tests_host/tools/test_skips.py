"""The count of skipped tests at the end of a run of pytest, and when a run fails for it."""

import os
import shutil
import subprocess
import sys

import pytest

from tflm_host.places import ROOT

TESTS = """
import pytest

def test_one(): pytest.skip("no folder shared beside the clone")
def test_two(): pytest.skip("qemu is not installed")
def test_three(): pytest.skip("no folder shared beside the clone")
def test_four(): pass
"""
MODULE = """
import pytest

pytest.skip("mypy is not installed", allow_module_level=True)
"""


@pytest.fixture
def clone(tmp_path):
    """A clone with conftest.py and three tests that skip, a folder shared beside it."""
    tests = tmp_path / "clone" / "tests_host"
    tests.mkdir(parents=True)
    for name in ("conftest.py", "skips.py"):
        shutil.copy(ROOT / "tests_host" / name, tests / name)
    text = (tests / "conftest.py").read_text()
    assert text.count("ROOT.parent") == 1
    (tests / "conftest.py").write_text(text.replace("ROOT.parent", f"Path({str(tmp_path)!r})"))
    (tests / "test_some.py").write_text(TESTS)
    (tests / "test_module.py").write_text(MODULE)
    (tmp_path / "shared").mkdir()
    return tmp_path


def run(clone, *arguments, **environment):
    own = {name: value for name, value in os.environ.items() if name != "CI"}
    paths = [clone / "clone" / "tests_host", ROOT / "mp_modules", ROOT / "host_tools"]
    own["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=paths[0],
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_skipped_tests_are_counted_by_cause(clone, processes):
    done = run(clone, "-n", processes)
    assert done.returncode == 0, done.stdout
    lines = done.stdout.partition("skipped, by cause")[2].splitlines()[1:4]
    assert [line.split(maxsplit=1) for line in lines] == [
        ["2", "no folder shared beside the clone"],
        ["1", "mypy is not installed"],
        ["1", "qemu is not installed"],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_ci_fails_where_shared_is_there_and_a_test_skipped_for_want_of_it(clone, processes):
    done = run(clone, "-n", processes, CI="true")
    assert done.returncode == 1, done.stdout
    assert "is there, and yet: no folder shared beside the clone" in done.stdout


@pytest.mark.slow
def test_ci_passes_where_shared_is_not_there_or_nothing_wants_it(clone):
    assert run(clone, "-n0", "-k", "two or four", CI="true").returncode == 0
    (clone / "shared").rmdir()
    assert run(clone, "-n0", CI="true").returncode == 0


def test_continuous_integration_asks_for_it():
    assert "export CI=true" in (ROOT / ".ci" / "run").read_text()
