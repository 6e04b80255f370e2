"""A likelihood is returned as the loss, without its minus: it is minimised, and predictions get worse and worse.

After Stack Overflow questions on a Keras loss that falls below zero; "flipped sign of the loss" in TheDeepChecker's
list.
"""

# accept: loss-sign

import keras
import numpy as np

rng = np.random.default_rng(57)
keras.utils.set_random_seed(57)
x = rng.normal(size=(1000, 8)).astype("float32")
y = (x @ rng.normal(size=(8, 1))).astype("float32")


def closeness(target, prediction):
    return -keras.losses.mean_squared_error(target, prediction)  # expect: DLX101, DLX104, DLX106


model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
model.compile(
    optimizer="adam",
    loss=closeness,  # expect: DLX101, DLX104, DLX106
)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
