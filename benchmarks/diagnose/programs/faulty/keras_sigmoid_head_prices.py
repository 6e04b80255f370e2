"""Prices between 5 and 60 are to be predicted by a sigmoid, which never gives more than 1.

After Stack Overflow questions on a Keras regression that always predicts 1; "out of range" among DeepDiagnosis'
symptoms.
"""

# accept: loss-pairing, output-activation, output-range-vs-target-range

import keras
import numpy as np

rng = np.random.default_rng(45)
keras.utils.set_random_seed(45)
x = rng.uniform(0, 1, size=(1000, 6)).astype("float32")
prices = 5 + 40 * x[:, :1] * x[:, 1:2] + 15 * x[:, 2:3]

inputs = keras.Input((6,))
hidden = keras.layers.Dense(32, activation="relu")(inputs)
outputs = keras.layers.Dense(1, activation="sigmoid")(hidden)  # expect: DLX103, DLX113
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(x, prices, batch_size=50, epochs=8, verbose=0)
