"""Runs: one at a time in an arena, whose memory is its own."""

import random
import subprocess
import sys
import threading

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain, run, svdf
from tflm.base.arena import FORGOTTEN, IDLE, LOST, _claims
from tflm.load.op_resolver import default_resolver
from tflm.run import graph
from tflm_host.places import ROOT
from tflm_host.targets.open_target import open_target

VALUES = [-3, 0, 5, 127]
ANSWER = [0, 0, 5, 127]


def custom(invoke):
    """Return a model of RELU, a custom operator and RELU, and a resolver for it."""
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(4)]
    for i, name in enumerate(("RELU", "Own", "RELU")):
        b.op(name, tensors[i : i + 1], tensors[i + 1 : i + 2])
    resolver = default_resolver()
    resolver.add_custom("Own", tflm.Registration(invoke=invoke))
    return b.build(tensors[:1], tensors[-1:]), resolver


def copy(ctx, node):
    ctx.output_data(node, 0)[:] = ctx.input_data(node, 0)


@pytest.mark.parametrize("where", ["hook", "operator"])
def test_run_within_a_run_raises_and_spoils_nothing(where):
    def again(_node=None):
        for other in (interp, sharing):
            with pytest.raises(tflm.StateError, match="a run is going on in this arena"):
                other.invoke()
        run(alone, VALUES)

    def invoke(ctx, node):
        if where == "operator":
            again()
        copy(ctx, node)

    arena = tflm.Arena(4096)
    model, resolver = custom(invoke)
    interp = tflm.Interpreter(model, arena, resolver=resolver)
    sharing = tflm.Interpreter(chain(), arena)
    alone = tflm.Interpreter(chain())
    interp.on_node = again if where == "hook" else None
    for _ in range(2):
        assert run(interp, VALUES) == ANSWER
    interp.on_node = None
    assert run(sharing, VALUES) == ANSWER


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["hook", "operator"])
def test_run_that_an_exception_ended_can_be_repeated(where, error):
    def fail(_node):
        raise error

    def invoke(ctx, node):
        if where == "operator" and fails:
            raise error
        copy(ctx, node)

    fails = True
    model, resolver = custom(invoke)
    interp = tflm.Interpreter(model, resolver=resolver)
    interp.on_node = fail if where == "hook" else None
    with pytest.raises(error):
        interp.invoke()
    fails = False
    interp.on_node = None
    assert run(interp, VALUES) == ANSWER


def test_run_that_an_operator_aborted_can_be_repeated():
    answers = [tflm.ABORT, None]

    def invoke(ctx, node):
        copy(ctx, node)
        return answers.pop(0)

    model, resolver = custom(invoke)
    interp = tflm.Interpreter(model, resolver=resolver)
    run(interp, VALUES)
    assert run(interp, VALUES) == ANSWER


def test_node_that_ends_the_run_is_seen_by_the_hook():
    model, resolver = custom(lambda _ctx, _node: tflm.ABORT)
    interp = tflm.Interpreter(model, resolver=resolver)
    seen = []
    interp.on_node = seen.append
    run(interp, VALUES)
    assert seen == [0, 1]


def test_threads_with_one_interpreter_get_answers_or_state_errors():
    interp = tflm.Interpreter((ROOT / "models" / "digits_cnn.tflite").read_bytes())
    interp.inputs[0].data[:] = bytes(interp.inputs[0].nbytes)
    outcomes = []

    def work():
        for _ in range(300):
            try:
                interp.invoke()
                outcomes.append("ran")
            except tflm.StateError:
                outcomes.append("refused")

    before = interp.arena._gate[1]
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 900
    assert outcomes.count("ran") == interp.arena._gate[1] - before > 0
    interp.invoke()


def test_arenas_that_are_gone_are_forgotten():
    memories = [bytearray(64) for _ in range(100)]
    arenas = [tflm.Arena(memory) for memory in memories]
    assert len(_claims) <= 32 < len(arenas)
    tflm.Arena(memories[-1])
    assert arenas[-1]._gate[0] == LOST


@pytest.mark.parametrize("others", [31, 32, 33, 70])
def test_first_interpreter_does_not_run_in_memory_that_a_second_had(others):
    memory = bytearray(8192)
    first = tflm.Interpreter(chain(9, 64), memory)
    kept = [bytearray(64) for _ in range(others)]
    arenas = [tflm.Arena(one) for one in kept]
    run(tflm.Interpreter(svdf(), memory), VALUES)
    for call in (first.invoke, lambda: first.inputs, lambda: first.inputs[0].data):
        with pytest.raises(tflm.StateError, match="give both the same tflm.Arena object"):
            call()
            list(first.inputs[0])
    assert arenas


