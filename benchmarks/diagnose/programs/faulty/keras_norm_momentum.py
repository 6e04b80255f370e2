"""A momentum of 0.9999 keeps the running statistics where they began: in evaluation the network is lost.

After Stack Overflow questions on good training and bad validation accuracy with BatchNormalization;
TheDeepChecker's train/eval check.
"""

# accept: norm-momentum, batch-norm-momentum, batch-norm

import keras
import numpy as np

rng = np.random.default_rng(56)
keras.utils.set_random_seed(56)
labels = rng.integers(0, 4, 1000)
x = (3 + 4 * rng.normal(size=(1000, 12)) + 5 * rng.normal(size=(4, 12))[labels]).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(48),
        keras.layers.BatchNormalization(momentum=0.9999),  # expect: DLX111
        keras.layers.Activation("relu"),
        keras.layers.Dense(48),
        keras.layers.BatchNormalization(momentum=0.9999),  # expect: DLX111
        keras.layers.Activation("relu"),
        keras.layers.Dense(4, activation="softmax"),
    ]
)
model.compile(optimizer=keras.optimizers.Adam(0.005), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x[:800], labels[:800], batch_size=40, epochs=8, validation_data=(x[800:], labels[800:]), verbose=0)
