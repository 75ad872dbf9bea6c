"""tflm: TensorFlow Lite Micro for MicroPython.

    import tflm
    interp = tflm.Interpreter("/rom/model.tflite")
    interp.inputs[0].quantize(samples)
    interp.invoke()
    print(interp.outputs[0].dequantize())

Submodules are imported when one of their names is first used.
"""

__version__ = "0.1.0"

_EXPORTS = {
    "ABORT": "graph",
    "Arena": "arena",
    "ArenaError": "errors",
    "Interpreter": "interpreter",
    "Model": "model",
    "ModelError": "errors",
    "OpResolver": "op_resolver",
    "Recording": "recording",
    "Registration": "op_resolver",
    "StateError": "errors",
    "Tensor": "tensor",
    "UnsupportedOpError": "errors",
    "backends": "graph",
    "cores": "graph",
    "default_resolver": "op_resolver",
}


def __getattr__(name):
    # MicroPython asks here for submodules too: `from . import layout`.
    module_name = "tflm." + _EXPORTS.get(name, name)
    try:
        value = __import__(module_name, None, None, (name,))
    except ImportError:
        if name in _EXPORTS:
            raise
        raise AttributeError("module 'tflm' has no attribute '%s'" % name) from None
    if name in _EXPORTS:
        value = getattr(value, name)
    globals()[name] = value
    return value
