"""IF, WHILE and CALL_ONCE: what holds for all, and what is refused."""

import os
import signal
import threading

import pytest

import tflm
from support.device import device_models
from support.models.control_models import STATES, counter, data, refused, run
from support.models.model_builder import ModelBuilder
from support.models.small_models import branch, subgraph
from tflm_host.prepare import prepare
from tflm_host.targets.open_target import open_target


@pytest.mark.parametrize("is_prepared", [False, True])
def test_reset_fills_variables_and_does_not_call_once_again_as_in_tflm(oracle, is_prepared):
    import _tflm  # a machine without a compiler has none

    oracle.load(counter())
    model = prepare(counter(), _tflm.isa) if is_prepared else counter()
    interp = tflm.Interpreter(model, prepared=True)
    for again in range(2):
        for state in STATES:
            assert run(interp, state) == oracle.invoke([state]), again
        oracle.reset()
        interp.reset()


def test_runs_begin_behind_call_once_when_it_is_over():
    interp = tflm.Interpreter(counter())
    run = interp.graph.runners[0].run
    assert run.first == 0
    interp.inputs[0].data[:] = STATES[1]
    interp.invoke()
    assert run.first == 1
    assert run() == 0  # nothing is left to Python
    seen = []
    interp.on_node = seen.append
    interp.invoke()
    assert seen == list(range(5))


def test_interpreters_of_one_model_have_their_own_variables():
    model, arena = tflm.Model(counter()), tflm.Arena(4096)
    expected = [run(tflm.Interpreter(model), STATES[1])]
    interps = [tflm.Interpreter(model, arena) for _ in range(2)] + [tflm.Interpreter(model)]
    for interp in interps:
        assert run(interp, STATES[1]) == expected[0]
    second = [run(interp, STATES[2]) for interp in interps]
    assert second[0] == second[1] == second[2] != expected[0]


@pytest.mark.parametrize("planner", ["overlap", "greedy", "linear"])
def test_subgraph_that_is_called_twice_spoils_nothing_in_between(oracle, planner):
    oracle.load(branch(3))
    interp = tflm.Interpreter(branch(3), planner=planner)
    for condition in (b"\0", b"\1"):
        for state in STATES:
            assert run(interp, condition, state) == oracle.invoke([condition, state])


def test_arena_of_16_bytes_less_is_too_small():
    for model in (counter(), branch(2), device_models.stream()):
        need = tflm.Interpreter(model).arena_used_bytes()
        tflm.Interpreter(model, need)
        with pytest.raises(tflm.ArenaError):
            tflm.Interpreter(model, need - 16)


def test_hook_and_profile_and_report_show_the_nodes_of_subgraphs():
    interp = tflm.Interpreter(branch(2))
    interp.inputs[0].data[:] = b"\0"
    seen = []
    interp.on_node = lambda node: seen.append((interp.graph.current_subgraph, node))
    interp.invoke()
    assert seen == [(2, 0), (0, 0), (2, 0), (0, 1), (0, 2)]
    interp.on_node = None
    interp.inputs[0].data[:] = b"\0"
    rows = interp.profile()
    assert [row[:2] for row in rows[:2]] == [("2:0", "RELU6"), (0, "IF")]
    assert [row[3] for row in rows] == [4] * 4
    nodes = interp.arena_report()["nodes"]
    assert [row[:2] for row in nodes[-2:]] == [("1:0", "RELU"), ("2:0", "RELU6")]
    assert nodes[-1][2] > 0


def test_prepared_model_shows_the_tensors_of_all_subgraphs():
    import _tflm

    interp = tflm.Interpreter(prepare(device_models.stream(), _tflm.isa), prepared=True)
    report = interp.arena_report()
    assert {row["subgraph"] for row in report["buffers"]} == {0, 1, 2, 3, 4, 5, 6} - {1}
    assert "resource 0" in [row["name"] for row in report["buffers"]]
    seen = []
    interp.on_node = lambda _node: seen.append(interp.graph.current_subgraph)
    assert run(interp, STATES[1])
    added = interp.model.subgraphs[4]
    assert 4 in seen
    assert interp.tensor(added.outputs[0], 4).nbytes == 4


