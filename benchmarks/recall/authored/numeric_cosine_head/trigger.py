"""An empty text."""

import tensorflow as tf


def run(program):
    return [program.TwoTower()([tf.zeros((1, 8)), tf.ones((1, 12))])]
