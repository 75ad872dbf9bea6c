"""Operators: each family validates and sizes its nodes in `prepare`, and names their kernels.

BUILTINS maps a builtin code to (module, name of the Registration, highest version).
Source of the versions: tensorflow/lite/core/kernels/register.cc.
"""

BUILTINS = {
    0: ("arithmetic", "ADD", 5),
    1: ("pooling", "AVERAGE_POOL_2D", 3),
    2: ("concatenation", "CONCATENATION", 5),
    3: ("conv", "CONV_2D", 8),
    4: ("conv", "DEPTHWISE_CONV_2D", 7),
    9: ("fully_connected", "FULLY_CONNECTED", 13),
    14: ("logistic", "LOGISTIC", 3),
    17: ("pooling", "MAX_POOL_2D", 3),
    18: ("arithmetic", "MUL", 7),
    19: ("activations", "RELU", 3),
    21: ("activations", "RELU6", 3),
    22: ("reshape", "RESHAPE", 2),
    25: ("softmax", "SOFTMAX", 3),
    27: ("svdf", "SVDF", 4),
    28: ("logistic", "TANH", 3),
    34: ("pad", "PAD", 5),
    40: ("reduce", "MEAN", 3),
    41: ("arithmetic", "SUB", 5),
    98: ("activations", "LEAKY_RELU", 2),
    114: ("quantize", "QUANTIZE", 3),
}
