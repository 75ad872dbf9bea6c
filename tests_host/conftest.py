"""What the tests share: where the models of others are, and the oracle."""

import gc
import os
import signal
from pathlib import Path

import pytest

import skips
from tflm_host.model import native
from tflm_host.places import ROOT
from tflm_host.targets import build

# What a shell starts in the background ignores Ctrl-C, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.pop("COLUMNS", None)  # pytest -n sets it; what tests compare is as wide as in a pipe

SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared():
    """The folder beside the clone that holds models of others and golden figures."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder {SHARED.name} beside the clone: models of others are not tested")
    return SHARED


@pytest.fixture(scope="session")
def zoo(request):
    """The folder of .tflite files trained by others: $TFLM_MODEL_ZOO, or shared/models."""
    named = os.environ.get("TFLM_MODEL_ZOO")
    return Path(named) if named else request.getfixturevalue("shared") / "models"


@pytest.fixture(scope="session")
def oracle():
    """TensorFlow Lite Micro, one process for the whole run; judge.py adds operators."""
    pytest.importorskip("tflite_micro", reason="tflite-micro is not installed")
    from judge import shared_judge  # it imports the cases of all families

    return shared_judge()


@pytest.fixture
def isa(request, monkeypatch):
    """Give `_tflm` the kernels of this ISA, compiled for this machine: see each_isa.py."""
    import _tflm  # where tests need no kernels, nothing compiles them

    monkeypatch.setenv("TFLM_ISA", request.param)
    monkeypatch.setattr(_tflm, "isa", request.param)
    monkeypatch.setattr(_tflm, "_lib", native.load(isa=request.param))
    return request.param


def pytest_collection_modifyitems(config, items):
    """Give every test of the room `firmware` the marker of that name; others have it or not.

    Of several processes (pytest -n), none shall begin a long test when the others have ended:
    tests of firmware go first, quick ones last.
    """
    for item in items:
        if item.path.parent.name == "firmware":
            item.add_marker("firmware")
    if hasattr(config, "workerinput"):
        items.sort(key=_quickness)


def pytest_collection_finish():
    """Let no later garbage collection visit the tests and modules that are there now."""
    gc.collect()
    gc.freeze()


def _quickness(item):
    if item.get_closest_marker("firmware"):
        return 0
    return 1 if item.get_closest_marker("slow") else 2


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Fail a test that asks for a build without having the marker: `make check` builds none."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("firmware") is None:
            patch.setattr(build, "is_current", _not_marked)
        return (yield)


def _not_marked(target):
    pytest.fail(f"this test asks for {target}: it needs @pytest.mark.firmware")


# Of several processes (pytest -n) the first one gets all reports, and is the one that prints.


def pytest_terminal_summary(terminalreporter):
    """Say how many tests were skipped, by cause."""
    reports = terminalreporter.getreports("skipped")
    if reports:
        terminalreporter.section("skipped, by cause")
    for cause, count in skips.causes(reports):
        terminalreporter.write_line(f"{count:5}  {cause}")
    for cause in skips.unexcused(reports, SHARED):
        terminalreporter.write_line(f"{SHARED} is there, and yet: {cause}", red=True)


def pytest_sessionfinish(session):
    """Fail continuous integration where shared/ is there and a test was skipped for want of it."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and skips.unexcused(reporter.getreports("skipped"), SHARED):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
