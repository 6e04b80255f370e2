import keras
import numpy as np


class Trainer:
    def __init__(self, net, **settings):
        self.net = net
        optimizer = keras.optimizers.SGD(**settings)
        self.net.compile(optimizer="sgd", loss="mse")

    def fit(self, x, y):
        self.net.fit(x, y, epochs=3, batch_size=16, verbose=0)
        return float(self.net.optimizer.momentum), round(float(self.net.optimizer.learning_rate), 4)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    net = keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
    x = np.random.default_rng(0).normal(size=(64, 3)).astype("float32")
    print(Trainer(net, learning_rate=0.05, momentum=0.9).fit(x, x[:, :1]))
