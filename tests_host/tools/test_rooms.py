"""Every test is in a room, and what `make check` runs asks for no firmware."""

import ast

import pytest

from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

TESTS = ROOT / "tests_host"
ROOMS = {"runtime", "kernels", "tools", "firmware"}
# Each may import from those before it: see support/README.md.
SUPPORT = (
    *("native", "pages", "reference", "models", "draw"),
    *("cases", "nets", "judge", "expected", "device", "fuzz"),
)


def test_every_test_is_in_a_room():
    tests = [path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")]
    assert {path.parts[0] for path in tests} == ROOMS
    assert all(len(path.parts) == 2 for path in tests)


def imported(text):
    """Yield the first two parts of each module that *text* imports, without `support`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield parts[1] if parts[0] == "support" else parts[0]


def test_support_imports_from_its_own_folder_and_from_lower_ones():
    against = set()
    for path in (*TESTS.glob("support/**/*.py"), *TESTS.glob("cases/*.py"), TESTS / "judge.py"):
        parts = path.relative_to(TESTS).with_suffix("").parts
        own = parts[1] if parts[0] == "support" else parts[0]
        if own == "__init__":
            continue
        for other in imported(path.read_text()):
            if other in SUPPORT and SUPPORT.index(other) > SUPPORT.index(own):
                against.add(f"{own}: {path.name} imports {other}")
    assert sorted(against) == []


def test_every_file_of_support_is_in_a_folder_that_has_its_place():
    found = {path.parent.relative_to(TESTS / "support") for path in TESTS.glob("support/**/*.py")}
    folders = {path.parts[0] for path in found if path.parts}
    assert folders == {*SUPPORT} - {"cases", "judge"}
    loose = {path.name for path in (TESTS / "support").iterdir() if path.is_file()}
    assert loose == {"__init__.py", "README.md"}


def test_conftest_imports_nothing_of_support():
    text = (TESTS / "conftest.py").read_text()
    assert "support" not in text
    assert {*imported(text)} & {*SUPPORT} <= {"judge"}  # inside of the fixture `oracle`


def test_test_without_the_marker_cannot_build():
    with (
        pytest.raises(
            pytest.fail.Exception, match="asks for unix: it needs @pytest.mark.firmware"
        ),
        open_target("unix"),
    ):
        pass
