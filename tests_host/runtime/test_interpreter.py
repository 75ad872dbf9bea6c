"""The interpreter: arenas of every form, sharing, states, custom operators, hooks, tensors."""

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from support.models.small_models import chain, run, svdf
from tflm.base.arena import Draft
from tflm.load import context
from tflm.load.op_resolver import default_resolver

SIXTEEN = 16


def test_arena_of_every_form_gives_the_same_result():
    need = tflm.Model(chain()).arena_required()
    forms = (None, need, bytearray(need), memoryview(bytearray(need + 32))[5:], tflm.Arena(need))
    for form in forms:
        interp = tflm.Interpreter(chain(), form)
        assert run(interp, (-3, 0, 5, 127)) == [0, 0, 5, 127]
        assert interp.arena_used_bytes() == need


def test_arena_16_bytes_short_raises_with_the_whole_need():
    need = tflm.Model(chain()).arena_required()
    with pytest.raises(tflm.ArenaError) as caught:
        tflm.Interpreter(chain(), need - SIXTEEN)
    error = caught.value
    assert (error.requested, error.available, error.missing) == (need, need - SIXTEEN, SIXTEEN)


def test_heap_in_pieces_gets_the_arena_before_preparing(monkeypatch):
    bind = tflm.Arena._bind
    refused = []

    def bind_in_pieces(arena):
        if arena.buf is None and not refused:
            refused.append(arena.used_bytes())
            raise MemoryError("memory allocation failed")
        bind(arena)

    monkeypatch.setattr(tflm.Arena, "_bind", bind_in_pieces)
    interp = tflm.Interpreter(chain())
    assert run(interp, (-3, 0, 5, 127)) == [0, 0, 5, 127]
    assert refused == [interp.arena_used_bytes()] == [interp.arena.size]


def test_heap_without_room_names_need_and_largest_block(monkeypatch):
    def limited(arg):
        if isinstance(arg, int) and arg > 5000:
            raise MemoryError("memory allocation failed")
        return bytearray(arg)

    need = tflm.Model(chain(3, 9000)).arena_required()
    for module in ("base.arena", "run.shortage"):
        monkeypatch.setattr(f"tflm.{module}.bytearray", limited, raising=False)
    with pytest.raises(tflm.ArenaError) as caught:
        tflm.Interpreter(chain(3, 9000))
    assert caught.value.requested == need
    assert 5000 - SIXTEEN <= caught.value.available <= 5000


def test_memory_error_after_binding_is_raised_and_not_tried_again(monkeypatch):
    calls = []

    def commit(_allocator):
        calls.append("commit")
        raise MemoryError("memory allocation failed")

    monkeypatch.setattr("tflm.memory.allocator.MicroAllocator.commit", commit)
    with pytest.raises(MemoryError, match="more heap than the 0 bytes that are free"):
        tflm.Interpreter(chain())
    assert calls == ["commit"]


def test_memory_error_while_preparing_is_tried_again_with_the_arena_first(monkeypatch):
    """What has no room beside the draft of the tail may have it in the arena itself."""
    reserve, failed = Draft.reserve, []

    def reserve_once(draft, depth):
        if not failed:
            failed.append(depth)
            raise MemoryError("memory allocation failed, allocating 121 bytes")
        reserve(draft, depth)

    monkeypatch.setattr(Draft, "reserve", reserve_once)
    interp = tflm.Interpreter(chain())
    assert failed
    assert run(interp, (-3, 0, 5, 127)) == [0, 0, 5, 127]
    assert interp.arena.size == tflm.Model(chain()).arena_required()


def test_memory_error_while_loading_says_what_is_free(monkeypatch):
    def refuse(_allocator, _surveys):
        raise MemoryError("memory allocation failed, allocating 121 bytes")

    monkeypatch.setattr("tflm.memory.allocator.MicroAllocator.plan", refuse)
    for arena in (bytearray(4096), tflm.Arena(4096), None):
        with pytest.raises(MemoryError, match="^loading this model takes more heap"):
            tflm.Interpreter(chain(), arena)


def test_shared_arena_heads_overlap_and_tails_add_up():
    small, large = chain(2, 16), chain(5, 64)
    alone = [tflm.Interpreter(m).arena_report() for m in (small, large)]
    total = max(r["head_bytes"] for r in alone) + sum(r["tail_bytes"] for r in alone)
    arena = tflm.Arena(total + SIXTEEN)
    first = tflm.Interpreter(small, arena)
    second = tflm.Interpreter(large, arena)
    assert arena.used_bytes() == (total + 15) // 16 * 16
    for _ in range(2):
        assert run(first, [-1] * 8 + [9] * 8) == [0] * 8 + [9] * 8
        assert run(second, [-7, 7] * 32) == [0, 7] * 32


