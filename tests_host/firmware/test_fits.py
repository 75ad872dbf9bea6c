"""What is said to fit on a board loads and runs there; what misses more than 8 KB does not."""

import shutil

import pytest

from support.models.edge_models import (
    TOO_CAREFUL,
    at_edge,
    loads_in,
    prepared_for,
    report_of,
    runs_on,
    wide,
    wrong_about,
)
from support.models.open_models import dilated
from tflm_host.places import ROOT
from tflm_host.report import room
from tflm_host.targets.boards import RP2_EMULATORS, board_facts, board_names, load_board

BOARDS = (*board_names(), *RP2_EMULATORS)
# Zoo models whose arena was said to fit, but lay in no single piece of the heap.
FRAGMENTED = {
    "sipeed+TinyMaix/mbnet128_0.25_q-01613b": "MICROBIT",
    "mlcommons+tiny/pretrainedResnet-b5c004": "MICROBIT",
    "mlcommons+tiny/vww_96_float-115bbc": "MICROBIT",
    "mit-han-lab+tinyengine/vww-dfd1a2": "RPI_PICO",
}
DS_CNN = ROOT / "models" / "digits_ds_cnn.tflite"
# Bytes that a model is said to leave. More than at one place, as pieces of heap may lie otherwise.
LEFT = (0, 300, 700, 1500)
MAKERS = {
    "one node": lambda _: lambda width: wide(1, width),
    "forty nodes": lambda _: lambda width: wide(38, width),
    "prepared": prepared_for,
}


# An emulated Pico takes minutes for forty nodes; M0PLUS has its kernels.
LONG = ("RPI_PICO", "forty nodes")
EDGES = [
    pytest.param(board, kind, marks=[pytest.mark.long] if (board, kind) == LONG else [])
    for board in BOARDS
    for kind in MAKERS
]


@pytest.fixture
def board(request):
    name = request.param
    program = "node" if name in RP2_EMULATORS else load_board(name).emulator
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    return request.param


@pytest.mark.firmware
@pytest.mark.parametrize(("board", "kind"), EDGES, indirect=["board"])
def test_edge_of_fitting_is_where_it_is_said_to_be(board, kind):
    make = MAKERS[kind](board)
    fitting, lacking = (at_edge(board, make, left) for left in (0, -TOO_CAREFUL - 16))
    (facts,) = board_facts([board])
    assert room.fits(report_of(fitting), facts)
    assert not room.fits(report_of(lacking), facts)
    loaded, refused = runs_on(board, [fitting, lacking])
    assert loaded is None
    assert refused is not None
    assert refused[0] in ("ArenaError", "MemoryError", "TargetError")


@pytest.mark.firmware
@pytest.mark.parametrize(
    "board", ["MICROBIT", pytest.param("MPS2_AN386", marks=pytest.mark.long)], indirect=True
)
def test_model_loads_in_the_heap_that_it_is_said_to_take(board):
    paths = [ROOT / "models" / f"{name}.tflite" for name in ("sine", "digits_cnn", "digits_gated")]
    models = {path.name: path.read_bytes() for path in [*paths, DS_CNN]}
    models["relus.tflite"] = wide(38, 512)
    for times in (1, 14):
        models[f"open{times}.tflite"] = dilated(is_open=True, times=times)
    told = loads_in(board, models, LEFT)
    assert [(name, left) for name, left, loaded in told if not loaded] == []
    told = loads_in(board, models, [-TOO_CAREFUL - 16])
    assert [name for name, _, loaded in told if loaded] == []


@pytest.mark.firmware
@pytest.mark.parametrize("name", FRAGMENTED)
def test_zoo_model_that_is_said_to_fit_runs(shared, name):
    path = shared / "zoo" / "models" / f"{name}.tflite"
    found = wrong_about(path, FRAGMENTED[name])
    assert found is not None
    assert found[1] == ""