def test_forgotten_interpreter_does_not_run_within_the_run_of_a_second(monkeypatch):
    monkeypatch.setattr(
        tflm.base.arena, "_sum", lambda _view, _gate: 0
    )  # the bytes look as they did
    memory = bytearray(8192)
    first = tflm.Interpreter(chain(), memory)
    arenas = [tflm.Arena(bytearray(64)) for _ in range(40)]
    second = tflm.Interpreter(chain(), memory)

    def within(_node):
        for _ in range(2):
            with pytest.raises(tflm.StateError, match="a run is going on"):
                first.invoke()

    second.on_node = within
    assert run(second, VALUES) == ANSWER
    assert len(arenas) == 40


@pytest.mark.parametrize("options", [{}, {"keep_inputs": True}])
def test_kept_view_of_an_input_may_be_written_while_others_make_arenas(options):
    interp = tflm.Interpreter(chain(), bytearray(4096), **options)
    kept = interp.inputs[0].data
    arenas = [tflm.Arena(bytearray(64)) for _ in range(40)]
    assert interp.arena._gate[0] == FORGOTTEN
    kept[:] = bytes([value & 0xFF for value in VALUES])
    assert interp.inputs[0].nbytes == len(kept)
    interp.invoke()
    assert list(interp.outputs[0]) == ANSWER
    assert len(arenas) == 40


def forgotten(arena):
    """Make so many arenas that *arena* is forgotten; return them."""
    others = [tflm.Arena(bytearray(64)) for _ in range(40)]
    assert arena._gate[0] == FORGOTTEN
    return others


@pytest.mark.parametrize("seed", range(6))
def test_more_inputs_than_a_gate_has_words_for_may_be_written(seed):
    arena = tflm.Arena(bytearray(4096))
    views = [arena.buf[at : at + 16] for at in (512, 64, 128, 256, 320, 1024)]
    order = random.Random(seed).sample(views, len(views))
    for view in order + order[seed:]:
        arena._leave_out(view)
    forgotten(arena)
    for view in views:
        view[:] = bytes(range(16))
    arena._claim_again()
    assert arena._gate[0] == IDLE
    forgotten(arena)
    arena.buf[48] = 1
    arena._claim_again()
    assert arena._gate[0] == LOST


@pytest.mark.parametrize("at", [0, 63, 80, 127, 144, 4095])
def test_bytes_beside_an_input_that_others_wrote_are_noticed(at):
    arena = tflm.Arena(bytearray(4096))
    for start in (128, 64) * 3:  # an input is left out once, however often it is written
        arena._leave_out(arena.buf[start : start + 16])
    at = min(at, arena.size - 1)
    forgotten(arena)
    arena.buf[at] ^= 1
    arena._claim_again()
    assert arena._gate[0] == LOST


def test_input_of_no_bytes_leaves_nothing_out():
    arena = tflm.Arena(bytearray(4096))
    arena._leave_out(arena.buf[4080:4080])
    forgotten(arena)
    arena.buf[0] ^= 1
    arena._claim_again()
    assert arena._gate[0] == LOST


def test_many_interpreters_in_memories_of_their_own_all_run():
    memories = [bytearray(4096) for _ in range(70)]
    interps = [tflm.Interpreter(chain(), memory) for memory in memories]
    for interp in interps * 2:
        assert run(interp, VALUES) == ANSWER
    for interp in interps:
        assert list(interp.outputs[0]) == ANSWER


def test_second_interpreter_in_a_bytearray_takes_it():
    memory = bytearray(8192)
    first = tflm.Interpreter(chain(9, 64), memory)
    kept = first.inputs[0], first.outputs[0]
    second = tflm.Interpreter(svdf(), memory)
    calls = [
        first.invoke,
        first.reset,
        lambda: first.tensor(1),
        lambda: kept[0].assign(bytes(64)),
        lambda: kept[0].data,
        lambda: list(kept[1]),
    ]
    for call in calls:
        with pytest.raises(tflm.StateError, match="give both the same tflm.Arena object"):
            call()
    alone = tflm.Interpreter(svdf())
    assert run(second, VALUES) == run(alone, VALUES)
    assert run(second, VALUES) == run(alone, VALUES)


