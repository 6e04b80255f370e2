"""Distances in the Poincare ball.

Follows the reports of NaN gradients of hyperbolic embeddings for equal points.
"""

import keras
from keras import ops


class Points(keras.layers.Layer):
    def __init__(self, count, width=2):
        super().__init__()
        self.table = keras.layers.Embedding(count, width)

    def call(self, indices):
        return 0.9 * ops.tanh(self.table(indices)) / 2.0


def distance(u, v):
    difference = ops.sum(ops.square(u - v), axis=-1)
    room = (1.0 - ops.sum(ops.square(u), axis=-1)) * (1.0 - ops.sum(ops.square(v), axis=-1))
    argument = 1.0 + 2.0 * ops.square(ops.relu(difference)) / ops.maximum(room, 1e-3)
    return ops.arccosh(ops.maximum(argument, 1.0 + 1e-5))


def pull(points, first, second):
    return ops.mean(distance(points(first), points(second)))


if __name__ == "__main__":
    print(pull(Points(10), ops.array([0, 1]), ops.array([2, 3])))
