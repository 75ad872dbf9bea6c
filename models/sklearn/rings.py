"""Writes rings.tflite from an MLPClassifier: scikit-learn 1.9.1, tensorflow-cpu 2.21.0."""

import keras
import tensorflow as tf
from sklearn.datasets import make_circles
from sklearn.neural_network import MLPClassifier

x, y = make_circles(400, noise=0.05, factor=0.5, random_state=1)
trained = MLPClassifier((8, 8), max_iter=2000, random_state=1).fit(x, y)

layers = [keras.layers.Dense(w.shape[1], "relu") for w in trained.coefs_]
layers[-1].activation = keras.activations.sigmoid  # of two classes; softmax of more
net = keras.Sequential([keras.Input((2,), batch_size=1), *layers])
for layer, *weights in zip(layers, trained.coefs_, trained.intercepts_, strict=True):
    layer.set_weights(weights)
data = tf.lite.TFLiteConverter.from_keras_model(net).convert()
with open("models/sklearn/rings.tflite", "wb") as file:
    file.write(data)
