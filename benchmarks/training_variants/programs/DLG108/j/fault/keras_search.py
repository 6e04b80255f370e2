import argparse
import itertools

import keras
import numpy as np
from keras import layers

GRID = {"units": [8, 16], "activation": ["relu", "tanh"], "rate": [1e-2, 1e-3]}


def make_model(features, units, activation, rate):
    inputs = keras.Input((features,))
    x = layers.Dense(units, activation=activation)(inputs)
    x = layers.Dense(units, activation=activation)(x)
    model = keras.Model(inputs, layers.Dense(1)(x))
    model.compile(keras.optimizers.Adam(rate), loss="mse")
    return model


def search(x, y, epochs):
    best = (float("inf"), None)
    for values in itertools.product(*GRID.values()):
        setting = dict(zip(GRID, values))
        model = make_model(x.shape[1], **setting)
        history = model.fit(x, y, validation_split=0.25, epochs=epochs, verbose=0)
        score = min(history.history["val_loss"])
        if score < best[0]:
            best = (score, setting)
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    keras.utils.set_random_seed(0)
    x = np.random.randn(160, 5).astype("float32")
    y = np.abs(x[:, 0]) + x[:, 1]
    score, setting = search(x, y, args.epochs)
    print(setting, round(score, 2))


if __name__ == "__main__":
    main()
