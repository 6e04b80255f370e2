"""A graph convolution with the symmetric normalisation of the adjacency matrix.

Follows the reports of NaN node features for isolated nodes.
"""

import tensorflow as tf


def normalised(adjacency):
    degree = tf.reduce_sum(adjacency, axis=1)
    scale = tf.pow(tf.maximum(degree, 1.0), -0.5)
    return scale[:, None] * adjacency * scale[None, :]


class GraphConvolution(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)

    def call(self, features, adjacency):
        return tf.nn.relu(tf.matmul(normalised(adjacency), self.dense(features)))


if __name__ == "__main__":
    edges = tf.cast(tf.random.uniform((6, 6)) > 0.7, tf.float32)
    print(GraphConvolution(4)(tf.random.normal((6, 3)), edges))
