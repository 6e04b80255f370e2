import itertools

import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
x_train = rng.normal(size=(200, 8)).astype("float32")
y_train = (x_train**2).sum(axis=1, keepdims=True).astype("float32")
x_val = rng.normal(size=(50, 8)).astype("float32")
y_val = (x_val**2).sum(axis=1, keepdims=True).astype("float32")


def create_model(units, dropout):
    inputs = keras.Input((8,))
    x = layers.Dense(units, activation="relu")(inputs)
    x = layers.Dropout(dropout)(x)
    outputs = layers.Dense(1)(x)
    model = keras.Model(inputs, outputs)
    model.compile(optimizer="adam", loss="mse")
    return model


results = {}
for units, dropout in itertools.product([8, 16, 32], [0.0, 0.2]):
    model = create_model(units, dropout)
    model.fit(x_train, y_train, epochs=3, batch_size=50, verbose=0)
    results[units, dropout] = model.evaluate(x_val, y_val, verbose=0)

best = min(results, key=results.get)
print("best setting", best, f"mse {results[best]:.3f}")
