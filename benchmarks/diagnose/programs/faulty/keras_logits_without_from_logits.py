"""The last layer gives scores, but the loss takes probabilities: it clips them, and the gradients with them.

After Stack Overflow questions on a high loss of a model without softmax; "missing last activation" in DeepFD's and
Theia's lists.
"""

# accept: loss-pairing, logits-without-from-logits, output-activation

import keras
import numpy as np

rng = np.random.default_rng(43)
keras.utils.set_random_seed(43)
labels = rng.integers(0, 4, 1000)
x = (rng.normal(size=(1000, 12)) + 1.5 * rng.normal(size=(4, 12))[labels]).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(4),  # expect: DLX113
    ]
)
model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",  # expect: DLX113
    metrics=["accuracy"],
)
model.fit(x, labels, batch_size=50, epochs=8, verbose=0)
