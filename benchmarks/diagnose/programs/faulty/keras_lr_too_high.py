"""A regression network trained with plain gradient descent at a rate of 2: the loss grows to huge numbers.

After the Stack Overflow questions on a Keras regression whose loss becomes nan; learning rate out of the common
range in DeepFD's and Defects4ML's list of faults, "exploding gradient" of AUTOTRAINER.
"""

# accept: learning-rate

import keras
import numpy as np

rng = np.random.default_rng(0)
keras.utils.set_random_seed(0)
x = rng.normal(size=(1000, 8)).astype("float32")
y = (x @ rng.normal(size=(8, 1)) + 0.1 * rng.normal(size=(1000, 1))).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(1),
    ]
)
optimizer = keras.optimizers.SGD(learning_rate=2.0)  # expect: DLX101, DLX104, DLX105, DLX106
model.compile(optimizer=optimizer, loss="mse")
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
