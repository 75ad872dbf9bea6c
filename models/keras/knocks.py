"""From Keras to a Pico: tells a still sensor from a wave and from a knock. See docs/keras.md."""

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(1)
time, moments = np.arange(32), np.random.uniform(4, 28, (3000, 1))
kinds = np.random.randint(3, size=3000)
curves = [0 * (time - moments), np.sin((time - moments) / 2), np.exp(-((time - moments) ** 2))]
x = np.choose(kinds[:, None], curves) + np.random.normal(0, 0.1, (3000, 32))
dense = keras.layers.Dense
layers = [keras.Input((32,)), dense(16, activation="relu"), dense(3, activation="softmax")]
model = keras.Sequential(layers)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x[:2500], kinds[:2500], epochs=20, verbose=0)
print("right of 500: %.0f" % (500 * model.evaluate(x[2500:], kinds[2500:], verbose=0)[1]))
converter = tf.lite.TFLiteConverter.from_keras_model(model)
converter.optimizations = [tf.lite.Optimize.DEFAULT]
converter.representative_dataset = lambda: ([one[None]] for one in x[:300].astype("float32"))
converter.inference_input_type = converter.inference_output_type = tf.int8
with open("knocks.tflite", "wb") as file:
    print("bytes:", file.write(converter.convert()))
