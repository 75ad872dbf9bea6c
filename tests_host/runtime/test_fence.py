"""A trusted snapshot that says what none says is an error, however right its checksum is."""

import random
import struct

import pytest

import _tflm
from support.fuzz.forger import FORGERIES, forged, summed
from support.fuzz.fuzz_reader import FENCE, run_inputs
from support.fuzz.guided import EDITS
from support.models.control_models import counter
from support.models.small_models import svdf
from support.nets.row_groups import chain, fused, lagging_stack
from support.reference.group_judge import BESIDE, CHILD, TENSOR, groups_of
from tflm import Interpreter, Model, ModelError, StateError, UnsupportedOpError
from tflm.base import layout
from tflm.model import PREPARED
from tflm.ops.index import kernel_index
from tflm.run.prepared import HEADER, HEADER_BYTES, KERNEL, VARIABLE
from tflm_host.places import ROOT
from tflm_host.prepare import prepare
from tflm_host.prepare.snapshot import rows

MODELS = ROOT / "models"
GROUP = kernel_index("row_group")
MUTATED, SANITIZED = 400, 20_000
HUGE, LOWEST = 0x7FFFFFFF, -0x80000000
NONE = 255  # no tensor
SECOND = 1 << 29  # in a tagged offset: into a second memory
SAYS = "damaged|kernels missing|another form"


@pytest.fixture(scope="module")
def made():
    """{name: prepared model}: plain nodes, groups, variables, two memories, and more."""
    digits = (MODELS / "digits_ds_cnn.tflite").read_bytes()
    return {
        "digits_cnn": prepare((MODELS / "digits_cnn.tflite").read_bytes(), _tflm.isa),
        "gated": prepare((MODELS / "digits_gated.tflite").read_bytes(), _tflm.isa),
        "rows": prepare(digits, _tflm.isa),
        "fed": prepare(digits, _tflm.isa, feed=True),
        "variables": prepare(svdf(), _tflm.isa),
        "divided": prepare(digits, _tflm.isa, first_memory=640),
        "divided variables": prepare(svdf(), _tflm.isa, first_memory=16),
        "control": prepare(counter(), _tflm.isa),
        "below": fused(lagging_stack()[0], _tflm.isa, 1, whole=True)[0],
        "beside": beside(),
    }


def beside():
    """Return a prepared model with a CONCATENATION of more than two images in a group."""
    for seed in range(200):
        model = fused(chain(seed)[0], _tflm.isa, seed, whole=True)[0]
        children = [child for group in groups_of(model) for child in group.children]
        if any(child.way == BESIDE and child.input0 == NONE for child in children):
            return model
    raise AssertionError("no such chain")


def place(model):
    """Return position and bytes of the snapshot, and the words of its header."""
    pos, nbytes = Model(model, prepared=False).metadata_entry(PREPARED)
    return pos, nbytes, struct.unpack_from(HEADER, model, pos)


def fields(model):
    """Yield (name, position, format, values that no model has) of what the fence looks at."""
    pos, _, words = place(model)
    size, ends = len(model), ends_of(model)
    for i, name in enumerate(("nodes", "tensors", "variables", "scratch", "kernels")):
        at = pos + 36 + 8 * i
        yield name, at, "<i", (-1, HUGE, LOWEST, size)
        yield f"place of {name}", at + 4, "<i", (-4, HUGE - 3, LOWEST, size + 4, words[7] + 2)
    yield "arena", pos + 32, "<i", (-16, HUGE, LOWEST, 1 << 28)
    if ends[1]:
        yield "second memory", pos + HEADER_BYTES, "<i", (-16, HUGE, LOWEST, 1 << 28)
    for i in range(words[10]):
        at = words[11] + struct.calcsize(VARIABLE) * i
        beyond = ends[0] + 1, layout.TAIL + ends[1] + 1
        yield "offset of a variable", at, "<i", (-1, *beyond, HUGE)
        yield "bytes of a variable", at + 4, "<i", (-1, max(ends) + 1, HUGE)
    for i in range(words[14]):
        at = words[15] + struct.calcsize(KERNEL) * i
        yield "number of a kernel", at, "<i", (-1, len(rows().kernels), HUGE)
        yield "form of a kernel", at + 4, "<i", (0, -1, HUGE)
    for i in range(words[6]):
        yield from of_node(model, words[7] + layout.NODE_SIZE * i, i, ends)


def ends_of(model):
    """Return the bytes of the memory plan in the first and in the second memory."""
    snapshot = Model(model, prepared=True).snapshot
    return snapshot.arena_bytes, snapshot.second_bytes


