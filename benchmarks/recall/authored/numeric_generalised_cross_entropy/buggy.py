"""Generalised cross-entropy for noisy labels: (1 - p_y ** q) / q.

Follows reports of NaN gradients with exponents below one, where the loss itself is finite.
"""

import tensorflow as tf
from tensorflow.keras import layers, models


def build(num_classes):
    return models.Sequential([
        layers.Input((20,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(num_classes, activation="softmax"),
    ])


def noisy_label_loss(probabilities, labels, num_classes, q=0.7):
    one_hot = tf.one_hot(labels, num_classes)
    p_label = tf.reduce_sum(probabilities * one_hot, axis=-1)
    return tf.reduce_mean((1.0 - tf.pow(p_label, q)) / q)


def train_step(model, optimizer, features, labels):
    with tf.GradientTape() as tape:
        probabilities = model(features, training=True)
        loss = noisy_label_loss(probabilities, labels, 5)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss, gradients


if __name__ == "__main__":
    network = build(5)
    sgd = tf.keras.optimizers.SGD(0.1)
    train_step(network, sgd, tf.random.normal((8, 20)), tf.random.uniform((8,), 0, 5, tf.int32))
