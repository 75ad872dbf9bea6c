"""AVERAGE_POOL_2D over areas of every size that its reciprocal serves, and larger ones."""

import struct

import numpy as np
import pytest

from support.native.native_call import Call, run_nodes
from tflm.ops.collect import rows

COUNTS = (*range(1, 262), 1000)
COLUMNS = 64  # outputs side by side


def pooled(count, depth, data):
    """Pool *data*, [count, COLUMNS, depth], over its first axis."""
    record = dict.fromkeys(rows().records["POOL_2D"], 1)
    record |= {"input_height": count, "filter_height": count, "depth": depth}
    record |= {"input_width": COLUMNS, "output_width": COLUMNS, "pad_top": 0, "pad_left": 0}
    record |= {"activation_min": -128, "activation_max": 127}
    words = [record[field] for field in rows().records["POOL_2D"]]
    packed = struct.pack(f"<{len(words)}i", *words)
    call = Call("average_pool_2d_s8", packed, [data.tobytes()], [bytes(COLUMNS * depth)])
    return np.frombuffer(call.run(run_nodes)[0], np.int8).reshape(COLUMNS, depth)


@pytest.mark.parametrize("depth", [1, 4])
def test_average_pool_of_any_count_rounds_ties_away_from_zero(depth):
    rng = np.random.default_rng(depth)
    for count in COUNTS:
        data = rng.integers(-128, 128, (count, COLUMNS, depth), np.int8)
        data[:, 0], data[:, 1] = -128, 127
        data[: count // 2, 2:9] = data[count - count // 2 :, 2:9] + 1  # sums near ties
        total = data.astype(np.int64).sum(axis=0)
        expected = np.sign(total) * ((2 * np.abs(total) + count) // (2 * count))
        assert np.array_equal(pooled(count, depth, data), expected), count
