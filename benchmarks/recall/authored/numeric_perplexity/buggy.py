"""The perplexity of a language model while it is trained.

Follows the reports of infinite perplexity in the first steps of language models.
"""

import tensorflow as tf
from tensorflow import keras


class LanguageModel(keras.Model):
    def __init__(self, vocabulary, width=32):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocabulary, width)
        self.recurrent = keras.layers.GRU(width, return_sequences=True)
        self.head = keras.layers.Dense(vocabulary)

    def call(self, tokens):
        return self.head(self.recurrent(self.embedding(tokens)))


def evaluate(model, tokens):
    logits = model(tokens[:, :-1])
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tokens[:, 1:], logits=logits)
    loss = tf.reduce_mean(losses)
    return loss, tf.exp(loss)


if __name__ == "__main__":
    print(evaluate(LanguageModel(100), tf.random.uniform((2, 9), 0, 100, tf.int32)))
