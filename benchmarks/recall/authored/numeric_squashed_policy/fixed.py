"""The log-probability of an action that is squashed by tanh (soft actor-critic).

Follows the reports of infinite log-probabilities in soft actor-critic without a small number in the correction.
"""

import tensorflow as tf
from tensorflow import keras


class SquashedGaussian(keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.body = keras.layers.Dense(64, activation="relu")
        self.mean = keras.layers.Dense(actions)

    def call(self, states):
        mean = self.mean(self.body(states))
        raw = mean + tf.random.normal(tf.shape(mean)) * 0.1
        action = tf.tanh(raw)
        log_prob = -0.5 * tf.square((raw - mean) / 0.1)
        correction = tf.math.log(1.0 - tf.square(action) + 1e-6)
        return action, tf.reduce_sum(log_prob - correction, axis=-1)


def policy_loss(policy, states, temperature=0.2):
    _, log_prob = policy(states)
    return tf.reduce_mean(temperature * log_prob)


if __name__ == "__main__":
    print(policy_loss(SquashedGaussian(2), tf.random.normal((4, 6))))
