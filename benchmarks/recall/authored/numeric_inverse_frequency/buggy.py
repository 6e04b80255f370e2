"""Inverse document frequencies inside a text model.

Follows the reports of infinite weights for words of the vocabulary that the corpus does not contain.
"""

import tensorflow as tf


def inverse_frequencies(bags):
    present = tf.cast(bags > 0, tf.float32)
    documents = tf.cast(tf.shape(bags)[0], tf.float32)
    return tf.math.log(documents / tf.reduce_sum(present, axis=0))


class WeightedBag(tf.keras.Model):
    def __init__(self, bags):
        super().__init__()
        self.weights_of_words = inverse_frequencies(bags)
        self.head = tf.keras.layers.Dense(2)

    def call(self, bag):
        return self.head(bag * self.weights_of_words)


if __name__ == "__main__":
    corpus = tf.random.uniform((10, 50), 0, 3)
    print(WeightedBag(corpus)(corpus))
