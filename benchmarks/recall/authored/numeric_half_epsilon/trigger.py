"""A class whose probability underflows in half precision."""

import tensorflow as tf


def run(program):
    head = program.HalfHead(3)
    x = tf.ones((1, 4))
    head(x)
    head.dense.bias.assign([60.0, 0.0, 0.0])
    return [program.objective(head, x, tf.constant([[1.0, 0.0, 0.0]]))]
