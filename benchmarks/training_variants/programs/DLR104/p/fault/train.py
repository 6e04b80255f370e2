"""Keras: train, save to the run folder, and export predictions of the saved model."""
from pathlib import Path

import keras
import numpy as np
from keras import layers

RUN = Path("runs/demand")
keras.utils.set_random_seed(50)


def demand(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 7)).astype("float32")
    y = x[:, :3].sum(axis=1) - np.maximum(x[:, 3], 0) + rng.normal(0, 0.1, n)
    return x, y.astype("float32")


def network():
    inputs = keras.Input((7,), name="features")
    wide = layers.Dense(1, name="wide")(inputs)
    deep = layers.Dense(32, activation="swish")(inputs)
    deep = layers.Dense(1, name="deep")(deep)
    return keras.Model(inputs, layers.Add()([wide, deep]))


def train():
    RUN.mkdir(parents=True, exist_ok=True)
    model = network()
    model.compile(keras.optimizers.AdamW(learning_rate=5e-3, weight_decay=1e-4), loss="mse")
    model.fit(*demand(800, 0), batch_size=40, epochs=4, validation_data=demand(200, 1), verbose=0)
    model.save(RUN / "demand.keras")


def export():
    model = keras.saving.load_model(RUN / "demand.h5")
    x, y = demand(100, 2)
    guess = model.predict(x, verbose=0)[:, 0]
    np.savetxt(RUN / "predictions.csv", np.stack([y, guess], axis=1), delimiter=",", header="truth,guess")
    print("error on the export", round(float(np.mean((guess - y) ** 2)), 4))


if __name__ == "__main__":
    train()
    export()