def test_abort_in_a_subgraph_ends_the_run():
    b = ModelBuilder()
    condition, x, h, y = b.tensor([1], "BOOL"), data(b), data(b), data(b)
    b.op("IF", [condition, x], [h], then_subgraph=1, else_subgraph=2)
    b.op("Never", [h], [y])
    b.bind([condition, x], [y])
    subgraph(b, "then", "Stop")
    subgraph(b, "else")
    graph = b.subgraphs[-1]
    resolver, never = tflm.default_resolver(), []
    resolver.add_custom("Stop", tflm.Registration(invoke=lambda _c, _n: tflm.ABORT))
    resolver.add_custom("Never", tflm.Registration(invoke=lambda _c, _n: never.append(1)))
    interp = tflm.Interpreter(b.build(graph.inputs, graph.outputs), resolver=resolver)
    for hook in (None, lambda _node: None):
        interp.on_node = hook
        run(interp, b"\1", STATES[0])
        assert not never
    run(interp, b"\0", STATES[0])
    assert never == [1]


def test_error_in_a_subgraph_says_where_and_the_next_run_is_whole():
    interp = tflm.Interpreter(branch())

    def explode(_node):
        if interp.graph.current_subgraph == 1:
            raise OSError

    interp.on_node = explode
    interp.inputs[0].data[:] = b"\1"
    with pytest.raises(OSError):
        interp.invoke()
    assert (interp.graph.current_subgraph, interp.graph.current_operator) == (1, 0)
    interp.on_node = None
    assert run(interp, b"\1", STATES[1]) == run(tflm.Interpreter(branch()), b"\1", STATES[1])
    assert interp.graph.current_subgraph == 0


def test_ctrl_c_ends_an_endless_loop():
    # OR-Tools, which other tests use, leaves Ctrl-C to end the process.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    interp = tflm.Interpreter(device_models.endless())
    interp.graph.max_rounds = 1 << 30
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        interp.invoke()
    timer.join()
    for tensor in interp.inputs:
        tensor.data[:] = bytes(tensor.nbytes)
    interp.on_node = lambda _node: interp.graph.invoke_subgraph(99)
    with pytest.raises(IndexError):  # the gate is open again
        interp.invoke()


def test_loop_without_an_end_raises_state_error_that_names_it():
    interp = tflm.Interpreter(device_models.endless())
    assert interp.graph.max_rounds == 1 << 16
    for limit in (50, 7):
        interp.graph.max_rounds = limit
        interp.inputs[0][:] = STATES[0]
        text = rf"WHILE #0 in subgraph 0: .* after {limit} rounds"
        with pytest.raises(tflm.StateError, match=text):
            interp.invoke()
        assert interp.graph.rounds == limit


def test_rounds_of_earlier_runs_do_not_count():
    interp = tflm.Interpreter(device_models.stream())
    interp.graph.max_rounds = 4
    for _ in range(9):
        for tensor in interp.inputs:
            tensor.data[:] = bytes(tensor.nbytes)
        interp.invoke()
        assert interp.graph.rounds <= interp.graph.max_rounds


def loop_of(*calls):
    """Return the builder of a model whose subgraph i runs subgraph *calls*[i], None: none."""
    b = ModelBuilder()
    for i, call in enumerate(calls):
        if i:
            b.subgraph(f"number {i}")
        condition, x, y = b.tensor([1], "BOOL"), data(b), data(b)
        if call is None:
            b.op("RELU", [x], [y])
        else:
            b.op("IF", [condition, x, condition][:2], [y], then_subgraph=call, else_subgraph=call)
        b.bind([condition, x] if i == 0 else [x], [y])
        if i and call is not None:
            b.bind([x], [y])
            b.subgraphs[-1].ops[-1].inputs[0] = b.tensor([1], "BOOL", data=b"\1")
    return b


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ((1, 1), "subgraph 1: control flow calls it from itself"),
        ((1, 2, 1), "subgraph 1: control flow calls it from itself"),
        ((0,), "IF #0: runs subgraph 0, the model has 1 to 0"),
        ((7, None), "IF #0: runs subgraph 7, the model has 1 to 1"),
        ((*range(1, 12), None), "subgraph 9: control flow is nested too deeply"),
    ],
)
def test_recursion_and_missing_subgraphs_are_refused(calls, message):
    assert refused(loop_of(*calls)) == message


