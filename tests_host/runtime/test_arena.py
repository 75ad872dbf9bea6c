"""The arena: head, temps and tail never cross, sizes add up, errors carry figures."""

import random
import tracemalloc

import pytest

from tflm.base.arena import FORGOTTEN, IDLE, LOST, RUNNING, Arena, _claims, align_up
from tflm.base.errors import ArenaError, StateError
from tflm.base.layout import TAIL
from tflm.base.port import addressof
from tflm.run.recording import Recording


def test_persistent_buffers_grow_down_aligned():
    arena = Arena(256)
    first = arena._allocate_persistent(10, "a")
    second = arena._allocate_persistent(4, "b", alignment=4)
    assert (arena._offset_of(first), arena._offset_of(second)) == (240, 236)
    assert arena.used_bytes() == align_up(16 + 4)


def test_resize_head_keeps_largest_plan():
    arena = Arena(256)
    arena._resize_head(100)
    arena._resize_head(20)
    assert (arena.head, arena.used_bytes()) == (112, 112)


def test_persistent_too_large_raises_with_figures():
    arena = Arena(64)
    arena._resize_head(32)
    with pytest.raises(ArenaError) as caught:
        arena._allocate_persistent(40, "records")
    error = caught.value
    assert (error.requested, error.available, error.missing) == (40, 32, 8)
    assert "records" in str(error)
    assert arena.tail == 0


def test_head_too_large_raises():
    arena = Arena(64)
    arena._allocate_persistent(32, "a")
    with pytest.raises(ArenaError) as caught:
        arena._resize_head(48)
    assert (caught.value.requested, caught.value.available) == (48, 32)


def test_temp_and_tail_collide_raises():
    arena = Arena(64)
    arena._allocate_temp(40)
    with pytest.raises(ArenaError):
        arena._allocate_persistent(32, "a")
    arena._allocate_persistent(16, "a")
    with pytest.raises(ArenaError):
        arena._allocate_temp(1)


def test_temps_must_be_given_back_before_reset():
    arena = Arena(64)
    offset = arena._allocate_temp(16)
    with pytest.raises(StateError):
        arena._reset_temps()
    with pytest.raises(StateError):
        arena._resize_head(16)
    with pytest.raises(StateError):
        arena._deallocate_temp(offset + 16)
    arena._deallocate_temp(offset)
    arena._reset_temps()
    with pytest.raises(StateError):
        arena._deallocate_temp(offset)
    assert arena._temp_end == 0


def test_peak_counts_temps():
    arena = Arena(256)
    arena._deallocate_temp(arena._allocate_temp(100))
    arena._reset_temps()
    arena._allocate_persistent(16, "a")
    assert arena.used_bytes() == align_up(100)


def test_misaligned_memory_is_aligned():
    memory = bytearray(256 + 16)
    for shift in range(16):
        arena = Arena(memoryview(memory)[shift : shift + 256])
        assert arena.size % 16 == 0 and 256 - 32 < arena.size <= 256
        arena._view(arena._allocate_persistent(16, "a"), 16)[:] = bytes(16)


def test_measuring_arena_binds_to_what_it_needs():
    arena = Arena()
    first = arena._allocate_persistent(5, "a")
    arena._view(first, 5)[:] = b"hello"
    second = arena._allocate_persistent(8, "b", 4)
    arena._view(second, 8)[:] = b"12345678"
    arena._resize_head(40)
    arena._bind()
    assert arena.size == arena.used_bytes() == 48 + 32
    assert bytes(arena._view(first, 5)) == b"hello"
    assert bytes(arena._view(second, 8)) == b"12345678"


