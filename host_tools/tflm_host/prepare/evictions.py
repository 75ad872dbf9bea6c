"""How many lines of a small flash cache are read again, where nothing is known of addresses.

A build places code and files anywhere, so these are means over all places. One build can miss
twice as many lines, and another none of them.
"""

from itertools import pairwise

from ..model.flash_cache import LINE, WAYS, misses_of

WAY = 8192  # bytes of a cache of 16 KB
CODE = 500, 500  # bytes that a kernel runs again and again, in two places


def lost(blocks):
    """Return how many lines of *blocks* are missing when all of them are read again, in turns.

    blocks  sizes in bytes, each of adjacent data or code

    Each block covers every place of a way as often as it fills one, and some places once more. If
    more than WAYS lines share a place, each has been evicted by its next turn.
    """
    chances = [1.0] + WAYS * [0.0]  # that so many lines share a place
    for nbytes in blocks:
        for _ in range(min(nbytes // WAY, WAYS + 1)):
            chances = [0.0, *chances[:-1]]
        part = nbytes % WAY / WAY
        more = [a * part + b * (1 - part) for a, b in pairwise(chances)]
        chances = [chances[0] * (1 - part), *more]
    kept = sum(count * chance for count, chance in enumerate(chances))
    return (sum(blocks) / WAY - kept) * WAY / LINE


def again(isa, data, code):
    """Return the cycles that blocks of *data* and *code* wait for lost lines of each, in a turn.

    The part that is lost is taken to be the same of all blocks.
    """
    part = lost((*data, *code)) / sum((*data, *code))
    of_data, of_code = misses_of(isa)
    return sum(data) * part * of_data, sum(code) * part * of_code
