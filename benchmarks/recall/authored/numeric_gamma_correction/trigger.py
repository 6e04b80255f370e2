"""A black pixel."""

import tensorflow as tf


def run(program):
    model = program.decoder()
    model.layers[-1].bias.assign([-200.0])
    with tf.GradientTape() as tape:
        loss = program.display_loss(model, tf.ones((1, 8)), tf.ones((1, 14, 14, 1)))
    return [loss, *tape.gradient(loss, model.trainable_variables)]
