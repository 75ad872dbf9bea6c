"""From recordings to a model with Keras: python recorded.py data words.tflite. See own-data.md."""

import sys

import keras
import numpy as np
import tensorflow as tf

from tflm_host.model.recordings import finished, read_recordings

folder, path = sys.argv[1:]
found = read_recordings(folder)  # sounds as features, tables as they are
kept, held = found.split()
values, classes = found.training(kept)
keras.utils.set_random_seed(1)
layers = keras.layers
model = keras.Sequential([keras.Input((found.values.shape[1],))])
if found.front:  # an image of time and pitch, whose values are 0 to 26
    model.add(layers.Rescaling(1 / 26, -0.5))
    model.add(layers.Reshape((found.lines, -1, 1)))
    model.add(layers.Conv2D(8, (10, 8), strides=(2, 2), padding="same", activation="relu"))
    model.add(layers.MaxPooling2D((4, 1)))
    model.add(layers.Flatten())
else:
    model.add(layers.Dense(16, activation="relu"))
model.add(layers.Dropout(0.3))
model.add(layers.Dense(len(found.names), activation="softmax"))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(values, classes, epochs=60, batch_size=8, verbose=0)
right = model.evaluate(found.values[held], found.classes[held], verbose=0)[1] * len(held)
print(f"right of {len(held)} held-out files: {right:.0f}")
typical = values
if found.front:  # all values that features can have, so that their bytes are the input as they are
    ends = np.float32([[0], [255 * 26 / 256]]) * np.ones_like(typical[:1])
    typical = np.concatenate([typical, ends])
converter = tf.lite.TFLiteConverter.from_keras_model(model)
converter.optimizations = [tf.lite.Optimize.DEFAULT]
converter.representative_dataset = lambda: ([one[None]] for one in typical)
converter.inference_input_type = converter.inference_output_type = tf.int8
with open(path, "wb") as file:
    print("bytes:", file.write(finished(converter.convert(), found)))
