"""Each limit of firmware/tflm/fence.c: sound on one side, damaged on the other."""

import pytest

import _tflm
from support.fuzz.snapshots import ARENA, BAD, TABLES, Child, Node, Snapshot, images
from tflm.base import layout
from tflm.ops.index import kernel_index
from tflm_host.prepare.snapshot import rows

SOUND, TABLE, KERNELS, FIRST = 0, -1, -2, 1  # results of the fence; FIRST: node 0
MAX_BYTES = 1 << 28
SLACK = [0] * 16  # words behind the parameters of a child
BAD_SLACK = [BAD] * 16  # of which none is a number of a tensor


def fence(snapshot, cut=0):
    file = snapshot.file()
    return _tflm.fence(file[: len(file) - cut], 0)


def full(last):
    """Return a snapshot with rows in each table, of which *last* is at the end of the file."""
    return Snapshot(
        tensors=[0], variables=[0, 16, 0, 0, 16, 48, 0, 0], scratch=[0, 16, 0, 0], last=last
    )


@pytest.mark.parametrize("last", [*TABLES, "records"])
def test_table_may_end_with_the_file_and_not_a_byte_later(last):
    assert fence(full(last)) == SOUND
    for cut in (1, 2, 3, 4):
        assert fence(full(last), cut) == (FIRST if last == "records" else TABLE)


@pytest.mark.parametrize("name", ["nodes", "tensors", "variables", "scratch"])
def test_empty_table_may_lie_at_the_end_and_not_behind_it(name):
    size = len(Snapshot().file())
    for place, want in ((size, SOUND), (size + 4, TABLE), (size - 2, TABLE), (-4, TABLE)):
        assert fence(Snapshot(header={name: (0, place)})) == want, place


@pytest.mark.parametrize("name", list(TABLES))
def test_count_whose_words_wrap_around_is_refused(name):
    for count in (1 << 30, 1 << 31, 3 << 30):
        signed = count - (count >> 31 << 32)
        assert fence(Snapshot(header={name: (signed, 80)})) == TABLE


def test_header_ends_in_the_file_and_lies_on_a_word():
    file = Snapshot(nodes=[]).file()
    assert len(file) == 80 and _tflm.fence(file, 0) == SOUND
    assert _tflm.fence(file[:79], 0) == _tflm.fence(file[:76], 0) == TABLE
    for place in (-4, 1, 2, 4, 80, 1 << 30, -1 << 31):
        assert _tflm.fence(file, place) == TABLE
    for shift in (1, 2, 3):
        odd = memoryview(b"\0" * shift + file)[shift:]
        assert _tflm.fence(odd, 0) == TABLE


def test_arena_is_less_than_256_mb():
    for arena, want in ((MAX_BYTES - 16, SOUND), (MAX_BYTES, TABLE), (-16, TABLE)):
        assert fence(Snapshot(arena=arena)) == want


def test_variable_ends_in_the_arena():
    for offset, nbytes, want in (
        *((0, ARENA, SOUND), (ARENA, 0, SOUND), (ARENA - 16, 16, SOUND)),
        *((0, ARENA + 1, TABLE), (ARENA, 1, TABLE), (ARENA + 1, 0, TABLE)),
        *((-1, 0, TABLE), (0, -1, TABLE), (16, -16, TABLE)),
    ):
        for first in ([], [0, 16, 0, 0]):
            snapshot = Snapshot(variables=[*first, offset, nbytes, 0, 0])
            assert fence(snapshot) == want, (offset, nbytes)


def test_no_row_behind_a_table_is_looked_at():
    assert fence(Snapshot(variables=[0, 16, 0, 0, BAD, BAD, 0, 0], header={})) == TABLE
    bad = [BAD] * 8
    for last in ("variables", "kernels", "nodes"):
        one = Snapshot(variables=[0, 16, 0, 0] if last == "variables" else [], last=last)
        one.behind = bad
        assert fence(one) == SOUND