def of_node(model, at, number, ends, given=()):
    """Yield the fields of the node with its entry at *at*; *given*: offsets set by calls.

    ends  as of ends_of()
    """
    arena, second = ends
    size = len(model)
    kernel, refs, record = struct.unpack_from(layout.NODE_FORMAT, model, at)
    if kernel == layout.NO_KERNEL:
        return
    yield "kernel", at, "<H", (len(rows().kernels), 0xFFF0)
    is_variadic = "..." in rows().kernels[kernel].arguments
    yield "refs", at + 2, "<H", (0, 0xFFFF) + (() if is_variadic else (refs - 1, refs + 1))
    outside = size << 1 | 1, HUGE, record + 2, -1, -2, record | SECOND
    yield "record", at + 4, "<i", (*outside, record & -2)
    words = struct.unpack_from(f"<{refs}i", model, record >> 1)
    for i, ref in enumerate(words):
        if ref >= 0 and i not in given:
            bad = arena << 1, (arena + 64) << 1, HUGE, size << 1 | 1, 0x3FFFFF00, ref + 2
            bad += SECOND | second << 1, ref | SECOND | 1
            yield "ref", (record >> 1) + 4 * i, "<i", bad
    first = rows().kernels[kernel].arguments.split(",")[0].split("->")[0].split()[1]
    if first == "input" and 0 not in given:
        yield "input", record >> 1, "<i", (-1,)
    if kernel == GROUP and words[0] != layout.ABSENT:
        yield from of_group(model, record >> 1, refs, number, ends)


def of_group(model, at, refs, number, ends):
    state = struct.unpack_from("<i", model, at + 4 * (refs - 1))[0]
    late = [end - 4 << 1 | space for end, space in zip(ends, (0, SECOND), strict=True) if end]
    yield "state", at + 4 * (refs - 1), "<i", (-1, state | 1, *late)
    at += 4 * refs
    (count,) = struct.unpack_from("<i", model, at)
    yield "children", at, "<i", (-1, number + 2, HUGE, LOWEST)
    at += 4
    for i in range(refs - 1):
        tensor = dict(zip(TENSOR, struct.unpack_from("<3ihBB", model, at), strict=True))
        others = {-3, count, -32768, 32767}
        if tensor["maker"] >= 0:  # of which nobody is told otherwise
            others |= {tensor["maker"] - 1, tensor["maker"] + 1} - {-1, -2}
        yield f"maker of {i}", at + 12, "<h", tuple(others)
        yield "last reader", at + 15, "<B", (count, 255)
        at += struct.calcsize("<3ihBB")
    for child in range(count):
        entry = at + struct.calcsize(CHILD) * child
        yield from of_child(model, entry, refs - 1, child, ends)


def of_child(model, at, tensors, number, ends):
    words = struct.unpack_from(CHILD, model, at)
    output_at, inputs, inputs_at = words[7], words[5:7], words[8:10]
    given = {output_at, *inputs_at}
    if inputs[0] == NONE:  # it takes any number of inputs
        given = set(range(words[1]))
        yield from of_list(model, (words[2] >> 1) + 4 * words[1], words[-1] == BESIDE, tensors)
    yield from of_node(model, at, number, ends, given)
    yield "kernel of a child", at, "<H", (GROUP, layout.NO_KERNEL)
    yield "words of a child", at + 8, "<B", (0, 49, 255)
    yield "output of a child", at + 9, "<B", (tensors, 255)
    for i, tensor in enumerate(inputs):
        if tensor != NONE:
            yield "input of a child", at + 10 + i, "<B", (tensors, 254)
            yield "place of an input", at + 13 + i, "<B", (words[3], 255)
    for i in (12, 16, 17, 18, 19):
        yield "place in a record", at + i, "<B", (words[3], 255)
    yield "strip", at + 24, "<i", (0, -1, LOWEST)
    yield "shift", at + 38, "<B", (32, 255)


def of_list(model, at, is_beside, tensors):
    """Yield the fields of the inputs that a child's parameters, at *at*, list."""
    (count,) = struct.unpack_from("<i", model, at + 4)
    yield "count of a list", at + 4, "<i", (0, -1, HUGE, HUGE - 1, LOWEST)
    at += 8 + 4 * count * is_beside
    for i in range(count):
        yield "number in a list", at + 4 * i, "<i", (-1, tensors, HUGE, LOWEST)


def changed(model, at, form, value):
    """Return *model* with *value* at *at*, and a right checksum."""
    out = bytearray(model)
    struct.pack_into(form, out, at, value)
    pos, nbytes, _ = place(model)
    return summed(out, pos, nbytes)


@pytest.mark.slow
def test_every_field_that_leaves_its_space_is_refused(made):
    tried = set()
    for name, model in made.items():
        for field, at, form, values in fields(model):
            for value in values:
                if struct.unpack_from(form, model, at)[0] == value:
                    continue
                with pytest.raises((ModelError, UnsupportedOpError), match=SAYS):
                    Interpreter(changed(model, at, form, value), prepared=True)
                    pytest.fail(f"{name}: {field} at {at} may be {value}")
                tried.add(field)
    assert {"state", "strip", "input of a child", "form of a kernel"} <= tried
    assert {"bytes of a variable", "ref", "refs", "record"} <= tried
    assert {"count of a list", "number in a list", "second memory"} <= tried


