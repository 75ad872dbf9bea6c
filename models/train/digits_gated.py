"""Train models/digits_gated.tflite: one small digits model out of the less common ops.

PAD, LEAKY_RELU, a channel gate (MEAN, dense, LOGISTIC, MUL), two branches joined by
CONCATENATION, SUB, TANH, AVERAGE_POOL_2D: a test piece, not a better architecture.
"""

import common
import tensorflow as tf

layers = tf.keras.layers


def leaky(x):
    """Leaky RELU with slope 0.1: the converter leaves it an op of its own."""
    return layers.LeakyReLU(negative_slope=0.1)(x)


def gated(x, channels):
    """Scale each channel of *x* by a number in 0..1 computed from the means of all channels."""
    gate = layers.GlobalAveragePooling2D(keepdims=True)(x)
    gate = layers.Dense(channels, activation="sigmoid")(gate)
    return layers.Multiply()([x, gate])


def build():
    """Return the float model: [8, 8, 1] -> [10]."""
    image = layers.Input((8, 8, 1))
    x = layers.ZeroPadding2D(1)(image)  # 10x10x1; not what "same" would pad, so PAD remains
    x = leaky(layers.Conv2D(16, 3, strides=2)(x))  # 4x4x16
    x = gated(x, 16)
    wide = layers.Conv2D(16, 3, padding="same", activation="tanh")(x)
    narrow = leaky(layers.Conv2D(16, 1)(x))
    x = layers.Concatenate()([wide, narrow, layers.Subtract()([wide, narrow])])  # 4x4x48
    x = layers.AveragePooling2D(2)(x)  # 2x2x48
    return tf.keras.Model(image, layers.Dense(10, activation="softmax")(layers.Flatten()(x)))


if __name__ == "__main__":
    common.start()
    common.train_digits("digits_gated", build(), epochs=30, augment=True)
