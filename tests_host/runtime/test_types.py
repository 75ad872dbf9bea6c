"""An operator takes the types that its row names, and no others: its function reads them there."""

import re
from itertools import count
from random import Random

import pytest

import tflm
from cases import OPS
from support.draw.one_op import Draw
from tflm import schema
from tflm.ops.collect import TYPES, Rows, rows
from tflm_host.model import flatfile
from tflm_host.places import MODULES

LISTED = {row.name: row for row in rows().operators.values() if row.accepted}
# Which input has the data, if not the first one.
DATA = {"EMBEDDING_LOOKUP": 1, "TRANSPOSE_CONV": 2, "VAR_HANDLE": None}
READS = re.compile(r'\brow_types\((\s*"[\w", \n]+)\)')


def test_types_have_the_numbers_of_the_schema():
    assert {name: schema.type_name(number) for name, number in TYPES.items()} == {
        name: name for name in TYPES
    }


def test_every_listed_type_is_read_by_a_function_of_the_family():
    read = {}
    for path in (MODULES / "tflm" / "ops").glob("*.py"):
        for call in READS.findall(path.read_text()):
            family = path.stem.partition("_")[0]
            read.setdefault(family, set()).update(re.findall(r"\w+", call))
    assert {name for name, row in LISTED.items() if name not in read.get(row.family, ())} == set()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("ADD", "MUL", "DIV"), "ADD, MUL, DIV accept the types"),
        (("GATHER",), "GATHER accept the types"),
        (("NO_SUCH",), "NO_SUCH accept the types"),
    ],
)
def test_types_of_operators_that_differ_are_refused(names, message):
    with pytest.raises(ValueError, match=message):
        rows().types_of(*names)


def test_a_row_that_loses_a_type_no_longer_accepts_it(monkeypatch):
    model = next(_models("relu"))
    tflm.Interpreter(model, measure=True)
    monkeypatch.setattr(Rows, "types_of", lambda _self, *_names: (schema.INT64,))
    with pytest.raises(tflm.UnsupportedOpError, match="supported: int64"):
        tflm.Interpreter(model, measure=True)


def _models(name):
    """Yield random models of the case *name*."""
    for seed in count():
        yield OPS[name].draw(Draw(Random(seed)))[0]


def _operator_of(model):
    """Return (name, index of the tensor that has the type) of the last operator with a row."""
    graph = tflm.Model(model).subgraphs[0]
    for operator in reversed(list(graph.operators())):
        if operator.name in LISTED:
            at = DATA.get(operator.name, 0)
            return operator.name, None if at is None else operator.inputs[at]
    return None, None


@pytest.mark.parametrize("case", OPS)
def test_each_type_outside_of_the_row_is_refused(case):
    model = next(_models(case))
    name, tensor = _operator_of(model)
    if tensor is None:
        return  # test_every_listed_type_is_read_by_a_function_of_the_family looks at its row
    root = flatfile.read(model)
    drawn = root.subgraphs[0].tensors[tensor]
    assert drawn.type in LISTED[name].accepted
    for other in sorted(set(TYPES.values()) - set(LISTED[name].accepted)):
        drawn.type = other
        with pytest.raises(tflm.ModelError):
            tflm.Interpreter(flatfile.write(root), measure=True)
