"""Weights that training has made large."""

import tensorflow as tf


def run(program):
    model = program.KLTerm()
    images = tf.ones((2, 28, 28, 1))
    model(images)
    layer = model.encoder.get_layer("z_log_var")
    layer.bias.assign(tf.fill(layer.bias.shape, 120.0))
    return [model(images)]
