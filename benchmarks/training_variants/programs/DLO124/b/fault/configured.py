import keras
import numpy as np
from keras import layers

DEFAULTS = {
    "optimizer": "adam",
    "learning_rate": 0.5,
    "units": 64,
    "epochs": 8,
}


def make_optimizer(config):
    kinds = {"adam": keras.optimizers.Adam, "sgd": keras.optimizers.SGD}
    return kinds[config["optimizer"]](learning_rate=config["learning_rate"])


class RadiusModel:
    def __init__(self, **overrides):
        self.config = {**DEFAULTS, **overrides}
        self.net = keras.Sequential(
            [
                keras.Input((2,)),
                layers.Dense(self.config["units"], activation="relu"),
                layers.Dense(self.config["units"], activation="relu"),
                layers.Dense(1, activation="sigmoid"),
            ]
        )
        self.net.compile(optimizer=make_optimizer(self.config), loss="binary_crossentropy", metrics=["accuracy"])

    def fit(self, x, y):
        return self.net.fit(x, y, epochs=self.config["epochs"], batch_size=32, verbose=0)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 2)).astype("float32")
    y = (np.linalg.norm(x, axis=1) > 1.2).astype("float32")
    history = RadiusModel().fit(x, y)
    print("accuracy", round(history.history["accuracy"][-1], 3))