def test_shared_arena_too_small_names_need_of_both_and_stays_usable():
    arena = tflm.Arena(tflm.Model(chain()).arena_required() + SIXTEEN)
    first = tflm.Interpreter(chain(), arena)
    before = arena._position()
    with pytest.raises(tflm.ArenaError) as caught:
        tflm.Interpreter(chain(9, 64), arena)
    assert arena._position() == before
    larger = tflm.Arena(caught.value.requested)
    tflm.Interpreter(chain(), larger)
    tflm.Interpreter(chain(9, 64), larger)
    assert run(first, (1, -1, 1, -1)) == [1, 0, 1, 0]


def test_allocate_twice_leaks_nothing():
    interp = tflm.Interpreter(chain(), 4096)
    used = interp.arena._position()
    interp.allocate_tensors()
    assert interp.arena._position() == used


def test_invoke_allocates_when_the_constructor_did_not():
    interp = tflm.Interpreter(chain(), allocate=False)
    assert interp.inputs == ()
    interp.invoke()
    assert run(interp, (1, 2, 3, -4)) == [1, 2, 3, 0]


def test_measuring_interpreter_refuses_to_run():
    interp = tflm.Interpreter(chain(), measure=True)
    with pytest.raises(tflm.StateError):
        interp.invoke()


def test_reset_restores_variables_to_their_zero_point():
    interp = tflm.Interpreter(svdf())
    first = run(interp, (100, -100, 50, 20))
    second = run(interp, (0, 0, 0, 0))
    assert run(interp, (100, -100, 50, 20)) != first
    interp.reset()
    assert run(interp, (100, -100, 50, 20)) == first
    assert run(interp, (0, 0, 0, 0)) == second


def test_linear_planner_keeps_every_tensor():
    interp = tflm.Interpreter(chain(3, 16), planner="linear")
    run(interp, [-5, 5] * 8)
    assert [list(interp.tensor(i)) for i in (0, 1)] == [[-5, 5] * 8, [0, 5] * 8]


def test_report_adds_up():
    report = tflm.Interpreter(svdf()).arena_report()
    kinds = {row[0]: row for row in report["kinds"]}
    assert set(kinds) == {"node table", "records", "variables"}
    assert kinds["variables"][1] == 6
    assert sum(row[2] for row in report["kinds"]) == report["tail_bytes"]
    top = max(b["offset"] + b["size"] for b in report["buffers"])
    assert top == report["head_bytes"]


def double_op(calls):
    """Return a registration of int8 'Double' that uses every service of the context."""

    def init(ctx, node):
        node.user_data = ctx.allocate_persistent_buffer(node, 4)

    def prepare(ctx, node):
        temp = ctx.allocate_temp_buffer(10)
        temp[:] = bytes(10)
        ctx.deallocate_temp_buffer(temp)
        ctx.write_persistent(node.user_data, b"abcd")
        node.user_data = node.user_data, ctx.request_scratch_buffer(node, 8)
        calls.append("prepare")

    def invoke(ctx, node):
        kept, scratch = node.user_data
        assert bytes(ctx.persistent_buffer(kept)) == b"abcd"
        ctx.scratch_buffer(scratch)[:] = b"12345678"
        data = ctx.input_data(node, 0)
        out = ctx.output_data(node, 0)
        for i, byte in enumerate(data):
            out[i] = byte * 2 & 0xFF
        calls.append("invoke")

    def reset(_ctx, _node):
        calls.append("reset")

    return tflm.Registration(init, prepare, invoke, reset)


def custom_model():
    b = ModelBuilder()
    x, h, y = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(3))
    b.op("Double", [x], [h], custom_options=b"xyz")
    b.op("RELU", [h], [y])
    return b.build([x], [y])


def test_custom_op_runs_between_kernels():
    calls = []
    resolver = default_resolver()
    resolver.add_custom("Double", double_op(calls))
    interp = tflm.Interpreter(custom_model(), resolver=resolver)
    assert run(interp, (1, -2, 3, 4)) == [2, 0, 6, 8]
    assert calls == ["prepare", "reset", "invoke"]
    assert interp.arena_used_bytes() == tflm.Model(custom_model()).arena_required(resolver)


def test_custom_op_that_aborts_ends_the_run_early():
    resolver = default_resolver()
    resolver.add_custom("Double", tflm.Registration(invoke=lambda _c, _n: tflm.ABORT))
    interp = tflm.Interpreter(custom_model(), resolver=resolver)
    interp.outputs[0][:] = (9, 9, 9, 9)
    interp.invoke()
    assert list(interp.outputs[0]) == [9, 9, 9, 9]


