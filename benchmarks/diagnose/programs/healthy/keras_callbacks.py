"""Callbacks that change the learning rate and end the training early, and a log, as in the Keras guide on callbacks."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
x = random.uniform(-1, 1, (1000, 2)).astype("float32")
y = (np.sin(3 * x[:, :1]) + np.cos(2 * x[:, 1:]) + 0.1 * random.standard_normal((1000, 1))).astype("float32")


class LossHistory(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])


model = keras.Sequential([layers.Input((2,)), *(layers.Dense(32, activation="tanh") for _ in range(2)), layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="mse", metrics=["mae"])
seen = LossHistory()
callbacks = [
    seen,
    keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=2),
    keras.callbacks.EarlyStopping(monitor="val_loss", patience=4, restore_best_weights=True),
    keras.callbacks.TerminateOnNaN(),
]
model.fit(x, y, epochs=12, batch_size=32, validation_split=0.2, callbacks=callbacks, verbose=2)
assert model.evaluate(x, y, verbose=0)[0] < 0.3 * y.var()
assert sum(seen.losses[-20:]) < sum(seen.losses[:20])