def test_tensor_in_a_second_memory_that_the_file_does_not_ask_for_is_refused(made):
    model = made["digits_cnn"]
    _, _, words = place(model)
    for at in range(words[9], words[9] + 4 * words[8], 4):
        ref = struct.unpack_from("<i", model, at)[0]
        if ref >= 0 and ref & 1 == layout.ARENA:
            model = changed(model, at, "<i", ref | SECOND)
    with pytest.raises(ModelError, match="graph of this prepared model is damaged"):
        str(Interpreter(model, prepared=True).inputs[0].data)


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_snapshot_that_is_trusted_is_refused(made, what):
    for name in ("digits_cnn", "rows"):
        with pytest.raises(ModelError, match="damaged"):
            Interpreter(forged(made[name], what), prepared=True)


def test_forged_files_of_the_review_are_refused(shared):
    files = sorted((shared / "repro" / "two" / "forged").glob("*.tflite"))
    assert files
    for path in files:  # of layout 5
        with pytest.raises(ModelError, match="damaged|builds with layout 5"):
            Interpreter(path.read_bytes(), prepared=True)


def test_measuring_a_forged_snapshot_is_refused_too(made):
    for what in ("variables", "huge arena", "tensors"):
        with pytest.raises(ModelError, match="damaged"):
            Interpreter(forged(made["rows"], what), measure=True, prepared=True)
        with pytest.raises(ModelError, match="damaged"):
            Model(forged(made["rows"], what), prepared=True).arena_required()


def used(model):
    """Load and run *model*, and ask for all that is told of it."""
    interp = Interpreter(model, prepared=True)
    for tensor in interp.inputs:
        if len(tensor.data) and not tensor.data.readonly:
            tensor.data[:] = bytes(len(tensor.data))
    if not interp.model.snapshot or not interp.model.snapshot.is_fed():
        interp.invoke()
    interp.outputs, interp.save_state()
    interp.arena_report()
    str(interp.plan()), str(interp.places())


@pytest.mark.slow
def test_damaged_graph_of_a_trusted_model_is_the_projects_error(made):
    rng = random.Random(9)
    refused = 0
    for model in made.values():
        used(model)
        pos, nbytes, _ = place(model)
        for _ in range(MUTATED):
            out = bytearray(model)
            at = rng.choice([rng.randrange(pos), rng.randrange(pos + nbytes, len(out) + 1)])
            at = min(at, len(out) - 1)
            if not pos <= at < pos + nbytes:
                out[at] ^= 1 << rng.randrange(8)
            try:
                used(bytes(out))
            except (ModelError, StateError, UnsupportedOpError):
                refused += 1
    assert refused > MUTATED


def test_input_that_does_not_exist_is_the_projects_error(made):
    model = made["digits_cnn"]
    graph = Model(model, prepared=False).subgraphs[0]
    where = [
        at
        for at in range(0, len(model) - 8, 4)
        if struct.unpack_from("<ii", model, at) == (1, graph.inputs[0])
    ]
    hits = 0
    for at in where:
        out = bytearray(model)
        struct.pack_into("<i", out, at + 4, 0x0FFFFFFF)
        try:
            Interpreter(bytes(out), prepared=True)
        except ModelError as error:
            hits += "graph of this prepared model is damaged" in str(error)
    assert hits == 1


def test_fence_reads_nothing_outside_of_the_file(made):
    """Under sanitizers, with every kind of change."""
    rng = random.Random(10)
    seeds = []
    for model in made.values():
        pos, nbytes, words = place(model)
        out = bytearray(model[: pos + nbytes])
        for i in range(words[14]):
            struct.pack_into("<i", out, words[15] + 8 * i + 4, 1)
        seeds.append((pos, bytes(out)))
    inputs = [struct.pack("<i", pos) + out for pos, out in seeds]
    ends = HEADER_BYTES, HEADER_BYTES + 4  # before and between the words of a divided plan
    inputs += [struct.pack("<i", pos) + out[: pos + end] for pos, out in seeds for end in ends]
    for _ in range(SANITIZED // 10):
        pos, out = rng.choice(seeds)
        head, rest = out[:pos], bytearray(out[pos:])
        for _ in range(rng.choice((1, 1, 2, 4))):
            rng.choice(EDITS)(rng, rest, [bytes(rest)])
        inputs.append(struct.pack("<i", pos) + head + rest)
    for _ in range(SANITIZED):
        pos, out = rng.choice(seeds)
        out = bytearray(out)
        for _ in range(rng.choice((1, 1, 2))):
            at = rng.choice((pos + HEADER_BYTES, pos)) + 4 * rng.randrange(20)
            if rng.random() < 0.7:
                at = pos + 4 * rng.randrange((len(out) - pos) // 4)
            value = rng.choice((0, 1, -1, HUGE, LOWEST, len(out), rng.randrange(1 << 14)))
            struct.pack_into("<i", out, min(at, len(out) - 4), value)
        inputs.append(struct.pack("<i", pos) + out)
    inputs += [struct.pack("<i", at) + seeds[0][1] for at in (-1, 1, LOWEST, HUGE, 1 << 20)]
    assert run_inputs(FENCE, inputs) is None
