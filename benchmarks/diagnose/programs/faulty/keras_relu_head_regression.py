"""A regression on changes of temperature, mostly below zero, ends in a rectifier: the prediction is 0.

After Stack Overflow questions on Keras regressions that predict 0 only; "wrong activation of the last layer" in
DeepFD's list.
"""

# accept: loss-pairing, output-activation, output-range-vs-target-range, activation

import keras
import numpy as np

rng = np.random.default_rng(44)
keras.utils.set_random_seed(44)
x = rng.normal(size=(960, 8)).astype("float32")
y = (x @ rng.normal(size=(8, 1)) - 2.5).astype("float32")

model = keras.Sequential()
model.add(keras.layers.Dense(32, activation="relu"))
model.add(keras.layers.Dense(16, activation="relu"))
model.add(keras.layers.Dense(1, activation="relu"))  # expect: DLX102, DLX105, DLX110, DLX113
model.compile(optimizer=keras.optimizers.Adam(0.005), loss="mean_squared_error")
model.fit(x, y, batch_size=48, epochs=8, verbose=0)
