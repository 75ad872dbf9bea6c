"""Viper twins of the C kernels: the same names, the same arguments, the same bytes.

A kernel is looked up once, when its node is prepared; its family's module is imported then.
Buffers are passed as memoryviews (or bytes, when constant), `params` at a multiple of four
bytes. An absent optional argument is b"". The families share one static work area, so one
kernel runs at a time. Two kernels that differ in a flag are plain Python around one viper
body: a tenth of the code. Float kernels are plain Python, and allocate.
"""

import sys

_FAMILIES = (
    ("activations", "relu_s8 relu6_s8 leaky_relu_s8 relu_f32"),
    ("add", "add_s8 sub_s8 add_f32"),
    ("concatenation", "concatenation"),
    ("conv", "conv_2d_s8"),
    ("copy", "copy"),
    ("depthwise_conv", "depthwise_conv_2d_s8"),
    (
        "fully_connected",
        "fully_connected_s8 fully_connected_per_channel_s8 fully_connected_f32",
    ),
    ("logistic", "logistic_s8 tanh_s8"),
    ("lookup", "lookup_s8"),
    ("mean", "mean_s8"),
    ("mul", "mul_s8"),
    ("pad", "pad_s8"),
    ("pooling", "average_pool_2d_s8 max_pool_2d_s8"),
    ("quantize", "quantize_f32_s8 requantize_s8 requantize_s16_s8 requantize_s16_s32"),
    ("softmax", "softmax_s8 softmax_s8_s16"),
    ("svdf", "svdf_s8 svdf_s16"),
)

_found = {}


def find(name):
    """Return the viper function of kernel *name*, or None where this build has none."""
    if name not in _found:
        _found[name] = _load(name)
    return _found[name]


def _load(name):
    if sys.implementation.name != "micropython":
        return None
    for family, names in _FAMILIES:
        if name in names.split():
            try:
                module = __import__(family, globals(), None, (name,), 1)
            except (ImportError, SyntaxError, ValueError):
                return None  # left out, or no native emitter for this core
            return getattr(module, name)
    return None