def test_measuring_arena_holds_nothing_for_what_is_only_counted():
    rng = random.Random("draft")
    for _ in range(200):
        arena, real, kept = Arena(), Arena(1 << 14), []
        for _ in range(rng.randrange(1, 12)):
            nbytes, draft = rng.randrange(1, 300), rng.randrange(3) != 0
            alignment = rng.choice((4, 16))
            depth = arena._allocate_persistent(nbytes, "p", alignment, draft=draft)
            assert depth == real._allocate_persistent(nbytes, "p", alignment)
            if draft:
                data = rng.randbytes(nbytes)
                arena._view(depth, nbytes)[:] = data
                kept.append((depth, data))
            for written, data in kept:
                assert bytes(arena._view(written, len(data))) == data
        assert arena.used_bytes() == real.used_bytes()
        arena._bind()
        for written, data in kept:
            assert bytes(arena._view(written, len(data))) == data
    arena = Arena()
    tracemalloc.start()
    for _ in range(5):
        arena._allocate_persistent(50_000_000, "variables", draft=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert arena.used_bytes() == 250_000_000 and peak < 100_000


def test_younger_arena_in_the_same_memory_takes_it():
    memory = bytearray(1024)
    parts = [Arena(memoryview(memory)[start : start + 256]) for start in (0, 256, 512, 768)]
    assert [arena._gate[0] for arena in parts] == [IDLE] * 4
    whole = Arena(memoryview(memory)[300:600])
    assert [arena._gate[0] for arena in parts] == [IDLE, LOST, LOST, IDLE]
    Arena(memory)
    assert [arena._gate[0] for arena in (*parts, whole)] == [LOST] * 5


def test_arena_in_which_a_run_goes_on_keeps_its_memory():
    memory = bytearray(1024)
    arena = Arena(memory)
    arena._gate[0] = RUNNING
    with pytest.raises(StateError, match="a run is going on"):
        Arena(memoryview(memory)[512:])
    assert arena._gate[0] == RUNNING
    arena._gate[0] = IDLE  # what lies at these addresses later is another's


def test_restore_frees_what_came_after_the_mark():
    arena = Arena()
    kept = arena._allocate_persistent(16, "a")
    mark = arena._position()
    arena._allocate_persistent(16, "b")
    arena._allocate_temp(5)
    arena._restore(mark)
    arena._reset_temps()
    assert arena.used_bytes() == 16
    assert len(arena._view(kept, 16)) == 16


def drive(arena, rng):
    """Make random requests; return how far they got before one was refused."""
    for step in range(40):
        try:
            kind = rng.randrange(3)
            if kind == 0:
                arena._allocate_persistent(rng.randrange(60), "p", rng.choice((4, 16)))
            elif kind == 1:
                arena._deallocate_temp(arena._allocate_temp(rng.randrange(60)))
                arena._reset_temps()
            else:
                arena._resize_head(rng.randrange(200))
        except ArenaError:
            return step
    return -1


def test_random_sequences_need_fits_and_16_less_raises():
    for seed in range(2000):
        probe = Arena()
        assert drive(probe, random.Random(seed)) == -1
        need = probe.used_bytes()
        assert drive(Arena(need), random.Random(seed)) == -1
        if need:
            assert drive(Arena(need - 16), random.Random(seed)) >= 0
            assert drive(Arena(need - 1), random.Random(seed)) >= 0


def test_recording_counts_by_kind_and_node():
    recording = Recording()
    arena = Arena(256, recording)
    arena._allocate_persistent(10, "records", 4, node=(0, 3))
    arena._allocate_persistent(4, "records", 4, node=(0, 3))
    arena._allocate_persistent(20, "variable tensors")
    assert recording.rows() == [("records", 14, 16, 2), ("variable tensors", 20, 32, 1)]
    assert (recording.node_bytes((0, 3)), recording.node_bytes((0, 4))) == (16, 0)


def test_arenas_side_by_side_keep_their_memory_in_whatever_order_they_are_made():
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)):
        memory = bytearray(1024)
        parts = [Arena(memoryview(memory)[256 * i : 256 * i + 256]) for i in order]
        assert [arena._gate[0] for arena in parts] == [IDLE] * 4


def test_arena_of_long_ago_knows_whether_others_had_its_bytes():
    memories = [bytearray(b"arena of long ago" * 8) for _ in range(3)]
    kept, taken, running = (Arena(memory) for memory in memories)
    running._gate[0] = RUNNING
    later = [Arena(bytearray(64)) for _ in range(40)]
    Arena(memories[1])._fill(0, 16, 0)
    for arena in (kept, taken):
        arena._claim_again()
    assert (len(later), kept._gate[0], taken._gate[0]) == (40, IDLE, LOST)
    with pytest.raises(StateError, match="a run is going on"):
        Arena(memories[2])
    running._gate[0] = IDLE


def test_base_is_aligned_wherever_memory_begins():
    memory = bytearray(256 + 16)
    for shift in range(16):
        arena = Arena(memoryview(memory)[shift : shift + 256])
        assert addressof(arena.buf) % 16 == 0


def test_arena_of_no_bytes_is_one_and_of_fewer_is_refused():
    assert Arena(0).size == 0
    assert Arena(1).size == 0
    with pytest.raises(ValueError, match="an arena of -1 bytes"):
        Arena(-1)


def test_errors_say_what_is_left_between_temps_and_tail():
    arena = Arena(256)
    arena._resize_head(32)
    arena._allocate_persistent(48, "a")
    assert arena.available() == 176
    arena._allocate_temp(20)
    with pytest.raises(ArenaError) as caught:
        arena._allocate_temp(200)
    assert (caught.value.requested, caught.value.available) == (200, 256 - 48 - 64)
    with pytest.raises(ArenaError) as caught:
        arena._allocate_persistent(200, "b")
    assert (caught.value.requested, caught.value.available) == (200, 256 - 48 - 52)


def test_head_that_holds_variables_is_no_others():
    arena = Arena(64)
    arena._resize_head(16)
    arena._is_shared = False
    with pytest.raises(StateError, match="keeps variables in this arena"):
        arena._resize_head(16)


