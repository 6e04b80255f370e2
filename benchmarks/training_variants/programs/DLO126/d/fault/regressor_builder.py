"""Wind power forecast with a small dense network."""
import json

import keras
import numpy as np

SETTINGS = json.loads('{"rate": 0.02, "decay": 0.9, "clip": 1.0, "layers": [24, 12]}')


class Forecast:
    def __init__(self, settings, width):
        self.settings = settings
        self.width = width
        self.net = self._build()

    def _optimizer(self):
        schedule = keras.optimizers.schedules.ExponentialDecay(self.settings["rate"], 10, self.settings["decay"])
        return keras.optimizers.Adam(schedule, clipnorm=self.settings["clip"])

    def _build(self):
        net = keras.Sequential([keras.Input((self.width,))])
        for units in self.settings["layers"]:
            net.add(keras.layers.Dense(units, activation="elu"))
        net.add(keras.layers.Dense(1))
        optimizer = self._optimizer()
        net.compile(loss="mse", optimizer="adam")
        return net

    def train(self, x, y):
        return self.net.fit(x, y, epochs=5, batch_size=20, verbose=0).history["loss"]


def main():
    keras.utils.set_random_seed(12)
    wind = np.random.weibull(2.0, (120, 6)).astype("float32")
    power = np.clip(wind.mean(axis=1) ** 3, 0, 3)
    for loss in Forecast(SETTINGS, 6).train(wind, power):
        print(f"{loss:.5f}")


if __name__ == "__main__":
    main()
