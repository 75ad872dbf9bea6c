"""Fix the shapes of models whose converter left the batch open.

The runtime loads them over a view in which all shapes follow from the inputs' stored shapes. Tools
that read shapes from the file, or write another file, use this module.
"""

from tflm.base.errors import ModelError
from tflm.interpreter import Interpreter
from tflm.load.open_shapes import is_open
from tflm.model import Model

from .resized import resized_model


def settled_view(model):
    """Return the Model to run in place of *model*, a tflm.Model: itself if its shapes agree."""
    if model.snapshot or not is_open(model):
        return model
    try:
        return Interpreter(model, measure=True).model
    except ModelError:
        return model


def settled_model(data):
    """Return the model *data*, a file, with the shapes of its `settled_view`."""
    view = settled_view(Model(data, prepared=False))
    return resized_model(data, view.sizes) if hasattr(view, "sizes") else data
