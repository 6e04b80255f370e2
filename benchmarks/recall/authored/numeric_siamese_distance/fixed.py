"""A Siamese network with the contrastive loss.

Follows the reports of NaN after a few batches of Siamese networks whose Euclidean distance has no lower bound.
"""

import tensorflow as tf
from tensorflow.keras import Model, layers


def embedding_network(shape=(12,)):
    inputs = layers.Input(shape)
    x = layers.Dense(32, activation="relu")(inputs)
    return Model(inputs, layers.Dense(8)(x))


def euclidean_distance(vectors):
    x, y = vectors
    squared = tf.math.reduce_sum(tf.math.square(x - y), axis=1, keepdims=True)
    return tf.math.sqrt(tf.math.maximum(squared, 1e-7))


def siamese(shape=(12,)):
    tower = embedding_network(shape)
    left, right = layers.Input(shape), layers.Input(shape)
    distance = layers.Lambda(euclidean_distance)([tower(left), tower(right)])
    return Model([left, right], distance)


def contrastive_loss(y_true, distance, margin=1.0):
    y_true = tf.cast(y_true, distance.dtype)
    far = tf.math.square(tf.math.maximum(margin - distance, 0))
    return tf.math.reduce_mean((1 - y_true) * tf.math.square(distance) + y_true * far)


if __name__ == "__main__":
    model = siamese()
    model.compile(loss=contrastive_loss, optimizer="RMSprop")
