"""The data lies sorted by class and ``fit`` is told not to shuffle: the network forgets each class while it learns the
next.

After Stack Overflow questions on an accuracy that jumps within an epoch; "data not shuffled" in DeepFD's and
TheDeepChecker's lists.
"""

# accept: shuffle

import keras
import numpy as np

rng = np.random.default_rng(58)
keras.utils.set_random_seed(58)
labels = np.sort(rng.integers(0, 5, 1000))
x = (rng.normal(size=(1000, 10)) + 1.5 * rng.normal(size=(5, 10))[labels]).astype("float32")

model = keras.Sequential([keras.layers.Dense(48, activation="relu"), keras.layers.Dense(5, activation="softmax")])
model.compile(
    optimizer=keras.optimizers.SGD(0.1),
    loss="sparse_categorical_crossentropy",  # expect: DLX106, DLX107, DLX112
    metrics=["accuracy"],
)
model.fit(x, labels, batch_size=25, epochs=6, shuffle=False, verbose=0)  # expect: DLX106, DLX107, DLX112
