"""Ten classes in one-hot form with the binary loss behind a softmax: the "accuracy" is 0.9 from the start, the classes
are not learnt.

After the Stack Overflow question on the performance of binary against categorical cross entropy; "wrong loss
function" in DeepFD's list.
"""

# accept: loss-pairing, crossentropy-kind-vs-output, loss-vs-task

import keras
import numpy as np

rng = np.random.default_rng(64)
keras.utils.set_random_seed(64)
labels = rng.integers(0, 10, 1000)
x = (rng.normal(size=(1000, 16)) + 0.8 * rng.normal(size=(10, 16))[labels]).astype("float32")
y = np.eye(10, dtype="float32")[labels]

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),  # expect: DLX113
    ]
)
model.compile(
    optimizer=keras.optimizers.SGD(0.01),
    loss="binary_crossentropy",  # expect: DLX107, DLX112, DLX113, DLX114
    metrics=["accuracy"],
)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
