"""The end of the schedule."""

import tensorflow as tf


def run(program):
    return [program.AnnealedAttention(2)(tf.zeros((1, 2, 3)), tf.fill((1,), 50.0))]
