"""A few cells of the table were empty and became nan: every batch that has one makes the whole model nan.

After Stack Overflow questions on a loss that is nan from the first epoch; "missing values" in the nine-step guide
and DeepFD's data faults.
"""

# accept: missing-values, data, nan-data

import keras
import numpy as np

rng = np.random.default_rng(48)
keras.utils.set_random_seed(48)
x = rng.normal(size=(1000, 8)).astype("float32")
y = (x @ rng.normal(size=(8, 1))).astype("float32")
x[rng.integers(0, 1000, 6), rng.integers(0, 8, 6)] = np.nan  # expect: DLX101, DLX112

model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=50, epochs=8, verbose=0)  # expect: DLX101, DLX112
