"""What is said to fit on a board loads and runs there; what misses more than 8 KB does not."""

import shutil

import pytest

from support.models.edge_models import (
    TOO_CAREFUL,
    at_edge,
    prepared_for,
    report_of,
    runs_on,
    wide,
    wrong_about,
)
from tflm_host.report import room
from tflm_host.targets.boards import board_facts
from tflm_host.targets.emulator import QEMU

BOARDS = ("MICROBIT", "NETDUINOPLUS2", "MPS2_AN386", "RPI_PICO")
# Zoo models whose arena was said to fit, but lay in no single piece of the heap.
FRAGMENTED = {
    "sipeed+TinyMaix/mbnet128_0.25_q-01613b": "MICROBIT",
    "mlcommons+tiny/pretrainedResnet-b5c004": "MICROBIT",
    "mlcommons+tiny/vww_96_float-115bbc": "MICROBIT",
    "mit-han-lab+tinyengine/vww-dfd1a2": "RPI_PICO",
}
# A node counts as one of a convolution, whose parameters and plan take some 100 bytes more than
# those of RELU.
TOO_CAREFUL_OF_RELU = TOO_CAREFUL + 40 * 110
MAKERS = {
    "one node": lambda _: lambda width: wide(1, width),
    "forty nodes": lambda _: lambda width: wide(38, width),
    "prepared": prepared_for,
}


@pytest.fixture(params=BOARDS)
def board(request):
    program = "node" if request.param == "RPI_PICO" else QEMU
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    return request.param


@pytest.mark.firmware
@pytest.mark.parametrize("kind", MAKERS)
def test_edge_of_fitting_is_where_it_is_said_to_be(board, kind):
    make = MAKERS[kind](board)
    careful = TOO_CAREFUL_OF_RELU if kind == "forty nodes" else TOO_CAREFUL
    fitting, lacking = (at_edge(board, make, left) for left in (0, -careful - 16))
    (facts,) = board_facts([board])
    assert room.fits(report_of(fitting), facts)
    assert not room.fits(report_of(lacking), facts)
    loaded, refused = runs_on(board, [fitting, lacking])
    assert loaded is None
    assert refused is not None
    assert refused[0] in ("ArenaError", "MemoryError", "TargetError")


@pytest.mark.firmware
@pytest.mark.parametrize("name", FRAGMENTED)
def test_zoo_model_that_is_said_to_fit_runs(shared, name):
    path = shared / "zoo" / "models" / f"{name}.tflite"
    found = wrong_about(path, FRAGMENTED[name])
    assert found is not None
    assert found[1] == ""
