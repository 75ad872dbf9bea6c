"""How many lines a small cache loses, by simulations of the cache with blocks at all places."""

import random

import pytest

from tflm_host.model.flash_cache import LINE, MISSES, WAYS
from tflm_host.prepare.evictions import WAY, again, lost

SETS = WAY // LINE
ROUNDS = 4


def missed(starts, blocks):
    """Return the misses of the last of ROUNDS in which *blocks* are read in turns, LRU."""
    cache = [[] for _ in range(SETS)]
    for _ in range(ROUNDS):
        count = 0
        for start, nbytes in zip(starts, blocks, strict=True):
            for line in range(start, start + nbytes // LINE):
                way, tag = cache[line % SETS], (start, line)
                count += tag not in way
                if tag in way:
                    way.remove(tag)
                way.append(tag)
                del way[:-WAYS]
    return count


@pytest.mark.parametrize(
    ("blocks", "count"),
    [((), 0), ((WAY, WAY), 0), ((2 * WAY,), 0), ((WAY,) * 3, 3 * SETS), ((5 * WAY,), 5 * SETS)],
)
def test_whole_ways(blocks, count):
    assert lost(blocks) == missed(range(0, SETS * len(blocks), SETS), blocks) == count


@pytest.mark.parametrize(
    "blocks", [(4096, 2048, 1000, 1000), (9216, 512, 504, 504), (6000, 6000, 6000), (20000, 800)]
)
def test_mean_of_many_places(blocks):
    rng = random.Random(1)
    counts = [missed([rng.randrange(SETS) for _ in blocks], blocks) for _ in range(150)]
    mean = sum(counts) / len(counts)
    assert lost(blocks) == pytest.approx(mean, rel=0.25)


def test_code_is_told_from_data():
    """A line of code costs an RP2350 more than one of data, and an RP2040 as much."""
    data, code = (9216, 2048), (512, 504)
    for isa, costs in MISSES.items():
        cycles = again(isa, data, code)
        lines = [each / cost for each, cost in zip(cycles, costs, strict=True)]
        assert sum(lines) == pytest.approx(lost((*data, *code)))
        assert lines[1] / lines[0] == pytest.approx(sum(code) / sum(data))


def test_larger_blocks_lose_no_less():
    found = [lost((nbytes, 3000, 3000)) for nbytes in range(0, 3 * WAY, 1000)]
    assert found == sorted(found) and found[0] == 0 < found[-1]
