"""A metric of one's own takes the argmax over the batch instead of over the classes: the accuracy stays near zero
while the loss falls.

After Stack Overflow questions on an accuracy that does not rise although the loss falls; "wrong metric" in DeepFD's
list, "invalid accuracy" of DeepDiagnosis.
"""

# accept: metric, metric-axis, metric-vs-task

import keras
import numpy as np

rng = np.random.default_rng(60)
keras.utils.set_random_seed(60)
labels = rng.integers(0, 4, 1000)
x = (rng.normal(size=(1000, 10)) + 2.0 * rng.normal(size=(4, 10))[labels]).astype("float32")
y = np.eye(4, dtype="float32")[labels]


def accuracy(target, prediction):
    hits = keras.ops.equal(keras.ops.argmax(target, axis=0), keras.ops.argmax(prediction, axis=0))  # expect: DLX107
    return keras.ops.mean(keras.ops.cast(hits, "float32"))


model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(4, activation="softmax")])
model.compile(
    optimizer="adam",
    loss="categorical_crossentropy",
    metrics=[accuracy],  # expect: DLX107
)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
