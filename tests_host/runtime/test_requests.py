"""What operators ask the context for: sizes, temps, persistent buffers, each in its turn."""

import pytest

import tflm
from support.models.small_models import chain
from tflm.file.places import MAX_BYTES
from tflm.load.op_resolver import default_resolver

BACKENDS_OF_ARENA = (None, 4096)  # one that measures first, one that has its memory


def load(arena=None, **steps):
    """Load a model whose one operator is a Registration of *steps*."""
    steps.setdefault("invoke", lambda _c, _n: None)
    resolver = default_resolver()
    resolver.add_custom("Double", tflm.Registration(**steps))
    return tflm.Interpreter(chain(1, name="Double"), arena, resolver=resolver)


@pytest.mark.parametrize("request_of", ["persistent", "scratch", "temp"])
@pytest.mark.parametrize("arena", BACKENDS_OF_ARENA)
def test_request_of_impossible_size_names_its_node(request_of, arena):
    def prepare(nbytes):
        def ask(ctx, node):
            if request_of == "persistent":
                ctx.allocate_persistent_buffer(node, nbytes)
            elif request_of == "scratch":
                ctx.request_scratch_buffer(node, nbytes)
            else:
                ctx.allocate_temp_buffer(nbytes)

        return ask

    for nbytes in (-1, -16, -(1 << 40)):
        with pytest.raises(
            tflm.ModelError, match=f"Double.*{request_of} buffer of {nbytes} bytes"
        ):
            load(arena, prepare=prepare(nbytes))
    for nbytes in (MAX_BYTES + 1, 1 << 29, 1 << 40):
        with pytest.raises(
            tflm.ArenaError, match=f"{request_of} buffer of node 0 .Double.: {nbytes} "
        ):
            load(arena, prepare=prepare(nbytes))


@pytest.mark.parametrize("arena", BACKENDS_OF_ARENA)
def test_persistent_buffer_holds_what_init_and_prepare_wrote(arena):
    seen = []

    def init(ctx, node):
        node.user_data = [ctx.allocate_persistent_buffer(node, 5)]
        ctx.write_persistent(node.user_data[0], b"hello")

    def prepare(ctx, node):
        node.user_data.append(ctx.allocate_persistent_buffer(node, 300))
        ctx.write_persistent(node.user_data[1], memoryview(b"xyz"), 297)
        ctx.write_persistent(node.user_data[0], b"p!", 3)

    def invoke(ctx, node):
        first, second = [ctx.persistent_buffer(handle) for handle in node.user_data]
        seen.append((bytes(first), bytes(second[297:])))
        first[0] = ord("j")

    interp = load(arena, init=init, prepare=prepare, invoke=invoke)
    interp.invoke()
    interp.inputs[0].assign(bytes(interp.inputs[0].nbytes))
    interp.invoke()
    assert seen == [(b"help!", b"xyz"), (b"jelp!", b"xyz")]


@pytest.mark.parametrize(("data", "offset"), [(b"12345", 0), (b"12", 3), (b"", 5), (b"1", -1)])
def test_write_outside_a_persistent_buffer_raises(data, offset):
    def prepare(ctx, node):
        ctx.write_persistent(ctx.allocate_persistent_buffer(node, 4), data, offset)

    with pytest.raises(ValueError, match="into a buffer of 4"):
        load(prepare=prepare)


def test_persistent_buffer_is_refused_before_its_place_is_known():
    def ask(ctx, node):
        ctx.persistent_buffer(ctx.allocate_persistent_buffer(node, 4))

    for step in ("init", "prepare"):
        with pytest.raises(tflm.StateError, match=f"persistent_buffer .* during {step}, only"):
            load(**{step: ask})


def test_write_persistent_is_refused_while_invoke_runs():
    def init(ctx, node):
        node.user_data = ctx.allocate_persistent_buffer(node, 4)

    def invoke(ctx, node):
        ctx.write_persistent(node.user_data, b"1234")

    with pytest.raises(tflm.StateError, match="write_persistent"):
        load(init=init, invoke=invoke).invoke()


@pytest.mark.parametrize("arena", BACKENDS_OF_ARENA)
def test_temp_is_given_back_once_and_by_its_view(arena):
    def prepare(wrong):
        def ask(ctx, _node):
            first, second = ctx.allocate_temp_buffer(8), ctx.allocate_temp_buffer(8)
            first[:], second[:] = b"1" * 8, b"2" * 8
            assert bytes(first) == b"1" * 8
            ctx.deallocate_temp_buffer(first)
            ctx.deallocate_temp_buffer({"again": first, "copy": second[:], "good": second}[wrong])
            if wrong != "good":
                raise AssertionError("taken")

        return ask

    load(arena, prepare=prepare("good"))
    for wrong in ("again", "copy"):
        with pytest.raises(tflm.StateError, match="this temp is not in use"):
            load(arena, prepare=prepare(wrong))


def test_large_persistent_buffer_is_counted_not_made():
    def prepare(ctx, node):
        ctx.allocate_persistent_buffer(node, 200_000_000)

    with pytest.raises(tflm.ArenaError) as caught:
        load(4096, prepare=prepare)
    assert caught.value.requested > 200_000_000
    assert caught.value.available == 4096
