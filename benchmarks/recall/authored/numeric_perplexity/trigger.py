"""A head that training has made large."""

import tensorflow as tf


def run(program):
    model = program.LanguageModel(4)
    tokens = tf.zeros((1, 5), tf.int32)
    model(tokens)
    model.head.bias.assign([-300.0, 0.0, 0.0, 0.0])
    return list(program.evaluate(model, tokens))
