"""A cross entropy written by hand takes the logarithm of a softmax, which is exactly 0 once the network is sure.

After Stack Overflow questions on nan with a Keras loss of one's own; "numerical error" in DeepLocalize's and
GRIST's lists.
"""

# backend: tensorflow
# accept: guard, log-of-nonpositive, unstable-composition, loss-pairing

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(47)
keras.utils.set_random_seed(47)
labels = rng.integers(0, 5, 1000)
x = (rng.normal(size=(1000, 20)) + 12.0 * rng.normal(size=(5, 20))[labels]).astype("float32")
y = np.eye(5, dtype="float32")[labels]


def surprise(target, prediction):
    return -tf.reduce_sum(target * tf.math.log(prediction), axis=-1)  # expect: DLX101


model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(5, activation="softmax")])
model.compile(optimizer=keras.optimizers.Adam(0.05), loss=surprise)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
