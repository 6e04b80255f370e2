"""A price from a picture-like grid and a table, with two inputs and a scaled target."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
rng = np.random.default_rng(seed)
plans = rng.random((1200, 8, 8, 1)).astype("float32")
table = rng.normal(size=(1200, 4)).astype("float32")
prices = 200_000 + 400_000 * (plans[:, :4].mean((1, 2, 3)) - 0.5) + 30_000 * table[:, 0] * (table[:, 1] > 0)
prices += rng.normal(scale=3_000, size=1200)
mean, std = prices[:1000].mean(), prices[:1000].std()
target = ((prices - mean) / std).astype("float32")

plan, row = keras.Input((8, 8, 1)), keras.Input((4,))
x = layers.Conv2D(8, 3, activation="relu")(plan)
x = layers.Concatenate()([layers.Flatten()(x), layers.Dense(32, activation="relu")(row)])
x = layers.Dense(48, activation="relu")(x)
model = keras.Model([plan, row], layers.Dense(1)(x))
model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="huber")
model.fit([plans[:1000], table[:1000]], target[:1000], batch_size=25, epochs=10, verbose=0)
guess = model.predict([plans[1000:], table[1000:]], verbose=0)[:, 0] * std + mean
print(f"mean error {np.abs(guess - prices[1000:]).mean():.0f}, of the mean price {np.abs(prices[1000:] - mean).mean():.0f}")
