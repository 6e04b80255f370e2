"""Raw readings drive the softmax to 0 and 1 at once, where the squared error has no slope: wrong answers stay wrong.

After Stack Overflow questions on mean squared error for classification; "wrong loss function" in DeepFD's list.
"""

# accept: loss-pairing, loss-vs-task, input-scale, input-not-scaled

import keras
import numpy as np

rng = np.random.default_rng(62)
keras.utils.set_random_seed(62)
labels = rng.integers(0, 4, 1000)
x = (100 * rng.normal(size=(1000, 10)) + 150 * rng.normal(size=(4, 10))[labels]).astype("float32")
y = np.eye(4, dtype="float32")[labels]

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),  # expect: DLX112
        keras.layers.Dense(4, activation="softmax"),  # expect: DLX103, DLX104, DLX105
    ]
)
model.compile(
    optimizer=keras.optimizers.SGD(0.01),
    loss="mse",  # expect: DLX106, DLX107, DLX113, DLX114
    metrics=["accuracy"],
)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
