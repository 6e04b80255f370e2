"""The last layer is a softmax and the loss is told that it gets logits: a softmax of a softmax.

After Stack Overflow questions on from_logits=True; "mismatch of last activation and loss" in Theia's and DeepFD's
lists.
"""

# accept: loss-pairing, from-logits-with-activation, redundant-activation

import keras
import numpy as np

rng = np.random.default_rng(42)
keras.utils.set_random_seed(42)
labels = rng.integers(0, 6, 1200)
x = (rng.normal(size=(1200, 16)) + 1.5 * rng.normal(size=(6, 16))[labels]).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(48, activation="relu"),
        keras.layers.Dense(6, activation="softmax"),  # expect: DLX113
    ]
)
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)  # expect: DLX113
model.compile(optimizer=keras.optimizers.SGD(0.01), loss=loss, metrics=["accuracy"])
model.fit(x, labels, batch_size=40, epochs=6, verbose=0)
