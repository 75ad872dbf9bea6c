"""Train models/sine.tflite: y = sin(x) for x in 0..2 pi, dense 16-16-1."""

import math

import common
import numpy as np
import tensorflow as tf


def build():
    """Return the float model: [1] -> [1]."""
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((1,)),
            layers.Dense(16, activation="relu"),
            layers.Dense(16, activation="relu"),
            layers.Dense(1),
        ]
    )


def main():
    """Train on 2000 points of the curve, without noise; convert with the 256 that int8 can say."""
    common.start()
    x = np.random.RandomState(0).uniform(0, 2 * math.pi, (2000, 1)).astype(np.float32)
    model = build()
    epochs = 1000
    rate = tf.keras.optimizers.schedules.CosineDecay(5e-3, epochs * -(-len(x) // 64))
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    model.fit(x, np.sin(x), batch_size=64, epochs=epochs, verbose=0)
    grid = np.linspace(0, 2 * math.pi, 256, dtype=np.float32)[:, None]
    error = np.abs(model.predict(grid, verbose=0) - np.sin(grid))
    figures = {
        "max_error": round(float(error.max()), 6),
        "mean_error": round(float(error.mean()), 6),
    }
    common.save("sine", common.to_int8(model, grid), figures, ("x",), ("y",))


if __name__ == "__main__":
    main()
