"""Train models/digits_ds_cnn.tflite: depthwise-separable blocks, a residual sum, a global mean."""

import common
import tensorflow as tf

layers = tf.keras.layers


def normalised_relu6(x):
    """Batch normalisation, which conversion folds into the weights before it, then RELU6."""
    return layers.ReLU(max_value=6.0)(layers.BatchNormalization()(x))


def separable(x, channels, stride):
    """A 3x3 depthwise convolution, then a 1x1 convolution to *channels*."""
    x = layers.DepthwiseConv2D(3, strides=stride, padding="same", use_bias=False)(x)
    x = normalised_relu6(x)
    return normalised_relu6(layers.Conv2D(channels, 1, use_bias=False)(x))


def build():
    """Return the float model: [8, 8, 1] -> [10]."""
    image = layers.Input((8, 8, 1))
    x = normalised_relu6(layers.Conv2D(16, 3, padding="same", use_bias=False)(image))  # 8x8x16
    x = separable(x, 32, stride=2)  # 4x4x32
    x = layers.Add()([x, separable(x, 32, stride=1)])  # 4x4x32
    x = separable(x, 48, stride=2)  # 2x2x48
    x = layers.GlobalAveragePooling2D()(x)  # 48
    return tf.keras.Model(image, layers.Dense(10, activation="softmax")(x))


if __name__ == "__main__":
    common.start()
    common.train_digits("digits_ds_cnn", build(), epochs=30, augment=True)