def test_kernel_is_one_of_this_build_in_its_form_and_named():
    count = len(rows().kernels)
    for number in range(count):
        refs, words = sound_refs(number), sound_words(number)
        assert fence(Snapshot([Node(number, refs, words)])) == SOUND, number
        for other in (number - 1, number + 1, number + 32, number - 32):
            if 0 <= other < count:
                alone = Snapshot([Node(number, refs, words)], named=[other])
                assert fence(alone) == FIRST, (number, other)
    for number in (-1, count, count + 1, 1 << 30):
        assert fence(Snapshot(named=["copy", number])) == KERNELS
        assert fence(Snapshot(named=[number])) == KERNELS
    for number in (count, count + 40, 0xFFFE):
        assert fence(Snapshot([Node(number, [0, 0], [16])], named=["copy"])) == FIRST


def test_form_of_a_kernel_is_the_one_of_this_build():
    for number, kernel in enumerate(rows().kernels):
        for form, want in ((kernel.form, SOUND), (kernel.form ^ 1, KERNELS), (0, KERNELS)):
            assert fence(Snapshot(named=["copy", (number, form)])) == want, (number, form)
    for number in (-1, len(rows().kernels), 1 << 30):
        assert fence(Snapshot(named=["copy", (number, 0)])) == KERNELS


def arguments(number):
    """Return the names of a kernel's arguments, and whether one is any number of them."""
    text = rows().kernels[number].arguments.replace("->", ",")
    names = [one.split()[-1] for one in text.split(",") if one.strip()]
    return names, "..." in text


def sound_refs(number):
    names, is_variadic = arguments(number)
    return [0] * (3 if is_variadic else len(names))


def sound_words(number):
    return [0] * len([name for name in rows().kernels[number].fields if "[" not in name])


def test_node_has_the_tagged_offsets_and_parameters_of_its_kernel():
    for number in range(len(rows().kernels)):
        refs, words = sound_refs(number), sound_words(number)
        _, is_variadic = arguments(number)
        sound = Node(number, refs, words)
        if words:
            assert fence(Snapshot([sound]), 4) == FIRST, number
        for count in (0, len(refs) - 1, len(refs) + 1):
            node = Node(number, refs, [*words, *SLACK], counted=count)
            is_sound = is_variadic and count > 0
            assert fence(Snapshot([node])) == (SOUND if is_sound else FIRST), (number, count)


def test_constants_may_be_absent_and_nothing_else():
    for number, kernel in enumerate(rows().kernels):
        names, _ = arguments(number)
        may = {"bias", "constants"}
        if kernel.name == "depthwise_conv_2d_s8":
            may = {"bias", "constants", "scratch"}
        for i, name in enumerate(names):
            refs = sound_refs(number)
            refs[i] = layout.ABSENT
            is_sound = name in may or kernel.name == "row_group"  # whose tensors lie inside
            want = SOUND if is_sound else FIRST
            assert fence(Snapshot([Node(number, refs, sound_words(number))])) == want, name
    number = kernel_index("depthwise_conv_2d_s8")
    refs = [0 if n not in ("constants", "scratch") else -1 for n in arguments(number)[0]]
    assert fence(Snapshot([Node(number, refs, sound_words(number))])) == FIRST


def test_tagged_offset_begins_inside_its_space_on_a_word():
    size = len(Snapshot().file())
    for ref, want in (
        *(((ARENA - 4) << 1, SOUND), ((ARENA - 2) << 1, FIRST), (ARENA << 1, FIRST)),
        *(((size - 4) << 1 | 1, SOUND), (size << 1 | 1, FIRST), ((size - 1) << 1 | 1, FIRST)),
        *((4, FIRST), (2, FIRST), (8, SOUND), (0x7FFFFFF8, FIRST), (-2, FIRST), (-8, FIRST)),
    ):
        for refs in ([ref, 0], [0, ref]):
            assert fence(Snapshot([Node("copy", refs, [16])])) == want, ref


