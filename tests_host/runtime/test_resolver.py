"""Resolvers: what is added to them, and which versions they take."""

import pytest

import tflm
from support.models.model_builder import ModelBuilder, Quant
from tflm.load.op_resolver import default_resolver


def test_resolver_add_all_and_versions():
    mine, other = tflm.OpResolver(), tflm.OpResolver()
    registration = tflm.Registration()
    other.add_builtin(0, registration, 2, 3)
    other.add_custom("X", registration)
    mine.add_all(other)
    found = [mine.find_op(0, v) is registration for v in (1, 2, 3, 4)]
    assert found == [False, True, True, False]
    assert mine.find_op("X") is registration
    with pytest.raises(ValueError, match="no range"):
        mine.add_builtin(0, registration, 3, 2)


@pytest.mark.parametrize("has_all", [False, True])
@pytest.mark.parametrize("op", [19, "LIKE_RELU"])
def test_resolver_keeps_all_ranges_and_the_latest_counts(op, has_all):
    resolver = default_resolver() if has_all else tflm.OpResolver()
    rows = [(tflm.Registration(), 1, 2), (tflm.Registration(), 3, 5), (tflm.Registration(), 2, 3)]
    add = resolver.add_custom if isinstance(op, str) else resolver.add_builtin
    for row in rows:
        add(op, *row)
    first, second, third = [row[0] for row in rows]
    own = resolver.find_op(op, 0)
    assert (own is None) == (not has_all or op != 19)
    expected = [own, first, third, third, second, second, own]
    assert [resolver.find_op(op, version) for version in range(7)] == expected
    other = tflm.OpResolver()
    other.add_all(resolver)
    assert [other.find_op(op, version) for version in range(1, 6)] == expected[1:6]
    late = tflm.Registration()
    add(op, late, max_version=9)
    other.add_all(resolver)
    assert other.find_op(op, 4) is late


def test_version_outside_of_all_ranges_is_named_with_them():
    b = ModelBuilder()
    x, y = (b.tensor([1, 4], "INT8", Quant(0.1, 0)) for _ in range(2))
    b.op("RELU", [x], [y], version=7)
    resolver = tflm.OpResolver()
    resolver.add_builtin(19, tflm.Registration(), 1, 2)
    resolver.add_builtin(19, tflm.Registration(), 4, 5)
    with pytest.raises(tflm.UnsupportedOpError, match="version 7, this build has 1 to 2, 4 to 5"):
        tflm.Interpreter(b.build([x], [y]), resolver=resolver)
