"""Random models of one operator, legal for TensorFlow Lite Micro: case(seed) is always the same.

The functions in tests_host/cases draw shapes, options, quantisation and constants. Scales are
drawn so that outputs mostly fall inside the int8 range, and now and then far outside of it.
"""

import random
from dataclasses import dataclass

from cases import ALL, OPS, TIES
from support.draw.one_op import Draw


@dataclass
class Case:
    """A model, the bytes of its inputs for each of several successive invokes."""

    name: str
    model: bytes
    inputs: list  # one list an invoke, of bytes, one an input


def case(seed):
    """Return the random model number *seed*; ops take turns, so n seeds cover all of them."""
    return case_of(list(OPS)[seed % len(OPS)], seed)


def tie_case(seed):
    """Return the model number *seed* of those where one bit of a multiplier decides."""
    return case_of(list(TIES)[seed % len(TIES)], seed)


def case_of(op, seed):
    draw = Draw(random.Random(f"{op} {seed}"))
    model, inputs = ALL[op].draw(draw)
    return Case(
        f"{op}-{seed}", model, [[make() for make in inputs] for _ in range(ALL[op].invokes)]
    )
