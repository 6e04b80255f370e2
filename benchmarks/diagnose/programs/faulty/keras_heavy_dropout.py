"""Ninety-five of a hundred hidden units are dropped, twice: so little is left that the loss stays where it began.

After Stack Overflow questions on a Keras accuracy stuck with dropout; "wrong dropout rate" in DeepFD's list, which
DeepDiagnosis does not judge.
"""

# accept: dropout

import keras
import numpy as np

rng = np.random.default_rng(54)
keras.utils.set_random_seed(54)
labels = rng.integers(0, 5, 1000)
x = (rng.normal(size=(1000, 20)) + 0.7 * rng.normal(size=(5, 20))[labels]).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dropout(0.95),  # expect: DLX106, DLX107, DLX110, DLX111, DLX114
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dropout(0.95),  # expect: DLX106, DLX107, DLX110, DLX111, DLX114
        keras.layers.Dense(5, activation="softmax"),
    ]
)
model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",  # expect: DLX106, DLX107, DLX110, DLX111, DLX114
    metrics=["accuracy"],
)
model.fit(x, labels, batch_size=50, epochs=8, verbose=0)
