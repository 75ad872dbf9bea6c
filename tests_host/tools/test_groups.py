"""The schedule of fused layers."""

import cProfile
import pstats
from itertools import combinations

import pytest

from tflm_host.prepare.groups import Group, TooManyTensors
from tflm_host.prepare.member import Member, Rows

HEIGHT = 25


def windows(count, strip, height=HEIGHT, row=16, **more):
    """Return *count* Members with windows of 3 rows, padding 1, below each other."""
    shapes = {tensor: Rows(height, row, 5) for tensor in range(count + 1)}
    how = {"pad": 1, "extent": 3, "strip": strip, **more}
    return [Member(i, (i,), i + 1, shapes, {}, **how) for i in range(count)]


def group(count, strip, fed=None, **more):
    return Group(windows(count, strip, **more), [count], fed)


def test_no_layer_takes_more_calls_than_its_strips():
    for count in range(1, 8):
        for strip in (1, 2, 3, 4):
            assert set(group(count, strip).calls) == {-(-HEIGHT // strip)}, (count, strip)


def test_bytes_that_slide_are_those_of_rows_that_a_strip_finds_needed():
    assert group(1, 1).moved == 0
    # Of 25 rows between the layers the last 24 are made while one or two before are needed.
    assert group(2, 1).moved == 16 * (1 + 2 * 23)
    assert group(2, 1, row=1 << 27).moved == 47 << 27  # no word holds it


def test_rows_that_come_from_outside_have_room_for_a_window():
    whole, fed = group(3, 1), group(3, 1, fed=0)
    assert (whole.inputs, fed.inputs, fed.tensors) == ([0], [], [0, 1, 2, 3])
    assert (whole.capacity, fed.capacity) == ({1: 3, 2: 3}, {0: 3, 1: 3, 2: 3})
    assert fed.calls == whole.calls
    assert whole.distances == {(3, 0): -16} and fed.distances == {}


def test_places_lie_apart_where_both_have_rows_that_are_needed():
    found = group(4, 1, scratch=40)
    assert set(found.offsets) == {1, 2, 3, -1, -2, -3, -4}
    sizes = {t: 16 * found.capacity[t] if t > 0 else 48 for t in found.offsets}
    ends = {t: at + sizes[t] for t, at in found.offsets.items()}
    assert found.height == max(ends.values()) == 3 * 48 + 48
    for a, b in combinations(found.offsets, 2):
        if a > 0 or b > 0:  # scratch of two members is never there at once
            assert ends[a] <= found.offsets[b] or ends[b] <= found.offsets[a], (a, b)


def test_a_group_takes_as_many_calls_of_functions_whatever_its_rows():
    def calls(height):
        members = windows(4, 1, height)
        profile = cProfile.Profile()
        profile.runcall(Group, members, [4])
        return pstats.Stats(profile).total_calls

    assert calls(1000) == calls(10) < 200


def test_more_tensors_than_a_record_can_number_are_no_group():
    shapes = {tensor: Rows(HEIGHT, 16, 5) for tensor in range(1000)}
    members = [Member(i, (i, 500 + i), i + 1, shapes, {}) for i in range(127)]
    assert len(Group(members, [127]).tensors) == 255
    members.append(Member(127, (127, 127), 128, shapes, {}))
    with pytest.raises(TooManyTensors):
        Group(members, [128])
