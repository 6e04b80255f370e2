"""Categorical samples that can be differentiated: Gumbel noise and a softmax.

Follows the reports of infinite noise in home-made Gumbel-softmax layers.
"""

import keras
from keras import layers, ops


def gumbel(uniform):
    uniform = ops.clip(uniform, 1e-6, 0.999)
    return -ops.log(-ops.log(uniform))


class GumbelSoftmax(layers.Layer):
    def __init__(self, temperature=1.0, **kwargs):
        super().__init__(**kwargs)
        self.temperature = temperature
        self.seed = keras.random.SeedGenerator(3)

    def call(self, logits):
        uniform = keras.random.uniform(ops.shape(logits), seed=self.seed)
        return ops.softmax((logits + gumbel(uniform)) / self.temperature)


def sampler(width, classes):
    inputs = keras.Input((width,))
    return keras.Model(inputs, GumbelSoftmax()(layers.Dense(classes)(inputs)))


if __name__ == "__main__":
    print(sampler(6, 3)(keras.random.normal((2, 6))))
