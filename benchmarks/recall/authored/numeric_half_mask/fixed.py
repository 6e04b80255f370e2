"""Scaled dot-product attention with an additive mask, in half precision.

Follows the reports of NaN attention when a model written for float32 is run in float16.
"""

import tensorflow as tf


def attention(query, key, value, padding):
    """padding: 1 where a position is to be ignored."""
    query, key, value = (tf.cast(x, tf.float16) for x in (query, key, value))
    scores = tf.matmul(query, key, transpose_b=True) / tf.cast(8.0, tf.float16)
    scores = scores + tf.cast(padding, tf.float16) * tf.constant(-3e4, dtype=tf.float16)
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.matmul(weights, value)


class SelfAttention(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.query = tf.keras.layers.Dense(width)
        self.key = tf.keras.layers.Dense(width)
        self.value = tf.keras.layers.Dense(width)

    def call(self, x, padding):
        return attention(self.query(x), self.key(x), self.value(x), padding)


if __name__ == "__main__":
    print(SelfAttention(64)(tf.random.normal((2, 5, 64)), tf.zeros((2, 1, 5))))