def test_absent_is_no_offset_0_of_an_arena_without_bytes():
    number = kernel_index("conv_2d_s8")
    names, _ = arguments(number)
    size = len(Snapshot().file())
    refs = [size - 4 << 1 | 1] * len(names)
    for value, want in ((layout.ABSENT, SOUND), (0, FIRST), (-5, SOUND)):
        refs[names.index("bias")] = value
        assert fence(Snapshot([Node(number, refs, sound_words(number))], arena=0)) == want


def test_node_without_kernel_is_left_to_python_and_the_next_one_is_looked_at():
    flow = Node(layout.NO_KERNEL, [], [], record=BAD)
    good, bad = Node("copy", [0, 0], [16]), Node("copy", [0, BAD], [16])
    named = ["copy"]
    assert fence(Snapshot([flow], named=[])) == SOUND
    assert fence(Snapshot([flow, good], named=named)) == SOUND
    assert fence(Snapshot([good, flow, bad, good], named=named)) == 3


def test_record_lies_in_the_file():
    place = len(Snapshot(last="nodes").file())
    for record in ((80 << 1), place + 4 << 1 | 1, 80 + 2 << 1 | 1):
        assert fence(Snapshot([Node("copy", [0, 0], [16], record=record)])) == FIRST


# Groups: tensor 0 is there before, child 0 makes tensor 1.

COPIED = Node("copy", [0, 0], [16, *SLACK])


def group(tensors, children, records, *, refs=None, count=None, before=0, **more):
    """Return a snapshot whose node number *before* is a group of *children*."""
    places = len(tensors) // 4
    refs = [0] * (places + 1) if refs is None else refs
    members = len(children) if count is None else count
    node = Node("row_group", refs, [members, *tensors, *children])
    inner = [Node("row_group", [0], [0]) for _ in range(before)]
    return Snapshot([*inner, node], records=records, **more)


def of_copy(records=(COPIED,), **facts):
    return group(images(-1, 0), [Child(**facts)], list(records))


def test_child_says_places_in_its_own_parameters():
    assert fence(of_copy()) == SOUND
    for name in ("output_at", "height_at", "outputs_at", "pad_at", "count_at", "is_last"):
        for value, want in ((2, SOUND), (3, FIRST), (255, FIRST)):
            assert fence(of_copy(**{name: value})) == want, (name, value)
    for value, want in ((2, SOUND), (3, FIRST)):
        assert fence(of_copy(inputs_at=(value, 255))) == want
        second = of_copy(inputs=(0, 0), inputs_at=(0, value))
        assert fence(second) == want


@pytest.mark.parametrize(
    ("facts", "want"),
    [
        ({"shift": 31}, SOUND),
        ({"shift": 32}, FIRST),
        ({"strip": 0}, FIRST),
        ({"strip": 2}, SOUND),
        ({"strip": -1}, FIRST),
        ({"output": 0}, FIRST),
        ({"output": 2}, FIRST),
        ({"inputs": (1, 255)}, FIRST),  # its own
        ({"inputs": (2, 255)}, FIRST),
        ({"inputs": (0, 1)}, FIRST),
        ({"inputs": (0, 2)}, FIRST),
        ({"inputs": (0, 0), "inputs_at": (0, 0)}, SOUND),
    ],
)
def test_limits_of_a_child(facts, want):
    assert fence(of_copy(**facts)) == want


def test_output_of_a_child_is_a_tensor_that_says_so():
    for tensors, facts in (
        (images(-1, -1), {"output": 2, "output_at": 0}),  # the child's words, as a tensor, say so
        (images(-1, -1), {"output": 1}),
        (images(-1, 0), {"output": 2, "output_at": 0}),
    ):
        assert fence(group(tensors, [Child(**facts)], [COPIED])) == FIRST


def test_tagged_offsets_that_calls_set_count_modulo_32():
    refs = [*[0] * 33, layout.ABSENT]
    record = Node("concatenation", refs, [1, 1, 4, 0, *SLACK])
    for facts in ({"output_at": 33}, {"output_at": 2, "inputs_at": (33, 255)}):
        assert fence(of_copy([record], length=40, **facts)) == SOUND
    assert fence(of_copy([record], length=40, output_at=2, inputs_at=(2, 255))) == FIRST


