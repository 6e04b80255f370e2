"""Compare widths of a regressor on the California-like data made here."""

import keras
import numpy as np
from keras import layers, ops

EPOCHS = 30
BATCH_SIZE = 64


def rmse(y_true, y_pred):
    return ops.sqrt(ops.mean(ops.square(y_true - y_pred)))


def make_data(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, size=(n, 6)).astype("float32")
    y = (np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2])[:, None].astype("float32")
    return x, y


def build_model(width):
    inputs = keras.Input((6,))
    x = layers.Dense(width, activation="relu")(inputs)
    x = layers.Dense(width, activation="relu")(x)
    model = keras.Model(inputs, layers.Dense(1)(x))
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="mse", metrics=[rmse])
    return model


class Experiment:
    def __init__(self, widths):
        self.widths = widths
        self.train = make_data(500, 0)
        self.test = make_data(200, 1)

    def fit(self, model):
        x, y = self.train
        return model.fit(x, y, EPOCHS, verbose=0)

    def run(self):
        scores = {}
        for width in self.widths:
            keras.backend.clear_session()
            model = build_model(width)
            history = self.fit(model)
            scores[width] = model.evaluate(*self.test, verbose=0)[1]
            print(f"width {width}: {len(history.epoch)} epochs, rmse {scores[width]:.4f}")
        return min(scores, key=scores.get)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    print("best width", Experiment([8, 32]).run())
