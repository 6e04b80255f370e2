"""Regression with a normalisation layer that is adapted to the training part."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
rng = np.random.default_rng(seed)
features = rng.normal(size=(1500, 6)) * [1, 10, 100, 5, 0.1, 50] + [0, 30, 500, 2, 1, 7]
z = (features - features.mean(0)) / features.std(0)
target = 3 * np.tanh(z[:, 0]) + z[:, 1] * z[:, 2] - z[:, 3] + rng.normal(scale=0.2, size=1500)

normal = layers.Normalization()
normal.adapt(features[:1200])
model = keras.Sequential(
    [keras.Input((6,)), normal, layers.Dense(64, activation="relu"), layers.Dense(64, activation="relu"), layers.Dense(1)]
)
model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="mse", metrics=["mae"])
history = model.fit(
    features[:1200],
    target[:1200],
    batch_size=40,
    epochs=12,
    validation_data=(features[1200:], target[1200:]),
    callbacks=[keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)],
    verbose=0,
).history
print(f"validation mae {min(history['val_mae']):.3f}, first {history['val_mae'][0]:.3f}")
