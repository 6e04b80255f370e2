"""Regression with a predicted variance.

Follows the reports of NaN likelihoods when the variance is the output of a rectified unit.
"""

import keras
from keras import layers, ops


class Heteroscedastic(keras.Model):
    def __init__(self, width=32):
        super().__init__()
        self.body = layers.Dense(width, activation="relu")
        self.mean = layers.Dense(1)
        self.variance = layers.Dense(1, activation="relu")

    def call(self, x):
        x = self.body(x)
        return self.mean(x), self.variance(x)

    def likelihood(self, x, y):
        mean, variance = self(x)
        return ops.mean(ops.square(y - mean) / variance)

    def objective(self, x, y):
        _, variance = self(x)
        return self.likelihood(x, y) + ops.mean(ops.log1p(variance))


if __name__ == "__main__":
    model = Heteroscedastic()
    print(model.objective(keras.random.normal((8, 4)), keras.random.normal((8, 1))))
