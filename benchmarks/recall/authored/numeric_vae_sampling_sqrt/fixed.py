"""Reparameterisation with a variance that a rectified layer predicts.

Follows reports of NaN weights after the first step of home-made Gaussian layers, where the forward pass is finite.
"""

import keras
from keras import layers, ops


class GaussianSample(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.mean = layers.Dense(units)
        self.variance = layers.Dense(units, activation="relu")
        self.seed = keras.random.SeedGenerator(7)

    def call(self, inputs):
        mean = self.mean(inputs)
        deviation = ops.sqrt(self.variance(inputs) + 1e-6)
        noise = keras.random.normal(ops.shape(mean), seed=self.seed)
        return mean + deviation * noise


class Decoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.sample = GaussianSample(4)
        self.out = layers.Dense(8, activation="sigmoid")

    def call(self, x):
        return self.out(self.sample(x))


if __name__ == "__main__":
    print(Decoder()(keras.random.uniform((3, 5))))
