"""The two classes are numbered 1 and 2, as in the file, but the binary loss takes 0 and 1: it falls below zero without
end.

After Stack Overflow questions on a negative Keras loss; "wrong label encoding" in DeepFD's list, "invalid loss" of
DeepDiagnosis.

Runs on TensorFlow: torch refuses such labels with an error of its own.
"""

# backend: tensorflow
# accept: labels, label-range, label-encoding-vs-loss

import keras
import numpy as np

rng = np.random.default_rng(53)
keras.utils.set_random_seed(53)
classes = rng.integers(1, 3, 1000)
x = (rng.normal(size=(1000, 8)) + 1.5 * rng.normal(size=(3, 8))[classes]).astype("float32")

model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
model.compile(
    optimizer="adam",
    loss="binary_crossentropy",  # expect: DLX106, DLX113
    metrics=["accuracy"],
)
model.fit(x, classes, batch_size=50, epochs=8, verbose=0)  # expect: DLX106, DLX113
