"""A score that training has made large."""

import tensorflow as tf


def run(program):
    pooling = program.AttentionPooling(4)
    x = tf.ones((1, 3, 2))
    pooling(x)
    pooling.score.bias.assign([100.0])
    return [pooling(x)]
