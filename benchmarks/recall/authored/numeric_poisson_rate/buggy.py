"""Poisson regression of counts with a network.

Follows the reports of infinite Poisson losses with an exponential output.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def rate_network(features):
    inputs = keras.Input((features,))
    x = keras.layers.Dense(32, activation="relu")(inputs)
    x = keras.layers.Dense(32, activation="relu")(x)
    return keras.Model(inputs, keras.layers.Dense(1)(x))


def negative_log_likelihood(counts, log_rate):
    rate = tf.exp(log_rate)
    return tf.reduce_mean(rate - counts * log_rate)


class CountModel(keras.Model):
    def __init__(self, features):
        super().__init__()
        self.network = rate_network(features)

    def call(self, x):
        return self.network(x)

    def train_step(self, data):
        x, counts = data
        with tf.GradientTape() as tape:
            loss = negative_log_likelihood(counts, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


if __name__ == "__main__":
    model = CountModel(6)
    model.compile("adam")
    model.fit(np.random.rand(64, 6), np.random.poisson(3, (64, 1)).astype("float32"), epochs=1)
