"""Delegates: the division into parts, and that what they run gives the bytes of the plain run."""

import random

import pytest

import tflm
from support.device import device_models
from support.models.delegates import Models, wide
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import branch, chain
from support.nets.memory_graphs import graph
from tflm.extra import delegated
from tflm.schema import CONTROL_FLOW
from tflm_host.prepare import prepare

GRAPHS = 60  # of random ones; 1,000 were run once
RUNS = 3


def feed(interp, seed):
    rng = random.Random(seed)
    for tensor in interp.inputs:
        tensor.data[:] = bytes(
            rng.choices(range(2 if tensor.dtype == "bool" else 256), k=tensor.nbytes)
        )


def answers(interp):
    """Return the outputs of some runs with a reset between."""
    found = []
    for seed in range(RUNS):
        feed(interp, seed)
        interp.invoke()
        found.append([bytes(tensor.data) for tensor in interp.outputs])
        if seed == 1:
            interp.reset()
    return found


def parts_of(interp):
    return [part for graph in interp.model.subgraphs for part in graph.parts]


def names(graph):
    """Return the names of the nodes of *graph*, those of a delegate's members in a list."""
    rows = []
    for operator in graph.operators():
        members = getattr(operator, "members", None)
        rows.append(operator.name if members is None else [member.name for member in members])
    return rows


def by_number(owned, subgraph=0):
    """Return a `supports` that claims the nodes *owned* of a subgraph."""
    return lambda operator: operator.subgraph.index == subgraph and operator.index in owned


def test_sines_are_divided_as_by_tflite_and_give_the_same_bytes():
    data = device_models.sines()
    sin = Models(data, lambda operator: operator.name == "SIN", "Sines")
    interp = tflm.Interpreter(data, delegates=(sin,))
    assert names(interp.model.subgraphs[0]) == [["SIN"], "ADD", "MUL", ["SIN"], "ADD"]
    sets = delegated.partition(tflm.Model(data).subgraphs[0], [1, 0, 0, 1, 0])
    assert sets == [(1, [0]), (0, [1, 2]), (1, [3]), (0, [4])]
    assert answers(interp) == answers(tflm.Interpreter(data))
    interp.inputs[0][:] = [1.3] * 4
    interp.invoke()
    assert interp.outputs[0][0] == pytest.approx(2.7790596, abs=1e-6)


def in_order(graph, inputs):
    """Tell whether each node of *graph* reads what was there before it."""
    known = set(inputs)
    data = delegated.survey(graph)[0]
    for i in range(graph.operator_count):
        _, read, written = graph.links(i)
        if any(t not in known and t >= 0 and data[t] <= 0 for t in read):
            return False
        known.update(written)
    return True


