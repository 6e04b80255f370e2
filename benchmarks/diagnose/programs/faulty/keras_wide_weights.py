"""Kernels are drawn with a standard deviation of 4: every tanh is at its limits, and the softmax is sure of wrong
classes.

After questions on Stack Overflow on RandomNormal initialisers; weight initialisation in DeepFD's list, "saturated
activation".
"""

# set: late
# accept: weight-init

import keras
import numpy as np

rng = np.random.default_rng(90)
keras.utils.set_random_seed(90)
labels = rng.integers(0, 4, 1000)
x = (rng.normal(size=(1000, 16)) + 1.0 * rng.normal(size=(4, 16))[labels]).astype("float32")

wide = keras.initializers.RandomNormal(stddev=4.0, seed=1)  # expect: DLX103, DLX104, DLX109
model = keras.Sequential(
    [
        keras.layers.Dense(64, activation="tanh", kernel_initializer=wide),  # expect: DLX103, DLX104, DLX109
        keras.layers.Dense(64, activation="tanh", kernel_initializer=wide),  # expect: DLX103, DLX104, DLX109
        keras.layers.Dense(4, activation="softmax", kernel_initializer=wide),  # expect: DLX109
    ]
)
model.compile(optimizer=keras.optimizers.SGD(0.01), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, labels, batch_size=50, epochs=8, verbose=0)
