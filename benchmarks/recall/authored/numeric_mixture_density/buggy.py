"""A mixture density network: the density of the target under a mixture of Gaussians.

Follows the reports of infinite losses of mixture density networks that add up densities before the logarithm.
"""

import math

import keras
from keras import layers, ops


class MixtureHead(keras.Model):
    def __init__(self, components=5):
        super().__init__()
        self.hidden = layers.Dense(32, activation="tanh")
        self.weights_logits = layers.Dense(components)
        self.means = layers.Dense(components)

    def call(self, x):
        h = self.hidden(x)
        return ops.log_softmax(self.weights_logits(h)), self.means(h)


def negative_log_density(target, log_weights, means):
    log_densities = -0.5 * ops.square(target - means) - 0.5 * math.log(2 * math.pi)
    return -ops.mean(ops.log(ops.sum(ops.exp(log_weights + log_densities), axis=-1)))


def objective(model, x, target):
    return negative_log_density(target, *model(x))


if __name__ == "__main__":
    print(objective(MixtureHead(), keras.random.normal((4, 3)), ops.ones((4, 1))))
