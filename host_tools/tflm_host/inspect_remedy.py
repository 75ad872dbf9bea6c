"""What to change, mostly in the converter, for an operator that this runtime refuses."""

FULL_INT8 = (
    "quantize to int8 throughout: converter.optimizations = [tf.lite.Optimize.DEFAULT], a"
    " converter.representative_dataset, and converter.target_spec.supported_ops ="
    " [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]"
)
HYBRID = "float32 activations with int8 weights (dynamic range): without a dataset; " + FULL_INT8
FLOAT16 = "float16 weights: leave converter.target_spec.supported_types away; " + FULL_INT8
UINT8 = "the uint8 scheme of TensorFlow 1: convert again with TensorFlow 2; " + FULL_INT8
INT16 = (
    "16x8 quantization: use tf.lite.OpsSet.TFLITE_BUILTINS_INT8 instead of"
    " EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8"
)
INT_IO = "set converter.inference_input_type and inference_output_type = tf.int8"
FIXED_SHAPE = (
    "fix every dimension before converting: batch_size=1 in the Input layer, or"
    " model.inputs[0].set_shape([1, ...])"
)
FLEX = "an operator of TensorFlow: leave out tf.lite.OpsSet.SELECT_TF_OPS, rebuild the layer"
VELA = "compiled for an Ethos-U: take the .tflite from before vela"
SIGNAL = "of TFLM's signal library: compute the features before the model, or add_custom() it"
CUSTOM = "write it in Python and add it: OpResolver.add_custom(name, Registration(...))"
OTHER_LAYER = (
    "replace the layer, or write it in Python: OpResolver.add_builtin({code}, Registration(...))"
)
OTHER_TYPE = (
    "other types of it run here: leave this part out of the model, or write it in Python:"
    " OpResolver.add_builtin({code}, Registration(...))"
)

# Operators that a converter adds for something that can be said otherwise
ADDED = {
    "DEQUANTIZE": INT_IO,
    "SHAPE": FIXED_SHAPE,
    "STRIDED_SLICE": "where it comes from a shape that is not known: " + FIXED_SHAPE,
    "PACK": "where it comes from a shape that is not known: " + FIXED_SHAPE,
    "WHILE": "unroll the recurrent layer: unroll=True",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "unroll the recurrent layer: unroll=True",
    "CAST": "feed and read the type that the layers need: " + INT_IO,
}
LINEAR = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")
FLOATS = {"float32", "float16"}


def remedy(operator, types, known, dynamic):
    """Return what to change for *operator*, which this runtime refuses.

    types  the names of the types of its inputs and outputs, without absent ones
    known  whether this build has the operator
    dynamic  whether an output has a dimension that is not known
    """
    name = operator.name
    if operator.custom_name:
        return _custom(name)
    if dynamic:
        return FIXED_SHAPE
    if name == "DEQUANTIZE" and "float16" in types:
        return FLOAT16
    if known:
        return _by_type(name, types) or OTHER_TYPE.format(code=operator.builtin)
    return ADDED.get(name) or OTHER_LAYER.format(code=operator.builtin)


def _custom(name):
    if name.startswith("Flex"):
        return FLEX
    if name.startswith("Signal"):
        return SIGNAL
    return VELA if name == "ethos-u" else CUSTOM


def _by_type(name, types):
    present = set(types)
    if name in LINEAR and types[:2] == ["float32", "int8"]:
        return HYBRID
    if "float16" in present:
        return FLOAT16
    if "uint8" in present:
        return UINT8
    if "int16" in present:
        return INT16
    if present & FLOATS:
        return FULL_INT8
    return None
