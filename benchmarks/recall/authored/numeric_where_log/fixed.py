"""A loss on counts that takes the logarithm of positive predictions only.

Follows the TensorFlow issue about the gradient of tf.where, which is NaN where the other branch is not finite.
"""

import tensorflow as tf


class LogCounts(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units, activation="relu")

    def call(self, x):
        counts = self.dense(x)
        safe = tf.where(counts > 0, counts, tf.ones_like(counts))
        return tf.where(counts > 0, tf.math.log(safe), tf.zeros_like(counts))


def step(layer, x, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(layer(x) - target))
    return loss, tape.gradient(loss, layer.trainable_variables)


if __name__ == "__main__":
    print(step(LogCounts(3), tf.random.normal((4, 5)), tf.ones((4, 3))))
