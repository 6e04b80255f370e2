"""A temperature that has reached 0."""

import tensorflow as tf


def run(program):
    layer = program.Temperature()
    layer(tf.ones((1, 3)))
    layer.temperature.assign([0.0])
    return [layer(tf.ones((1, 3)))]
