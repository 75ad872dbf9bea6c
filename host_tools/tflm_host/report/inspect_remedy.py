"""Remedies for operators that this runtime refuses, mostly options of the converter."""

FULL_INT8 = (
    "quantize to int8 throughout: converter.optimizations = [tf.lite.Optimize.DEFAULT], a"
    " converter.representative_dataset, and converter.target_spec.supported_ops ="
    " [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]"
)
FLOAT16 = "float16: leave converter.target_spec.supported_types away; " + FULL_INT8
UINT8 = "the uint8 scheme of TensorFlow 1: tflm convert, or TensorFlow 2; " + FULL_INT8
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
EDGE_TPU = "compiled for an Edge TPU: take the .tflite from before edgetpu_compiler"
RESOURCE = (
    "a variable of TensorFlow: make the state an input and an output of the model, and feed it"
    " back after each invoke(); or a layer whose state TFLite keeps itself, such as SVDF"
)
SIGNAL = "of TFLM's signal library: compute the features before the model, or add_custom() it"
CUSTOM = "write it in Python and add it: OpResolver.add_custom(name, Registration(...))"
OTHER_LAYER = (
    "replace the layer, or write it in Python: OpResolver.add_builtin({code}, Registration(...))"
)
OTHER_TYPE = (
    "other types of it run here: leave this part out of the model, or write it in Python:"
    " OpResolver.add_builtin({code}, Registration(...))"
)

UNROLL = "tflm convert MODEL -o NEW, or unroll the recurrent layer: unroll=True"
CONVERT = "tflm convert MODEL -o NEW writes it with operators that run here"
COMPLEX = (
    "tflm convert MODEL -o NEW does, where a model only takes tf.abs, tf.math.real or tf.math.imag"
    " of tf.signal.rfft or tf.signal.stft, for 4 to 32,768 samples"
)
BOXES = (
    "end the model before it, with the boxes and scores as outputs, and choose among them in"
    " Python after invoke(); or export TFLite_Detection_PostProcess, which runs here"
)
UNPOOL = "UpSampling2D or Conv2DTranspose in its place: tflm has no max pooling that gives places"

# Operators that a converter adds for something that can be said otherwise
ADDED = {
    "RANGE": FIXED_SHAPE,
    "RANK": FIXED_SHAPE,
    "STRIDED_SLICE": "where it comes from a shape that is not known: " + FIXED_SHAPE,
    "WHILE": UNROLL,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": UNROLL,
    "CAST": "feed and read the type that the layers need: " + INT_IO,
    "LOCAL_RESPONSE_NORMALIZATION": CONVERT,
    "BUCKETIZE": CONVERT,
    "STABLEHLO_COMPOSITE": CONVERT,
    "RFFT2D": COMPLEX,
    "COMPLEX_ABS": COMPLEX,
    "REAL": COMPLEX,
    "IMAG": COMPLEX,
    "NON_MAX_SUPPRESSION_V4": BOXES,
    "NON_MAX_SUPPRESSION_V5": BOXES,
}
# A softmax's output, in TFLM: scale and zero point by type
SOFTMAX = (
    "TFLM takes a softmax's int8 output as 1/256 with zero point -128 only: end the model before"
    " the softmax, argmax() is the same; or " + FULL_INT8 + ", which gives a softmax that range"
)
VALUES = (
    "the types are supported, but TFLM does not compute what the file says either: change this"
    " layer in the Keras model, or leave it out"
)
SHAPES = (
    "the converter wrote shapes that do not agree with one another: tflm resize writes them again"
    " from the shapes of the inputs, which may stay as they are (--input 0=1x64x4)"
)
SHAPE = " has shape "  # in what the runtime says of one that it refuses
FLOATS = {"float32", "float16"}


def remedy(operator, types, known, dynamic):
    """Return a remedy for *operator*, which this runtime refuses.

    types  the names of the types of its inputs and outputs, without absent ones
    known  whether this build has the operator
    dynamic  whether an output has a dimension that is not known
    """
    name = operator.name
    if operator.custom_name:
        return _custom(name)
    if dynamic:
        return FIXED_SHAPE
    if name.startswith("HASHTABLE"):
        return RESOURCE
    if known:
        return _by_type(types) or OTHER_TYPE.format(code=operator.builtin)
    return ADDED.get(name) or OTHER_LAYER.format(code=operator.builtin)


def _custom(name):
    if name.startswith("Flex"):
        return FLEX
    if name.startswith("Signal"):
        return SIGNAL
    if name == "Convolution2DTransposeBias":
        return CONVERT
    if name in ("MaxPoolingWithArgmax2D", "MaxUnpooling2D"):
        return UNPOOL
    if name == "edgetpu-custom-op":
        return EDGE_TPU
    return VELA if name == "ethos-u" else CUSTOM


def remedy_of_values(operator, why):
    """Return a remedy for *operator*: its types run here, its other properties do not.

    why  what the runtime says of it

    What runs in the body of a loop comes from a recurrent layer of Keras.
    """
    if operator.subgraph.index > 0:
        return UNROLL
    if operator.name == "SOFTMAX":
        return SOFTMAX
    return ADDED.get(operator.name) or (SHAPES if SHAPE in why else VALUES)


def _by_type(types):
    present = set(types)
    if "float16" in present:
        return FLOAT16
    if "uint8" in present:
        return UINT8
    if "int16" in present:
        return INT16
    if present & FLOATS:
        return FULL_INT8
    return None