NESTED = """
import tflm
interp = tflm.Interpreter(%r)
for hook in (None, lambda node: None):
    interp.on_node = hook
    interp.inputs[0].data[:] = b"\\1"
    interp.inputs[1].data[:] = b"\\1\\2\\3\\4"
    interp.invoke()
    print(bytes(interp.outputs[0].data))
"""


@pytest.mark.firmware
def test_calls_nested_as_deep_as_can_be_run_on_a_short_stack():
    b = loop_of(*range(1, 9), None)
    for graph in b.subgraphs[:-2]:
        graph.ops[0].options["else_subgraph"] = len(b.subgraphs) - 1
    graph = b.subgraphs[-1]
    model = b.build(graph.inputs, graph.outputs)
    expected = run(tflm.Interpreter(model), b"\1", b"\1\2\3\4")
    with open_target("MICROBIT", models=[("nested", model)]) as target:
        said = target.exec(NESTED % target.path("nested"))
    assert said.split() == [str(expected[0])] * 2


def one_if(condition=([1], "BOOL"), given=(1, 4), inside=(1, 4), dtype="INT8", inputs=1):
    b = ModelBuilder()
    test, x, y = b.tensor(*condition), data(b, given), data(b)
    b.op("IF", [test] + [x] * inputs, [y], then_subgraph=1, else_subgraph=1)
    b.bind([test, x], [y])
    b.subgraph("both")
    x, y = data(b, inside, dtype), data(b)
    b.op("RELU", [data(b, constant=bytes(4))], [y])
    b.bind([x], [y])
    return b


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"condition": ([2], "BOOL")}, "IF #0: condition (tensor 0) has 2 elements, 1 expected"),
        (
            {"inputs": 2},
            "IF #0: has 2 tensors for the inputs of subgraph 1, which has 1",
        ),
        (
            {"inside": (1, 5)},
            "IF #0: tensor 1 is int8(1, 4), input 0 of the subgraph (tensor 0) int8(1, 5)",
        ),
        (
            {"dtype": "UINT8"},
            "IF #0: tensor 1 is int8(1, 4), input 0 of the subgraph (tensor 0) uint8(1, 4)",
        ),
    ],
)
def test_if_that_does_not_fit_is_refused(options, message):
    assert refused(one_if(**options)) == message


def test_condition_of_another_type_is_refused():
    text = refused(one_if(condition=([1], "INT32")))
    assert "IF #0: condition (tensor 0, t0) is int32, supported: bool" in text


def test_shapes_of_as_many_bytes_run(oracle):
    b = one_if(inside=(2, 2))
    graph = b.subgraphs[-1]
    model = b.build(graph.inputs, graph.outputs)
    oracle.load(model)
    assert run(tflm.Interpreter(model), b"\1", STATES[1]) == oracle.invoke([b"\1", STATES[1]])


def test_constant_input_of_a_subgraph_is_refused():
    b = one_if()
    both = b.subgraphs[-1]
    both.tensors[0].buffer = b.buffer(bytes(4))
    assert refused(b) == "IF #0: input 0 of subgraph 1 (tensor 0) is constant"


@pytest.mark.parametrize(
    ("outputs", "test", "message"),
    [
        (1, "flags", "WHILE #0: has 2 inputs, 1 outputs"),
        (2, "x", "WHILE #0: condition (tensor 0, t0) is int8, supported: bool"),
        (2, "", "WHILE #0: subgraph 1, its condition, has no output"),
        (2, "flags", "WHILE #0: condition (tensor 1) has 2 elements, 1 expected"),
    ],
)
def test_while_that_does_not_fit_is_refused(outputs, test, message):
    b = ModelBuilder()
    x, flags = data(b), b.tensor([2], "BOOL")
    ends = [data(b), b.tensor([2], "BOOL")][:outputs]
    b.op("WHILE", [x, flags], ends, cond_subgraph=1, body_subgraph=2)
    b.bind([x, flags], ends)
    for name in ("condition", "body"):
        b.subgraph(name)
        found = {"x": data(b), "flags": b.tensor([2], "BOOL")}
        inputs = list(found.values())
        b.bind(inputs, [found[test]] if test else [])
        if name == "body":
            b.bind(inputs, inputs[:outputs])
    assert message in refused(b)