def test_interpreter_in_the_memory_of_one_that_is_gone_runs():
    memory = bytearray(8192)
    for _ in range(3):
        interp = tflm.Interpreter(chain(), memory)
        assert run(interp, VALUES) == ANSWER
    halves = [tflm.Interpreter(chain(), memoryview(memory)[at : at + 4096]) for at in (0, 4096)]
    for half in halves * 2:
        assert run(half, VALUES) == ANSWER


@pytest.mark.parametrize("is_watched", [False, True])
@pytest.mark.parametrize("length", [1, 2, 3, 9])
def test_arena_that_its_owner_wrote_over_raises_state_error(length, is_watched):
    memory = bytearray(8192)
    interp = tflm.Interpreter(chain(length), memory)
    assert run(interp, VALUES)
    interp.on_node = len if is_watched else None  # never called
    memory[:] = b"\x55" * len(memory)
    for _ in range(2):
        interp.inputs[0].assign(VALUES)
        with pytest.raises(tflm.StateError, match="node 0: the arena was overwritten"):
            interp.invoke()


@pytest.mark.firmware
@pytest.mark.parametrize("target", ["unix-asan", "MPS2_AN386", "MICROBIT"])
def test_board_says_that_its_arena_was_written_over(target):
    code = (
        "import tflm\nmemory = bytearray(4096)\n"
        "interp = tflm.Interpreter(PATH, memory)\n"
        "for i in range(len(memory)):\n    memory[i] = 0x55\n"
        "try:\n    interp.invoke()\nexcept tflm.StateError as error:\n    print(error)"
    )
    with open_target(target, models=[("chain", chain())]) as device:
        said = device.exec(code.replace("PATH", repr(device.path("chain"))))
    assert said.strip() == "node 0: the arena was overwritten: make a new interpreter"


def test_memory_of_a_run_is_not_given_away():
    def steal(_node):
        with pytest.raises(tflm.StateError, match="a run is going on"):
            tflm.Interpreter(chain(), memory)

    memory = bytearray(8192)
    interp = tflm.Interpreter(chain(), memory)
    interp.on_node = steal
    assert run(interp, VALUES) == ANSWER


def test_hook_may_remove_or_replace_itself():
    interp = tflm.Interpreter(chain(4))
    seen = []

    def second(node):
        seen.append(("second", node))
        interp.on_node = None

    def first(node):
        seen.append(("first", node))
        interp.on_node = second

    interp.on_node = first
    assert run(interp, VALUES) == ANSWER
    assert seen == [("first", 0), ("second", 1)]
    assert run(interp, VALUES) == ANSWER
    assert len(seen) == 2


@pytest.mark.parametrize("state", ["new", "closed", "closed before it was allocated"])
def test_call_that_needs_memory_raises_state_error_without(state):
    interp = tflm.Interpreter(chain(), allocate=state == "closed")
    if state != "new":
        interp.close()
    calls = [interp.profile, interp.reset, lambda: interp.tensor(0), lambda: interp.on_node]
    calls.append(lambda: setattr(interp, "on_node", print))
    if state != "new":
        calls += [interp.invoke, interp.allocate_tensors]
    for call in calls:
        with pytest.raises(
            tflm.StateError, match="closed" if state != "new" else "allocate_tensors"
        ):
            call()


def test_reasons_stand_in_the_order_of_the_gate():
    assert [bool(reason) for reason in graph.WHY_NOT] == [False, True, True, True, True, True]


def test_measuring_variables_takes_no_memory_for_them():
    script = """
import resource, sys, tflm
from support.models.model_builder import ModelBuilder, Quant
b = ModelBuilder()
x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 3)) for _ in range(2))
for _ in range(5):
    b.tensor([50_000_000], "INT8", Quant(0.1, 0), variable=True)
b.op("RELU", [x], [y])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    tflm.Interpreter(b.build([x], [y]), bytearray(1000))
except tflm.ArenaError as error:
    print(error.requested)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    paths = [str(ROOT / name) for name in ("mp_modules", "host_tools", "tests_host")]
    environment = {"PYTHONPATH": ":".join(paths)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    figures, kilobytes = done.stdout.splitlines()
    assert figures == "250000064"
    assert int(kilobytes) < 20_000
