"""Errors are measured by a root: where a prediction of a dead unit is exactly right, the root has no slope, and the
gradient is nan.

After Stack Overflow questions on nan gradients of tf.sqrt and tf.norm; numerical bugs of ISSTA 2018's and GRIST's
kind.
"""

# backend: tensorflow
# accept: guard, sqrt-pow-inverse-domain

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(67)
keras.utils.set_random_seed(67)
x = rng.normal(size=(1000, 8)).astype("float32")
y = np.maximum(x @ rng.normal(size=(8, 3)) - 1.0, 0.0).astype("float32")


def distance(target, prediction):
    return tf.sqrt(tf.reduce_sum((target - prediction) ** 2, axis=-1))  # expect: DLX101


model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(3, activation="relu")])
model.compile(optimizer="adam", loss=distance)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
