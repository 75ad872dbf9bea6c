"""Sound that a program does not import costs it no RAM, and a Pico little flash."""

import re
import subprocess

import pytest

from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.open_target import open_target

MODULES = ("audio", "ear", "hearing", "sources", "stream")
NM = "arm-none-eabi-nm"
C_BYTES = 9 << 10  # code and tables of the front ends
FROZEN = re.compile(r"frozen|fun_data|const_|proto_fun|children|raw_code")


def symbols(board):
    """Return [(bytes, letter of the section, name)] of the firmware of *board*."""
    build(board)
    command = [NM, "--print-size", "--defined-only", str(load_board(board).firmware)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(int(row[1], 16), row[2], row[3]) for row in rows if len(row) == 4]


@pytest.mark.parametrize("board", ["MPS2_AN386", "RPI_PICO"])
def test_front_ends_have_no_static_ram_and_fit(board):
    found = [row for row in symbols(board) if "audio" in row[2] and not FROZEN.match(row[2])]
    assert len(found) > 12
    assert {letter for _, letter, _ in found} <= set("tTrR")
    assert 4000 < sum(nbytes for nbytes, _, _ in found) < C_BYTES


@pytest.mark.parametrize("board", ["MPS2_AN386", "RPI_PICO"])
def test_tflm_imports_no_module_of_sound(board):
    code = "import tflm, sys; print([m for m in sys.modules if m.startswith('tflm')])"
    with open_target(board) as target:
        loaded = target.exec(code)
        assert "tflm" in loaded
        assert not [name for name in MODULES if f"'tflm.{name}'" in loaded]
        more = target.exec("import tflm.audio; print([m for m in sys.modules])")
        assert "tflm.audio" in more
