"""A slice without foreground."""

import tensorflow as tf


def run(program):
    model = program.segmentation_network(8)
    model.layers[-1].bias.assign([-200.0])
    return [program.step(model, tf.zeros((1, 8, 8, 1)), tf.zeros((1, 8, 8, 1)))[0]]