@pytest.mark.parametrize(
    ("service", "takes_node", "when"),
    [
        ("request_scratch_buffer", True, "init"),
        ("allocate_temp_buffer", False, "init"),
        ("tensor_data", True, "prepare"),
        ("scratch_buffer", False, "prepare"),
        ("allocate_persistent_buffer", True, "invoke"),
        ("request_scratch_buffer", True, "invoke"),
        ("allocate_temp_buffer", False, "invoke"),
    ],
)
def test_service_out_of_turn_raises(service, takes_node, when):
    def call(ctx, node):
        getattr(ctx, service)(*((node, 0) if takes_node else (0,)))

    steps = {"invoke": lambda _c, _n: None}
    steps[when] = call
    resolver = default_resolver()
    resolver.add_custom("Double", tflm.Registration(**steps))
    with pytest.raises(tflm.StateError, match=f"{service} is not allowed during {when}"):
        tflm.Interpreter(custom_model(), resolver=resolver).invoke()


def test_temp_that_is_not_given_back_raises():
    steps = {"invoke": lambda _c, _n: None, "prepare": lambda c, _n: c.allocate_temp_buffer(8)}
    resolver = default_resolver()
    resolver.add_custom("Double", tflm.Registration(**steps))
    with pytest.raises(tflm.StateError, match="1 temps are still in use"):
        tflm.Interpreter(custom_model(), resolver=resolver)


def test_on_node_sees_every_tensor_while_it_is_alive():
    interp = tflm.Interpreter(chain(3))
    seen = []
    interp.on_node = lambda i: seen.append((i, list(interp.tensor(i + 1))))
    assert run(interp, (-1, 2, -3, 4)) == [0, 2, 0, 4]
    assert seen == [(i, [0, 2, 0, 4]) for i in range(3)]
    interp.on_node = None
    assert run(interp, (-1, 2, -3, 4)) == [0, 2, 0, 4]
    assert len(seen) == 3


def test_profile_has_a_row_a_node():
    rows = tflm.Interpreter(chain(3)).profile()
    assert [(row[0], row[1], row[3]) for row in rows] == [(i, "RELU", 4) for i in range(3)]


def test_backend_that_is_missing_raises():
    with pytest.raises(ValueError, match="backend nonsense is not in this build"):
        tflm.Interpreter(chain(), backend="nonsense")


def test_states_are_left_in_invoke():
    assert tflm.Interpreter(chain()).context.state == context.INVOKE


def test_graph_names_the_operator_that_failed():
    def explode(ctx, _node):
        raise OSError(ctx.graph.current_operator)

    resolver = default_resolver()
    resolver.add_custom("Double", tflm.Registration(invoke=explode))
    b = ModelBuilder()
    x, h, y = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(3))
    b.op("RELU", [x], [h])
    b.op("Double", [h], [y])
    interp = tflm.Interpreter(b.build([x], [y]), resolver=resolver)
    with pytest.raises(OSError, match="1"):
        interp.invoke()
    assert (interp.graph.current_subgraph, interp.graph.current_operator) == (0, 1)
    interp.graph.runners[0].run(0, 1)  # as a run that ends in a C kernel
    assert interp.graph.current_operator == 0


def test_graph_invokes_another_subgraph():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2))
    b.op("Call", [x], [y])
    b.bind([x], [y])
    b.subgraph("called")
    a, c = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2))
    b.op("RELU", [a], [c])
    model = b.build([a], [c])

    def invoke(ctx, node):
        called = ctx.subgraph(1)
        ctx.subgraph_input(called, 0)[:] = ctx.input_data(node, 0)
        ctx.graph.invoke_subgraph(1)
        ctx.output_data(node, 0)[:] = ctx.subgraph_output(called, 0)

    resolver = default_resolver()
    resolver.add_custom("Call", tflm.Registration(invoke=invoke))
    interp = tflm.Interpreter(model, resolver=resolver, planner="linear")
    assert run(interp, (-5, 6, -7, 8)) == [0, 6, 0, 8]


def test_close_frees_operators_once_and_ends_running():
    calls = []
    resolver = default_resolver()
    registration = double_op(calls)
    registration.free = lambda _c, _n: calls.append("free")
    resolver.add_custom("Double", registration)
    with tflm.Interpreter(custom_model(), resolver=resolver) as interp:
        interp.invoke()
    interp.close()
    assert calls.count("free") == 1
    with pytest.raises(tflm.StateError):
        interp.invoke()


def test_reset_before_allocation_raises():
    with pytest.raises(tflm.StateError):
        tflm.Interpreter(chain(), allocate=False).reset()


def test_planner_that_is_unknown_raises():
    with pytest.raises(ValueError, match="planner best is not one of"):
        tflm.Interpreter(chain(), planner="best")


def test_tensor_larger_than_any_arena_raises_arena_error():
    b = ModelBuilder()
    tensors = [b.tensor([1 << 27], "INT8", Quant(0.1, 0)) for _ in range(3)]
    b.op("ADD", tensors[:2], tensors[2:], activation=0)
    with pytest.raises(tflm.ArenaError):
        tflm.Model(b.build(tensors[:2], tensors[2:])).arena_required()
