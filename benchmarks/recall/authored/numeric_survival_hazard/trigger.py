"""A hazard that has become certain."""

import tensorflow as tf


def run(program):
    model = program.Hazards(2)
    x = tf.ones((1, 3))
    model(x)
    model.head.bias.assign([100.0, 0.0])
    return [program.evaluate(model, x, tf.ones((1, 2)))]
