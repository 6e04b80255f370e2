"""Every kernel starts at zero: hidden units are all alike, and no gradient reaches the first layers.

After Stack Overflow questions on kernel_initializer="zeros"; "wrong weight initialisation" in DeepFD's and
Defects4ML's lists.
"""

# accept: weight-init, constant-weight-init

import keras
import numpy as np

rng = np.random.default_rng(50)
keras.utils.set_random_seed(50)
labels = rng.integers(0, 4, 1000)
x = (rng.normal(size=(1000, 12)) + 2.0 * rng.normal(size=(4, 12))[labels]).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu", kernel_initializer="zeros"),  # expect: DLX102, DLX105, DLX107, DLX110
        keras.layers.Dense(32, activation="relu", kernel_initializer="zeros"),  # expect: DLX102, DLX105, DLX107, DLX110
        keras.layers.Dense(4, activation="softmax", kernel_initializer="zeros"),  # expect: DLX105, DLX107, DLX110
    ]
)
model.compile(optimizer=keras.optimizers.SGD(0.1), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, labels, batch_size=50, epochs=8, verbose=0)
