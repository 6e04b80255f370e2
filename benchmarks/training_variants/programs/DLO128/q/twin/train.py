"""Keras regression with early stopping; data split by time."""
import argparse

import keras
import numpy as np
from keras import layers


def energy(n=1200, seed=0):
    rng = np.random.default_rng(seed)
    hour = np.arange(n) % 24
    temperature = 15 + 8 * np.sin(2 * np.pi * np.arange(n) / 800) + rng.normal(0, 1, n)
    demand = 2 + np.cos(2 * np.pi * hour / 24) + 0.05 * (temperature - 15) ** 2 / 8 + rng.normal(0, 0.1, n)
    features = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24), (temperature - 15) / 8], axis=1)
    return features.astype("float32"), demand.astype("float32")


def model_for(units):
    model = keras.Sequential([keras.Input((3,))])
    for n in units:
        model.add(layers.Dense(n, activation="relu"))
    model.add(layers.Dense(1))
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=5e-3, amsgrad=True), loss="huber", metrics=["mae"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--units", type=int, nargs="+", default=[32, 16])
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    keras.utils.set_random_seed(4)
    x, y = energy()
    model = model_for(args.units)
    stop = keras.callbacks.EarlyStopping(patience=2, min_delta=0.02, restore_best_weights=True)
    held = (x[800:1000], y[800:1000])
    log = model.fit(x[:800], y[:800], batch_size=40, epochs=args.epochs, validation_data=held, callbacks=[stop], verbose=0)
    _, mae = model.evaluate(x[1000:], y[1000:], verbose=0)
    print(f"stopped after {len(log.epoch)} of {args.epochs} epochs, test mae {mae:.3f}")


if __name__ == "__main__":
    main()
