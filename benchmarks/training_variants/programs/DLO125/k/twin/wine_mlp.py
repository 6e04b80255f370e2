import argparse

import keras
import numpy as np
from keras import layers


class WineQuality:
    def __init__(self, features=11, hidden=(32, 16)):
        self.model = keras.Sequential([keras.Input((features,)), layers.Normalization(name="norm")])
        for units in hidden:
            self.model.add(layers.Dense(units, activation="relu"))
        self.model.add(layers.Dense(1))

    def train(self, x, y, epochs):
        self.model.get_layer("norm").adapt(x)
        self.model.compile(optimizer="adam", loss="mse", metrics=["mae"])
        return self.model.fit(x, y, epochs=epochs, verbose=0)

    def score(self, x, y):
        return self.model.evaluate(x, y, verbose=0)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()
    keras.utils.set_random_seed(2)
    x = np.random.gamma(2.0, 2.0, (240, 11)).astype("float32")
    y = 3 + 0.4 * x[:, 0] - 0.2 * x[:, 3]
    wine = WineQuality()
    history = wine.train(x[:200], y[:200], args.epochs)
    print("epochs run:", len(history.history["loss"]), "mae:", round(wine.score(x[200:], y[200:]), 3))


if __name__ == "__main__":
    main()
