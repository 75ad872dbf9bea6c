"""The parts of TFLite's schema that we read: field slots, enum values, bytes per type.

Source: tensorflow/lite/schema/schema.fbs, schema version 3.
"""

from .base.errors import message_of
from .base.port import const

IDENTIFIER = b"TFL3"
VERSION = const(3)

# Fields that we look at, from slot 0 on, by table
MODEL_FIELDS = const(7)
SUBGRAPH_FIELDS = const(5)
TENSOR_FIELDS = const(7)
QUANTIZATION_FIELDS = const(7)
OPERATOR_FIELDS = const(9)
OPCODE_FIELDS = const(4)
OPTIONS_FIELDS = const(7)

# Model
MODEL_VERSION = const(0)
MODEL_OPERATOR_CODES = const(1)
MODEL_SUBGRAPHS = const(2)
MODEL_DESCRIPTION = const(3)
MODEL_BUFFERS = const(4)
MODEL_METADATA = const(6)
MODEL_SIGNATURES = const(7)
SIGNATURE_FIELDS = const(5)
SIGNATURE_INPUTS = const(0)
SIGNATURE_OUTPUTS = const(1)
SIGNATURE_KEY = const(2)
SIGNATURE_SUBGRAPH = const(4)
METADATA_NAME = const(0)
METADATA_BUFFER = const(1)
BUFFER_DATA = const(0)
BUFFER_OFFSET = const(1)

# OperatorCode
OPCODE_DEPRECATED_BUILTIN = const(0)
OPCODE_CUSTOM = const(1)
OPCODE_VERSION = const(2)
OPCODE_BUILTIN = const(3)

# SubGraph
SUBGRAPH_TENSORS = const(0)
SUBGRAPH_INPUTS = const(1)
SUBGRAPH_OUTPUTS = const(2)
SUBGRAPH_OPERATORS = const(3)
SUBGRAPH_NAME = const(4)

# Tensor and QuantizationParameters
TENSOR_SHAPE = const(0)
TENSOR_TYPE = const(1)
TENSOR_BUFFER = const(2)
TENSOR_NAME = const(3)
TENSOR_QUANTIZATION = const(4)
TENSOR_IS_VARIABLE = const(5)
TENSOR_SPARSITY = const(6)
QUANTIZATION_SCALE = const(2)
QUANTIZATION_ZERO_POINT = const(3)
QUANTIZATION_DIMENSION = const(6)

# Operator
OPERATOR_OPCODE = const(0)
OPERATOR_INPUTS = const(1)
OPERATOR_OUTPUTS = const(2)
OPERATOR_OPTIONS_TYPE = const(3)
OPERATOR_OPTIONS = const(4)
OPERATOR_CUSTOM_OPTIONS = const(5)
OPERATOR_INTERMEDIATES = const(8)

# TensorType
FLOAT32 = const(0)
FLOAT16 = const(1)
INT32 = const(2)
UINT8 = const(3)
INT64 = const(4)
BOOL = const(6)
INT16 = const(7)
INT8 = const(9)
UINT64 = const(12)
RESOURCE = const(13)
UINT32 = const(15)
INT4 = const(17)

# By TensorType: name and bytes of one element; 0 bytes means that no tensor of it can be stored.
# The types without a size are refused by name.
# An int4 element takes one byte in the arena and half a byte in a model's buffer.
_TYPE_NAMES = (
    "float32 float16 int32 uint8 int64 string bool int16 complex64 "
    "int8 float64 complex128 uint64 resource variant uint32 uint16 int4 "
    "bfloat16 int2 uint4 float8_e4m3fn float8_e5m2"
)
TYPE_SIZES = bytes((4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 4, 0, 4, 2, 1))

# BuiltinOperator: only the codes that the runtime itself must distinguish.
OP_CUSTOM = const(32)
OP_IF = const(118)
OP_WHILE = const(119)
OP_CALL_ONCE = const(129)
OP_VAR_HANDLE = const(142)
OP_READ_VARIABLE = const(143)
OP_ASSIGN_VARIABLE = const(144)

# Operators that run subgraphs: builtin code -> (type of their options, number of subgraph slots).
CONTROL_FLOW = {OP_IF: (92, 2), OP_WHILE: (93, 2), OP_CALL_ONCE: (103, 1)}

# Padding and ActivationFunctionType
PADDING_SAME = const(0)
PADDING_VALID = const(1)
ACTIVATION_NONE = const(0)
ACTIVATION_RELU = const(1)
ACTIVATION_RELU_N1_TO_1 = const(2)
ACTIVATION_RELU6 = const(3)


def type_name(code):
    """Return the name of TensorType *code*."""
    names = message_of(_TYPE_NAMES).split()
    return names[code] if 0 <= code < len(names) else "type %d" % code
