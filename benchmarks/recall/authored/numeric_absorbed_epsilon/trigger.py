"""An output that training has driven to 1."""

import tensorflow as tf


def run(program):
    model = program.Autoencoder(4, 2)
    model.b2.assign([60.0] * 4)
    return [model.loss(tf.zeros((2, 4)))]
