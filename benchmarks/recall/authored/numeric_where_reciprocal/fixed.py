"""Embeddings that repel each other by the inverse of their distance, each point not counted with itself.

Follows the reports of NaN gradients where the diagonal of a matrix of distances is masked after a division.
"""

import keras
from keras import ops


def squared_distances(embeddings):
    products = ops.matmul(embeddings, ops.transpose(embeddings))
    squares = ops.diagonal(products)
    squared = ops.expand_dims(squares, 1) - 2.0 * products + ops.expand_dims(squares, 0)
    return ops.maximum(squared, 0.0)


def repulsion(embeddings):
    squared = squared_distances(embeddings)
    safe = ops.where(squared > 0.0, squared, 1.0)
    energies = ops.where(squared > 0.0, 1.0 / safe, 0.0)
    return ops.mean(energies)


class Embedding(keras.Model):
    def __init__(self, width=8):
        super().__init__()
        self.dense = keras.layers.Dense(width)

    def call(self, x):
        return self.dense(x)


if __name__ == "__main__":
    print(repulsion(Embedding()(keras.random.normal((6, 10)))))
