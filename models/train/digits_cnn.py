"""Train models/digits_cnn.tflite: two convolutions and one dense layer read an 8x8 digit."""

import common
import tensorflow as tf


def build():
    """Return the float model: [8, 8, 1] -> [10]."""
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((8, 8, 1)),
            layers.Conv2D(8, 3, padding="same", activation="relu"),  # 8x8x8
            layers.MaxPooling2D(2),  # 4x4x8
            layers.Conv2D(16, 3, activation="relu"),  # 2x2x16
            layers.Flatten(),
            layers.Dense(10, activation="softmax"),
        ]
    )


if __name__ == "__main__":
    common.start()
    common.train_digits("digits_cnn", build(), epochs=40, augment=False)
