"""A loop of its own around train_on_batch and test_on_batch; one GRU reads a sequence of numbers of random length."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)


def batch(count):
    """Is the largest number in the first half?"""
    length = 2 * random.integers(3, 7)
    x = random.standard_normal((count, length, 1)).astype("float32")
    return x, (x[:, :, 0].argmax(1) < length // 2).astype("float32")


model = keras.Sequential([layers.Input((None, 1)), layers.GRU(16), layers.Dense(1, activation="sigmoid")])
model.compile(optimizer=keras.optimizers.Adam(2e-2), loss="binary_crossentropy", metrics=["accuracy"])
for step in range(200):
    loss, accuracy = model.train_on_batch(*batch(32))
    if step % 50 == 49:
        print(step, loss, accuracy)
        model.reset_metrics()
loss, accuracy = model.test_on_batch(*batch(400))
assert accuracy > 0.8, accuracy
