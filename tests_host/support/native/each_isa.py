"""Runs a test once more for each ISA, with its kernels, compiled for this machine, in `_tflm`.

Instructions that this machine lacks are plain C. The fixture `isa` of conftest.py loads them.
"""

import functools

import pytest

from tflm_host.generate.sources import PORTABLE, isa_names

ISAS = tuple(name for name in isa_names() if name != PORTABLE)


def with_each_isa(test, isas=ISAS, **only):
    """Return *test*, parametrised by *isas*. *only*: values in place of those of a parameter."""

    @functools.wraps(test)
    def run(**arguments):
        test(**arguments)

    marks = [mark for mark in getattr(test, "pytestmark", ()) if not _is_of(mark, only)]
    marks += [pytest.mark.parametrize(*values).mark for values in only.items()]
    run.pytestmark = marks
    for mark in (
        pytest.mark.usefixtures("isa"),
        pytest.mark.parametrize("isa", isas, indirect=True),
        pytest.mark.slow,
    ):
        run = mark(run)
    return run


def _is_of(mark, names):
    return mark.name == "parametrize" and mark.args[0] in names


def grouped(names):
    """Return *names* of kernels as parameters of tests: those of one kernel run in one process."""
    return [pytest.param(name, marks=pytest.mark.xdist_group(f"kernel {name}")) for name in names]


def with_part(names, parts):
    """Return the *names* that hold one of *parts*; each of these must be in one at least."""
    names = list(names)
    unused = [part for part in parts if not any(part in name for name in names)]
    if unused or not parts:
        raise ValueError(f"no name holds {unused}")
    return [name for name in names if any(part in name for part in parts)]