@pytest.mark.parametrize("first", range(0, GRAPHS, 10))
def test_random_graphs_with_random_owners_give_the_bytes_of_the_plain_run(first):
    parts = 0
    for seed in range(first, first + 10):
        data = (wide, graph)[seed % 2](seed)
        rng = random.Random(seed)
        whole = tflm.Model(data).subgraphs
        owned = [{i for i in range(s.operator_count) if rng.random() < 0.6} for s in whole]
        other = {i for i in range(whole[0].operator_count) if rng.random() < 0.5}
        both = [
            Models(
                data, lambda op, own=owned: op.index in own[op.subgraph.index], "A", seed % 3 == 0
            ),
            Models(data, by_number(other), "B"),
        ]
        interp = tflm.Interpreter(data, delegates=both[: 1 + seed % 4 // 2])
        assert answers(interp) == answers(tflm.Interpreter(data)), seed
        for view in interp.model.subgraphs:
            variables = [i for i in range(view.tensor_count) if view.tensor(i).is_variable]
            assert in_order(view, [*view.inputs, *variables]), seed
        hidden = {(part.subgraph.index, t) for part in parts_of(interp) for t in part.hidden}
        rows = {(row["subgraph"], row["tensor"]) for row in interp.arena_report()["buffers"]}
        assert not hidden & rows, seed
        parts += len(parts_of(interp))
    assert parts > 10


def by_tflite(waits, owners):
    """Return how many sets TFLite's PartitionGraphIntoIndependentNodeSubsets makes."""
    sets, left = 0, set(range(len(owners)))
    while left:
        kind, grows = None, True
        sets += 1
        before = set(left)
        while grows:
            grows = False
            for i in sorted(left):
                ready = not any(j in left for j in waits[i])
                if ready and kind in (None, owners[i]):
                    kind, grows = owners[i], True
                    left.discard(i)
        assert left < before
    return sets


def least(waits, owners):
    """Return the least number of sets, by trying all orders."""
    count = len(owners)
    states, sets = {(0, None)}, 0
    while True:
        grown, todo = set(states), list(states)
        while todo:  # all that the present set can still take
            done, kind = todo.pop()
            for i in range(count):
                is_ready = not done >> i & 1 and all(done >> j & 1 for j in waits[i])
                state = done | 1 << i, kind
                if is_ready and owners[i] == kind and state not in grown:
                    grown.add(state)
                    todo.append(state)
        if any(done == (1 << count) - 1 for done, _ in grown):
            return sets
        states = {(done, kind) for done, _ in grown for kind in set(owners)}
        sets += 1


@pytest.mark.parametrize("kinds", [2, 3])
def test_number_of_sets_is_that_of_tflite_and_never_below_the_least(kinds):
    reached = 0
    for seed in range(150):
        subgraph = tflm.Model(wide(seed, 1 + seed % 8)).subgraphs[0]
        rng = random.Random(seed)
        owners = [rng.randrange(kinds) for _ in range(subgraph.operator_count)]
        waits = delegated._waits(subgraph)
        sets = delegated.partition(subgraph, owners)
        assert sorted(i for _, nodes in sets for i in nodes) == list(range(len(owners)))
        assert all(owners[i] == owner for owner, nodes in sets for i in nodes)
        best = least(waits, owners)
        assert best <= len(sets) <= by_tflite(waits, owners)
        reached += best == len(sets)
    assert reached > 100


def test_delegate_may_leave_nodes_alone():
    data = device_models.sines()
    sin = Models(data, lambda operator: operator.name in ("SIN", "MUL"))
    sin.accepts = lambda part: len(part.members) > 1
    interp = tflm.Interpreter(data, delegates=(sin,))
    graph = interp.model.subgraphs[0]
    assert names(graph) == [["SIN", "MUL", "SIN"], "ADD", "ADD"]
    sin.accepts = lambda part: len(part.members) > 3
    alone = tflm.Interpreter(data, delegates=(sin,))
    assert parts_of(alone) == []
    assert answers(interp) == answers(alone) == answers(tflm.Interpreter(data))


def test_hidden_tensors_have_no_memory_and_are_shown():
    data = chain(4)
    middle = Models(data, by_number({1, 2}), "Two")
    interp = tflm.Interpreter(data, delegates=(middle,))
    (part,) = parts_of(interp)
    assert (part.inputs, part.outputs, part.hidden, list(part.nodes)) == ((1,), (3,), (2,), [1, 2])
    with pytest.raises(tflm.StateError, match="tensor 2 has no memory"):
        interp.tensor(2)
    text = str(interp.places()) + "\n"
    assert "4 hidden           t2" in text
    assert "  node   1 Two v1 by Python: [1] -> [3]\n    RELU #1: [1] -> [2]\n" in text
    assert [row[:2] for row in interp.profile()] == [(0, "RELU"), (1, "Two"), (2, "RELU")]
    assert str(interp.model.subgraphs[0]).startswith("<DelegatedSubGraph main")


def test_delegate_times_each_of_its_members():
    profiler = tflm.Profiler()

    class Timed(Models):
        def invoke(self, _context, node):
            for member in node.operator.members:
                with profiler(f"{member.name} {member.index}"):
                    pass

    interp = tflm.Interpreter(chain(4), delegates=(Timed(chain(4), by_number({1, 2}), "Two"),))
    rows = interp.profile(1, profiler)
    assert [tag for tag, _ in profiler.events()] == ["RELU", "RELU 1", "RELU 2", "Two", "RELU"]
    assert [row[1] for row in rows] == ["RELU", "Two", "RELU"]


def test_custom_operator_that_nobody_registered_runs_in_a_delegate():
    b = ModelBuilder()
    tensors = [b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(4)]
    for i, name in enumerate(("RELU", "D", "RELU")):
        b.op(name, tensors[i : i + 1], tensors[i + 1 : i + 2])
    data = b.build(tensors[:1], tensors[-1:])

    class Doubles:
        name = "Doubles"

        def supports(self, operator):
            return operator.custom_name == "D"

        def invoke(self, context, node):
            values = context.input_data(node, 0)
            context.output_data(node, 0)[:] = bytes(2 * value & 127 for value in values)

    with pytest.raises(tflm.UnsupportedOpError, match=r"D int8 \(node 1\)"):
        tflm.Interpreter(data)
    interp = tflm.Interpreter(data, delegates=[Doubles()])
    interp.inputs[0][:] = [1, -2, 3, 40]
    interp.invoke()
    assert interp.outputs[0][:] == [2, 0, 6, 80]
    Doubles.accept = lambda _self, _part: False
    with pytest.raises(tflm.UnsupportedOpError, match=r"D int8 \(node 1\)"):
        tflm.Interpreter(data, delegates=[Doubles()])


def test_parts_in_the_subgraphs_of_control_flow():
    for data in (branch(2), device_models.stream()):

        def inside(operator):
            return operator.subgraph.index > 0 and operator.name in ("RELU", "RELU6", "ADD")

        interp = tflm.Interpreter(data, delegates=[Models(data, inside)])
        assert parts_of(interp)
        assert all(part.subgraph.index for part in parts_of(interp))
        assert answers(interp) == answers(tflm.Interpreter(data))


def test_states_keep_the_order_of_the_file():
    data = device_models.stream()
    offered = []

    def supports(operator):
        offered.append(operator.builtin)
        return True

    interp = tflm.Interpreter(data, delegates=[Models(data, supports)])
    assert not set(offered) & {*CONTROL_FLOW, *delegated._RESOURCES}
    for view, whole in zip(interp.model.subgraphs, tflm.Model(data).subgraphs, strict=True):
        kept = [
            op.name
            for op in whole.operators()
            if op.builtin in (*CONTROL_FLOW, *delegated._RESOURCES)
        ]
        assert [
            op.name
            for op in view.operators()
            if op.builtin in (*CONTROL_FLOW, *delegated._RESOURCES)
        ] == kept
    assert answers(interp) == answers(tflm.Interpreter(data))


def test_part_with_a_kernel_needs_no_python():
    class Copies:
        name = "Copies"

        def supports(self, operator):
            return operator.name == "RELU"

        def prepare(self, context, node):
            from tflm.memory.allocator import tensor_arg

            nbytes = node.output(0).nbytes
            args = [tensor_arg(node.operator.inputs[0]), tensor_arg(node.operator.outputs[0])]
            context.set_record(node, "copy", args, [nbytes])

    interp = tflm.Interpreter(chain(3), delegates=[Copies()], backend="c")
    interp.inputs[0][:] = [-1, 2, -3, 4]
    assert interp.graph.runners[0].run() == 0  # nothing was left to Python
    assert interp.outputs[0][:] == [-1, 2, -3, 4]


def test_prepared_model_is_loaded_as_the_plain_one():
    import _tflm

    data = wide(3)
    model = prepare(data, _tflm.isa)
    delegate = Models(data, lambda operator: operator.name == "ADD")
    interp = tflm.Interpreter(model, delegates=[Models(model, delegate.supports)], prepared=True)
    assert answers(interp) == answers(tflm.Interpreter(data))


def test_arena_given_is_measured_with_the_parts():
    data = wide(5)
    claims = by_number({0, 1, 2})
    need = tflm.Interpreter(data, delegates=[Models(data, claims)]).arena_used_bytes()
    tflm.Interpreter(data, need, delegates=[Models(data, claims)])
    with pytest.raises(tflm.ArenaError) as caught:
        tflm.Interpreter(data, need - 16, delegates=[Models(data, claims)])
    assert caught.value.requested == need