def test_second_input_is_not_read_behind_the_first_that_is_absent():
    assert fence(of_copy(inputs=(255, 0))) == FIRST  # a list, which a copy does not have


def test_parameters_of_a_child_are_copied_in_pieces_of_eight_words():
    for length, there, want in (
        *((8, 8, SOUND), (8, 7, FIRST), (9, 16, SOUND), (9, 15, FIRST)),
        *((48, 48, SOUND), (48, 47, FIRST), (49, 64, FIRST)),
    ):
        record = Node("copy", [0, 0], [0] * (there - 2))
        assert fence(of_copy([record], length=length)) == want, (length, there)


def test_child_is_no_group_and_has_a_named_kernel():
    inner = Node("row_group", [0, 0], [0, *SLACK])
    assert fence(of_copy([inner])) == FIRST
    snapshot = of_copy()
    snapshot.named = ["row_group"]
    assert fence(snapshot) == FIRST


def test_tagged_offsets_that_calls_set_may_be_absent_and_no_others():
    for refs, facts, want in (
        ([-1, 0], {}, SOUND),
        ([0, -1], {}, SOUND),
        ([-1, -1], {}, SOUND),
        ([-1, 0], {"inputs_at": (2, 255)}, FIRST),
        ([0, -1], {"output_at": 2}, FIRST),
        ([-1, -1], {"inputs": (0, 0), "inputs_at": (2, 0)}, SOUND),
        ([BAD << 1, 0], {}, SOUND),
        ([0, ARENA << 1], {}, FIRST),
    ):
        record = Node("copy", refs, [16, *SLACK])
        assert fence(of_copy([record], **facts)) == want, (refs, facts)


def test_state_and_tensors_of_a_group_lie_in_the_arena():
    words = 1 + 2 * 2  # of the state
    for state, want in (
        *(((ARENA - 4 * words >> 3 << 3) << 1, SOUND), (ARENA - 4 * words << 1, SOUND)),
        *((ARENA - 4 * words + 4 << 1, FIRST), (1, FIRST), (-1, FIRST), (ARENA << 1, FIRST)),
    ):
        snapshot = group(images(-1, 0), [Child()], [COPIED], refs=[0, 0, state])
        assert fence(snapshot) == want, state
    for place, want in ((ARENA - 4 << 1, SOUND), (ARENA << 1, FIRST), (-1, FIRST), (1, SOUND)):
        for refs in ([place, 0, 0], [0, place, 0]):
            snapshot = group(images(-1, 0), [Child()], [COPIED], refs=refs)
            assert fence(snapshot) == want, refs


def test_makers_of_tensors_make_them():
    def made_by(*makers, last_reader=0):
        return group(images(*makers, last_reader=last_reader), [Child()], [COPIED])

    assert fence(made_by(-1, 0)) == fence(made_by(-2, 0)) == SOUND
    for makers in ((-3, 0), (1, 0), (0, 0), (-1, -1), (-1, 1), (-1, -2)):
        assert fence(made_by(*makers)) == FIRST, makers
    assert fence(made_by(-1, 0, last_reader=1)) == FIRST
    assert fence(made_by(-1, 0, 0)) == FIRST  # which child 0 does not make
    behind = Node("copy", [0, 0], [2 << 8, *SLACK])  # as a child, it would make tensor 2
    assert fence(group(images(-1, 0, 1), [Child()], [behind])) == FIRST


def of_two(**facts):
    """Return a snapshot of two copies, one after the other: tensors 0 to 2."""
    children = [Child(), Child(output=2, inputs=(1, 255), **facts)]
    return group(images(-1, 0, 1, last_reader=1), children, [COPIED], before=1)


