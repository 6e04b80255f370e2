"""Keras: warm start from the last run, then continue training on new data."""
from pathlib import Path

import keras
import numpy as np
from keras import layers

STORE = Path("store.weights.h5")


def stock(n, seed, drift=0.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 8)).astype("float32")
    y = np.tanh(x[:, 0] + 0.5 * x[:, 1] * x[:, 2]) + drift * x[:, 3]
    return x, y.astype("float32")


def network():
    inputs = keras.Input((8,))
    h = layers.Dense(32, activation="relu")(inputs)
    h = layers.Dense(32, activation="relu")(h)
    model = keras.Model(inputs, layers.Dense(1)(h))
    model.compile(keras.optimizers.Adam(learning_rate=3e-3, beta_1=0.88), loss="mse")
    return model


def warm_start(path):
    model = network()
    fresh = model.get_weights()
    model.load_weights(path)
    moved = [float(np.abs(a - b).max()) for a, b in zip(fresh, model.get_weights())]
    print("largest change by loading", round(max(moved), 3))
    return model


def main():
    keras.utils.set_random_seed(38)
    first = network()
    first.fit(*stock(1500, 0), batch_size=50, epochs=6, validation_data=stock(300, 1), verbose=0)
    first.save_weights(STORE)
    model = warm_start(STORE)
    start = model.evaluate(*stock(300, 3, drift=0.1), verbose=0)
    model.fit(*stock(200, 2, drift=0.1), batch_size=50, epochs=2, validation_data=stock(300, 3, drift=0.1), verbose=0)
    print(f"error on the new data at the start {start:.4f}")


if __name__ == "__main__":
    main()
