"""Writes erf.tflite: y = erf(2 x) + x, where Erf is TensorFlow's (SELECT_TF_OPS).

python tests_host/support/models/flex/make.py     with tensorflow-cpu 2.21.0 from PyPI
"""

from pathlib import Path

import tensorflow as tf


class Erf(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([1, 4], tf.float32, name="x")])
    def run(self, x):
        return {"y": tf.math.erf(2.0 * x) + x}


def main():
    module = Erf()
    converter = tf.lite.TFLiteConverter.from_concrete_functions(
        [module.run.get_concrete_function()], module
    )
    converter.target_spec.supported_ops = [
        tf.lite.OpsSet.TFLITE_BUILTINS,
        tf.lite.OpsSet.SELECT_TF_OPS,
    ]
    Path(__file__).with_name("erf.tflite").write_bytes(converter.convert())


if __name__ == "__main__":
    main()
