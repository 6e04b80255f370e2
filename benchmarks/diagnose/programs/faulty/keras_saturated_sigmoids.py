"""Readings in the hundreds meet a layer of sigmoids: every unit is at 0 or 1, whatever the sample is.

After Stack Overflow questions on sigmoid networks that predict one class; "saturated activation" and "improper
data" of DeepDiagnosis.
"""

# accept: input-scale, input-not-scaled

import keras
import numpy as np

rng = np.random.default_rng(51)
keras.utils.set_random_seed(51)
labels = rng.integers(0, 3, 1000)
x = (400 + 40 * rng.normal(size=(1000, 10)) + 80 * rng.normal(size=(3, 10))[labels]).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="sigmoid"),  # expect: DLX103, DLX105, DLX112
        keras.layers.Dense(32, activation="sigmoid"),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, labels, batch_size=50, epochs=8, verbose=0)
