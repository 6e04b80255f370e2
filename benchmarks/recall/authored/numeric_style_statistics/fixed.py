"""Adaptive instance normalisation for style transfer.

Follows the reports of NaN pixels from instance normalisation without a small number on flat regions.
"""

import tensorflow as tf
from tensorflow.keras import layers


class AdaptiveNormalization(layers.Layer):
    def __init__(self, channels, **kwargs):
        super().__init__(**kwargs)
        self.scale = layers.Dense(channels)
        self.shift = layers.Dense(channels)

    def call(self, inputs):
        content, style = inputs
        mean, variance = tf.nn.moments(content, axes=[1, 2], keepdims=True)
        normalized = (content - mean) * tf.math.rsqrt(variance + 1e-5)
        gamma = self.scale(style)[:, None, None, :]
        beta = self.shift(style)[:, None, None, :]
        return gamma * normalized + beta


def block(size=16, channels=8):
    content = layers.Input((size, size, 3))
    style = layers.Input((32,))
    features = layers.Conv2D(channels, 3, padding="same", activation="relu")(content)
    return tf.keras.Model([content, style], AdaptiveNormalization(channels)([features, style]))


if __name__ == "__main__":
    block().summary()
