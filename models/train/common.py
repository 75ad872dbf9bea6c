"""What the training scripts share: seeds, the digits split, conversion to int8, the op listing.

Needs the extra `train` of pyproject.toml (TensorFlow).
"""

import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # the committed models come from a CPU
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # its sums depend on the CPU's vector width

import dataset
import numpy as np
import tensorflow as tf
from tensorflow.lite.tools import flatbuffer_utils
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

from tflm_host.model.signed import with_signature

MODELS = Path(__file__).resolve().parent.parent
SEED = 20261121

# What the runtime runs (mp_modules/tflm/base/layout.py): a model with another op is refused.
SUPPORTED_OPS = {
    "ADD",
    "AVERAGE_POOL_2D",
    "CONCATENATION",
    "CONV_2D",
    "DEPTHWISE_CONV_2D",
    "FULLY_CONNECTED",
    "LEAKY_RELU",
    "LOGISTIC",
    "MAX_POOL_2D",
    "MEAN",
    "MUL",
    "PAD",
    "QUANTIZE",
    "RELU",
    "RELU6",
    "RESHAPE",
    "SOFTMAX",
    "SUB",
    "SVDF",
    "TANH",
}


def start():
    """Make this process's training repeatable: one seed for everything, ordered sums."""
    tf.keras.utils.set_random_seed(SEED)
    tf.config.experimental.enable_op_determinism()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)


def to_int8(model, representative):
    """Return the .tflite bytes of keras *model*: int8 inside, int8 input and output, batch 1.

    representative: float32 [n, ...], typical inputs. The converter runs the float model on
    them and takes each tensor's smallest and largest value as its int8 range; weights need
    none, they are quantized per output channel from their own values.
    """
    shape = (1,) + tuple(model.input_shape[1:])
    traced = tf.function(lambda x: model(x, training=False))
    concrete = traced.get_concrete_function(tf.TensorSpec(shape, tf.float32))
    frozen = convert_variables_to_constants_v2(concrete)  # weights become constants of the graph
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen])
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([x[None]] for x in representative)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = tf.int8
    converter.inference_output_type = tf.int8
    return converter.convert()


def op_names(tflite):
    """Return the builtin op names of *tflite* in execution order."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(tflite))
    codes = [flatbuffer_utils.opcode_to_name(model, i) for i in range(len(model.operatorCodes))]
    return [codes[op.opcodeIndex] for op in model.subgraphs[0].operators]


def save(name, tflite, figures, inputs, outputs):
    """Write models/*name*.tflite, and *figures* of the float model into models/*name*.json.

    inputs, outputs  names for the file's signature, which the converter gives no model that it
                     gets as a function
    golden.py completes the .json with what the int8 model gives in TFLM.
    """
    ops = op_names(tflite)
    unknown = sorted(set(ops) - SUPPORTED_OPS)
    if unknown:
        raise SystemExit(f"{name}: the runtime has no {', '.join(unknown)}")
    tflite = with_signature(tflite, inputs, outputs)
    (MODELS / f"{name}.tflite").write_bytes(tflite)
    record = {
        "model": f"{name}.tflite",
        "trained_with": f"tensorflow {tf.__version__}, keras {tf.keras.__version__}",
        "ops": ops,
        "float": figures,
    }
    (MODELS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
    print(f"{name}: {len(tflite)} bytes, float {figures}\n  {' '.join(ops)}")


def shifted(images, labels):
    """Return images and labels with eight copies added, each moved by up to one pixel."""
    moves = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    side = dataset.SIDE
    views = [padded[:, 1 - dy : 1 - dy + side, 1 - dx : 1 - dx + side] for dy, dx in moves]
    return np.concatenate(views), np.tile(labels, len(moves))


def train_digits(name, model, epochs, augment):
    """Train *model* on the digits, convert it with training images, save it with its accuracy."""
    (train_x, train_y), (test_x, test_y) = dataset.split()
    x, y = shifted(train_x, train_y) if augment else (train_x, train_y)
    steps = epochs * -(-len(x) // 32)
    model.compile(
        tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.CosineDecay(3e-3, steps)),
        tf.keras.losses.SparseCategoricalCrossentropy(),
    )
    model.fit(x, y, batch_size=32, epochs=epochs, verbose=0)
    correct = int(np.sum(np.argmax(model.predict(test_x, verbose=0), axis=1) == test_y))
    figures = {"correct": correct, "samples": len(test_y), "accuracy": correct / len(test_y)}
    # 300 training images reach the ends of every activation's range; the test images stay unseen.
    save(name, to_int8(model, train_x[:300]), figures, ("image",), ("classes",))
