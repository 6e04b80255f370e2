"""An attention pooling with a softmax that is written out.

Follows the many questions about a softmax that returns NaN for large numbers.
"""

import tensorflow as tf


class AttentionPooling(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, activation="relu")
        self.score = tf.keras.layers.Dense(1)

    def call(self, sequence):
        scores = self.score(self.hidden(sequence))
        weights = tf.exp(scores)
        weights = weights / tf.reduce_sum(weights, axis=1, keepdims=True)
        return tf.reduce_sum(weights * sequence, axis=1)


def build(length=12, width=16):
    inputs = tf.keras.Input((length, width))
    pooled = AttentionPooling(32)(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(pooled))


if __name__ == "__main__":
    build().compile("adam", "mse")