def test_children_read_what_earlier_ones_make():
    assert fence(of_two()) == SOUND
    two = of_two()
    two.nodes[1].words[-2] = Child(inputs=(2, 255))
    assert fence(two) == 2
    for facts in ({"strip": 0}, {"shift": 40}):
        assert fence(of_two(**facts)) == 2
    children = [Child(output_at=0), Child(output=2, inputs=(3, 255))]  # of tensors 0 to 2
    beyond = group(images(-1, 0, 1, last_reader=1), children, [COPIED], before=1)
    assert fence(beyond) == 2  # whose maker, as the first child's words tell it, is child 0


def test_group_has_no_more_children_than_nodes():
    two = of_two()
    assert fence(two) == SOUND
    two.nodes = two.nodes[1:]  # it is node 0
    assert fence(two) == FIRST
    assert fence(group(images(-1, 0), [Child()], [COPIED], count=-1)) == FIRST
    assert fence(group([], [], [], count=0, refs=[0])) == SOUND
    assert fence(group(images(-1, 0), [Child()], [COPIED], count=2)) == FIRST


def test_tensors_and_children_of_a_group_end_with_the_file():
    snapshot = group(images(-1, 0), [Child()], [COPIED], is_group_last=True)
    assert fence(snapshot) == SOUND
    assert fence(snapshot, 4) == FIRST


def beside(count=2, sizes=2, numbers=(0, 1), refs=4, length=None, **facts):
    """Return a group whose last child has *count* images beside each other."""
    words = [1, count, *([4] * sizes), *numbers]
    record = Node("concatenation", [0] * refs, [*words, *BAD_SLACK])
    length = refs + len(words) if length is None else length
    facts = {"inputs": (255, 255), "inputs_at": (255, 255), "way": 1, **facts}
    listed = Child(record=1, output=2, output_at=refs - 1, length=length, **facts)
    tensors = images(-1, 0, 1, last_reader=1)
    return group(tensors, [Child(), listed], [COPIED, record], before=1)


def test_list_of_images_beside_each_other():
    assert fence(beside()) == SOUND
    assert fence(beside(length=7 + 2)) == 2  # a word less than the numbers take
    for numbers in ((0, 2), (2, 0), (0, 3), (-1, 0), (0, 1 << 30)):
        assert fence(beside(numbers=numbers)) == 2, numbers
    for count in (0, -1, 3, 1 << 30, (1 << 31) - 1, -1 << 31):
        assert fence(beside(count=count)) == 2, count
    assert fence(beside(refs=3)) == SOUND
    assert fence(beside(refs=2)) == 2  # no more tagged offsets than inputs
    assert fence(beside(way=0)) == fence(beside(way=2)) == 2
    assert fence(beside(count=1, sizes=1, numbers=(0,), refs=2)) == SOUND


def stack(count=2, numbers=(0, 1), length=None, **facts):
    """Return a group whose last child has *count* images below each other."""
    words = [16, count, *numbers]
    record = Node("rows_stack", [0, 0], [*words, *BAD_SLACK])
    length = 2 + len(words) if length is None else length
    usual = {"inputs": (255, 255), "inputs_at": (0, 255), "extent": 0}
    listed = Child(record=1, output=2, length=length, **{**usual, **facts})
    tensors = images(-1, 0, 1, last_reader=1)
    return group(tensors, [Child(), listed], [COPIED, record], before=1)


def test_list_of_images_below_each_other():
    assert fence(stack()) == SOUND
    assert fence(stack(length=5)) == 2
    for numbers in ((0, 2), (2, 0), (-1, 0), (0, 1 << 30)):
        assert fence(stack(numbers=numbers)) == 2, numbers
    for count in (0, -1, 3, 1 << 30, -1 << 31):
        assert fence(stack(count=count)) == 2, count
    assert fence(stack(count=1)) == SOUND
    assert fence(stack(extent=1)) == fence(stack(height_at=1)) == 2
    assert fence(stack(inputs_at=(5, 255))) == SOUND
    assert fence(stack(inputs_at=(6, 255))) == 2
