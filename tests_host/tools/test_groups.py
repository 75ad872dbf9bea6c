"""The schedule of layers that run row by row."""

from tflm_host.prepare.groups import Group
from tflm_host.prepare.member import Member, Rows

HEIGHT = 25


def windows(count, strip):
    """Return a Group of *count* layers with windows of 3 rows, padding 1, below each other."""
    shapes = {tensor: Rows(HEIGHT, 16, 5) for tensor in range(count + 1)}
    members = [
        Member(i, (i,), i + 1, shapes, {}, pad=1, extent=3, strip=strip) for i in range(count)
    ]
    return Group(members, [count])


def test_no_layer_takes_more_calls_than_its_strips():
    for count in range(1, 8):
        for strip in (1, 2, 3, 4):
            group = windows(count, strip)
            assert set(group.calls.values()) == {-(-HEIGHT // strip)}, (count, strip)


def test_bytes_that_slide_are_those_of_rows_that_a_strip_finds_needed():
    assert windows(1, 1).moved == 0
    # Of 25 rows between the layers the last 24 are made while one or two before are needed.
    assert windows(2, 1).moved == 16 * (1 + 2 * 23)
