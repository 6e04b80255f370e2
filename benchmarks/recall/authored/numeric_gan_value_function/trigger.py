"""A discriminator that takes everything for real."""

import tensorflow as tf


def run(program):
    program.discriminator.layers[-1].bias.assign([40.0])
    return [program.discriminator_step(tf.ones((2, 784)))]
