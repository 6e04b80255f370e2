import keras
import numpy as np


class Project:
    def __init__(self):
        keras.utils.set_random_seed(1)

    @property
    def model(self):
        net = keras.Sequential([keras.Input((3,)), keras.layers.Dense(16, "relu"), keras.layers.Dense(1)])
        net.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
        return net

    def run(self, x, y):
        self.model.fit(x, y, epochs=40, batch_size=16, verbose=0)
        return self.model.evaluate(x, y, verbose=0)


if __name__ == "__main__":
    x = np.random.default_rng(0).normal(size=(64, 3)).astype("float32")
    print("learned:", Project().run(x, x[:, :1]) < 0.1)
