"""Operators: each family validates and sizes its nodes in `prepare`, and names their kernels.

BUILTINS maps a builtin code to the family's module, whose import enters it in common.PREPARE.
"""

BUILTINS = {
    0: "arithmetic",  # ADD
    1: "pooling",  # AVERAGE_POOL_2D
    2: "concatenation",
    3: "conv",  # CONV_2D
    4: "conv",  # DEPTHWISE_CONV_2D
    9: "fully_connected",
    14: "logistic",
    17: "pooling",  # MAX_POOL_2D
    18: "arithmetic",  # MUL
    19: "activations",  # RELU
    21: "activations",  # RELU6
    22: "reshape",
    25: "softmax",
    27: "svdf",
    28: "logistic",  # TANH
    34: "pad",
    40: "reduce",  # MEAN
    41: "arithmetic",  # SUB
    98: "activations",  # LEAKY_RELU
    114: "quantize",
}