@pytest.mark.parametrize("nbytes", [0, 1, 63, 64, 65, 128, 129, 300])
def test_fill_sets_the_bytes_that_it_was_given_and_no_others(nbytes):
    arena = Arena(512)
    arena._fill(32, nbytes, 7)
    assert bytes(arena.buf) == bytes(32) + bytes([7]) * nbytes + bytes(480 - nbytes)


def test_bytes_that_are_only_counted_are_forgotten_from_the_mark_on():
    arena = Arena()
    for draft in (True, False):
        arena._allocate_persistent(32, "a", draft=draft)
    mark = arena._position()
    for _ in range(3):
        arena._allocate_persistent(64, "b", draft=False)
        arena._restore(mark)
    depth = arena._allocate_persistent(16, "c")
    arena._view(depth, 16)[:] = b"after the marked"
    arena._bind()
    assert bytes(arena._view(depth, 16)) == b"after the marked"


def test_reserved_bytes_are_not_moved_when_the_tail_grows_into_them():
    arena = Arena()
    arena._allocate_persistent(64, "a")
    arena._reserve(1000)
    depth = arena._allocate_persistent(100, "b")
    view = arena._view(depth, 100)
    arena._allocate_persistent(800, "c")
    view[:] = bytes(range(100))
    assert bytes(arena._view(depth, 100)) == bytes(range(100))
    real = Arena(64)
    real._reserve(1000)  # there is memory already
    assert (real.size, real.tail) == (64, 0)


def test_measuring_takes_little_more_heap_than_the_tail():
    arena = Arena()
    tracemalloc.start()
    for _ in range(730):
        arena._allocate_persistent(1024, "a")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.5 * 730 * 1024  # the block, and the one before of half the size


def test_binding_again_changes_nothing():
    arena = Arena()
    depth = arena._allocate_persistent(4, "a")
    arena._bind()
    arena._view(depth, 4)[:] = b"kept"
    arena._bind()
    assert bytes(arena._view(depth, 4)) == b"kept"


def two(first=256, second=256):
    """Return an arena of two memories of at least these bytes."""
    return Arena(bytearray(first + 16), tail=bytearray(second + 16))


def test_two_memories_do_not_share_their_room():
    arena = two(64, 64)
    first = arena._allocate_persistent(48, "a")
    arena._resize_head(64)
    assert arena._offset_of(first) == TAIL + len(arena._tail_buf) - 48
    assert arena.used_in_each() == (64, 48)
    assert arena.used_bytes() == 112
    assert arena.available() == arena.size + len(arena._tail_buf) - 112
    for what, ask in (
        ("memory plan", lambda: arena._resize_head(arena.size + 16)),
        ("temp", lambda: arena._allocate_temp(arena.size + 16 - 64)),
        ("b", lambda: arena._allocate_persistent(len(arena._tail_buf) - 32, "b")),
    ):
        with pytest.raises(ArenaError, match=what) as caught:
            ask()
        assert caught.value.missing == 16


def test_two_memories_count_temps_in_the_first():
    arena = two()
    arena._allocate_persistent(16, "a")
    arena._deallocate_temp(arena._allocate_temp(100))
    arena._reset_temps()
    assert arena.used_in_each() == (112, 16)
    arena._restore((0, 0, 0, 0))
    assert arena.used_in_each() == (0, 0)


def test_two_memories_must_be_two():
    memory = bytearray(1024)
    with pytest.raises(ValueError, match="two memories that overlap"):
        Arena(memory, tail=memoryview(memory)[512:])
    with pytest.raises(TypeError, match="give the first one, too"):
        Arena(tail=memory)
    with pytest.raises(ValueError, match="an arena of -1 bytes"):
        Arena(64, tail=-1)


@pytest.mark.parametrize("which", [0, 1])
def test_whoever_gets_one_of_two_memories_takes_both(which):
    memories = bytearray(256), bytearray(256)
    arena = Arena(memories[0], tail=memories[1])
    assert arena._gate[0] == IDLE
    Arena(memories[which])
    assert arena._gate[0] == LOST


@pytest.mark.parametrize("changed", [None, 0, 1])
def test_two_memories_of_long_ago_are_lost_where_either_has_changed(changed):
    memories = bytearray(256), bytearray(256)
    arena = Arena(memories[0], tail=memories[1])
    others = [bytearray(64) for _ in range(40)]
    arenas = [Arena(memory) for memory in others]
    assert arena._gate[0] == FORGOTTEN
    assert not [claim for claim in _claims if claim[2] is arena._gate]
    if changed is not None:
        memories[changed][100] = 1
    arena._claim_again()
    assert arena._gate[0] == (IDLE if changed is None else LOST)
    assert len(arenas) == len(others)


def test_offsets_of_one_memory_are_below_those_of_another():
    assert Arena(1 << 28).size == TAIL - 16
