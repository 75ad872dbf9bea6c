"""Attributes of what a load makes: MicroPython looks each up in tables that grow by steps."""

import ast
from pathlib import Path

import pytest

import tflm
from tflm import interpreter, model
from tflm.run import prepared
from tflm_host.places import ROOT
from tflm_host.prepare import prepare

SIZES = (2, 4, 6, 8, 10, 12, 17, 23, 29, 37, 47, 59, 73, 97)  # of tables: py/map.c of MicroPython


def members_of(module, name):
    """Return the names that the body of class *name* binds."""
    body = ast.parse(Path(module.__file__).read_text()).body
    (kind,) = [node for node in body if isinstance(node, ast.ClassDef) and node.name == name]
    names = {"__module__", "__qualname__"}
    for node in kind.body:
        names.update(target.id for target in getattr(node, "targets", ()))
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (interpreter, "Interpreter"),
        (model, "Model"),
        (model, "SubGraph"),
        (prepared, "PreparedAllocator"),
    ],
)
def test_table_of_a_class_has_room(module, name):
    # These classes have properties: setting an attribute looks for it, and for __setattr__, in the
    # class first. In a full table that reads every entry, 25,000 instructions in a load.
    assert len(members_of(module, name)) not in SIZES


def test_objects_of_a_load_have_few_attributes():
    # One more than a size of a table takes 2,000 instructions and more heap.
    data = prepare((ROOT / "models" / "digits_cnn.tflite").read_bytes(), "portable")
    model = tflm.Model(data, prepared=True)
    assert model.snapshot is not None
    counts = {
        "Model": (len(vars(model)), 12),
        "SubGraph": (len(vars(model.subgraphs[0])), 8),
        "Arena": (len(vars(tflm.Arena())), 8),
        "PreparedAllocator": (len(vars(model.snapshot.allocator(tflm.Arena()))), 4),
    }
    interp = tflm.Interpreter((ROOT / "models" / "digits_cnn.tflite").read_bytes())
    del interp.context, interp._nodes  # those of unprepared models
    counts["Interpreter"] = len(vars(interp)), 8
    assert not {name: count for name, count in counts.items() if count[0] > count[1]}
