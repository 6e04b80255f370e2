"""A classifier that stays at the level of guessing: the rate of 1e-7 was meant for the last epochs.

After Stack Overflow questions on a Keras loss that stays the same; learning rate out of the common range in
DeepFD's list, "slow convergence" of AUTOTRAINER.
"""

# accept: learning-rate

import keras
import numpy as np

rng = np.random.default_rng(41)
keras.utils.set_random_seed(41)
labels = rng.integers(0, 3, 900)
x = (rng.normal(size=(900, 10)) + 2.0 * rng.normal(size=(3, 10))[labels]).astype("float32")

model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(3, activation="softmax")])
model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=1e-7),  # expect: DLX105, DLX106
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(x, labels, batch_size=45, epochs=8, verbose=0)
