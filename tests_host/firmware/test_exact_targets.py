"""Every MicroPython target gives TFLM's bytes, in the arena that the host predicts."""

import struct

import pytest

from cases import FAMILIES, OPS, VIPER
from support.expected.exact import mismatches, one_op_cases, zoo_cases
from support.models.model_builder import ModelBuilder
from tflm import Interpreter
from tflm_host.targets.boards import board_names, load_board
from tflm_host.targets.open_target import open_target
from tflm_host.targets.run import Job, run_jobs

VIPER_TARGETS = ("unix", "MPS2_AN386")
TARGETS = [(name, "c") for name in ("unix", *board_names())]
TARGETS += [(name, "viper") for name in VIPER_TARGETS]
PYTHON_HEAP = 56 * 1024  # bytes for loading one model after the other, besides the arena
# Portable C: the zoo and the scripts of tests_device show what another compiler makes of it.
RANDOM_BY_HAND = "VIRT_RV32"  # make exact BOARD=VIRT_RV32
FIRST_OF_ISA = ("unix", "M0PLUS", "MPS2_AN386", "MPS3_AN547")
SMALL_BOARD = "NETDUINOPLUS2"
SMALL_HEAP = 176 * 1024  # boards with less take the smaller models only, and no second arena
MODELS_PER_OP = 2  # in `make test`; as many others in `make test-long`


@pytest.fixture(scope="module")
def whole_models(oracle, zoo):
    return zoo_cases(oracle, zoo)


@pytest.fixture(scope="module", params=[0, pytest.param(1, marks=pytest.mark.long)])
def one_op_models(oracle, request):
    seeds = range(request.param * MODELS_PER_OP, (request.param + 1) * MODELS_PER_OP)
    return {op: one_op_cases(oracle, op, seeds) for op in OPS}


def run_on(target, backend, cases, **options):
    for judged in cases:
        judged.job.backend = backend
        judged.job.lock = options.get("lock", False)
        judged.job.probe = options.get("probe", False)
    return run_jobs(target, [judged.job for judged in cases])


def is_small(target):
    return target in board_names() and load_board(target).heap_size < SMALL_HEAP


def fits(target, judged):
    """Say whether model and arena go on *target*; all do, but for a board of 88 KB."""
    if not is_small(target):
        return True
    board, job = load_board(target), judged.job
    files = len(job.model) + sum(len(data) for fed in job.inputs for data in fed)
    arena = Interpreter(job.model).arena_used_bytes()
    return files < board.romfs_size and arena + PYTHON_HEAP < board.heap_size


@pytest.mark.parametrize(("target", "backend"), TARGETS)
def test_zoo_models_bytes_and_arena_equal_tflm_and_host(whole_models, target, backend):
    cases = [judged for judged in whole_models if fits(target, judged)]
    assert cases
    # Every invoke runs under heap_lock: one that allocates raises MemoryError.
    results = run_on(target, backend, cases, lock=True, probe=not is_small(target))
    assert mismatches(cases, results) == []
    for judged, result in zip(cases, results, strict=True):
        need = Interpreter(judged.job.model).arena_used_bytes()
        assert result.backend == backend
        assert result.arena_used_bytes == need, judged.job.name
        if judged.job.probe:
            assert result.exact == need, judged.job.name
            assert result.short == [need, need - 16, 16], judged.job.name


LARGE_MODEL = """
import gc, tflm
interp = tflm.Interpreter({path!r})
interp.invoke()
print(bytes(interp.outputs[0].data).hex(), interp.arena_used_bytes(), gc.threshold())
"""


@pytest.mark.parametrize("name", ["person_detect", "vww_96_int8", "pretrainedResnet_quant"])
def test_large_arena_on_a_heap_of_88_kb_equals_host(zoo, name):
    model = (zoo / f"{name}.tflite").read_bytes()
    interp = Interpreter(model)
    interp.invoke()  # on the zeros that a new arena holds
    expected = f"{bytes(interp.outputs[0].data).hex()} {interp.arena_used_bytes()} -1\n"
    with open_target(SMALL_BOARD, [(name + ".tflite", model)]) as target:
        assert target.exec(LARGE_MODEL.format(path=target.path(name + ".tflite"))) == expected


def test_run_model_with_bool_and_int64_inputs_loads_on_micropython():
    builder = ModelBuilder()
    inputs = [builder.tensor([2], dtype) for dtype in ("BOOL", "INT64", "FLOAT32")]
    output = builder.tensor([2], "FLOAT32")
    builder.op("RELU", [inputs[2]], [output])
    fed = [b"\0\1", bytes(16), struct.pack("<ff", -1.5, 2.5)]
    result = run_jobs("unix", [Job("types.tflite", builder.build(inputs, [output]), [fed])])[0]
    assert result.error is None
    assert result.outputs == [[struct.pack("<ff", 0, 2.5)]]


def drawn_targets():
    """Return TARGETS for random models: those that others have the kernels of are long."""
    return [
        pytest.param(name, backend, marks=() if name in FIRST_OF_ISA else pytest.mark.long)
        for name, backend in TARGETS
        if name != RANDOM_BY_HAND
    ]


@pytest.mark.parametrize(("target", "backend"), drawn_targets())
def test_one_op_random_models_bytes_equal_tflm(one_op_models, target, backend):
    ops = [op for op in OPS if backend == "c" or op in VIPER]
    if is_small(target):
        # 88 KB: loading a model of several subgraphs beside what others have imported takes more.
        ops = [op for op in ops if op not in FAMILIES["control"]]
    most = len(ops) // 5  # the modules of all families at once leave too little of 88 KB
    for first in range(0, len(ops), most):
        cases = [judged for op in ops[first : first + most] for judged in one_op_models[op]]
        assert mismatches(cases, run_on(target, backend, cases)) == []
