"""tflm: TensorFlow Lite Micro for MicroPython.

    import tflm
    interp = tflm.Interpreter("/rom/model.tflite")
    interp.inputs[0].quantize(samples)
    interp.invoke()
    print(interp.outputs[0].dequantize())

Import other modules by name: `import tflm.schema`.
"""
# ruff: noqa: F401 - users import from here

from .base.arena import Arena
from .base.errors import ABORT, ArenaError, ModelError, StateError, UnsupportedOpError
from .interpreter import Interpreter
from .model import Model
from .run.graph import backends, cores
from .run.tensor import Tensor

__version__ = "0.2.0"

# Names that a board with a prepared model does without: module that is imported on first use.
_LATER = {
    "OpResolver": "load.op_resolver",
    "Profiler": "extra.profiler",
    "Recording": "run.recording",
    "Registration": "load.registration",
    "audio": "audio",
    "listen": "hearing",
    "default_resolver": "load.op_resolver",
    "kernels": "kernels",
}


def __getattr__(name):
    # MicroPython's dir() and tab completion ask here for every name that there is, and so does
    # `from . import layout`: modules of ours say `import tflm.base.layout as layout`.
    if name not in _LATER:
        raise AttributeError("module 'tflm' has no attribute '%s'" % name)
    module = __import__("tflm." + _LATER[name], None, None, (name,))
    value = module if name == _LATER[name] else getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    found = [name for name, value in globals().items() if not hasattr(value, "__file__")]
    found = set(found).union(_LATER) - {"kernels"}
    return sorted(found)  # without modules, which are imported by name
