"""A black picture that is predicted as black."""

import tensorflow as tf


def run(program):
    return [program.validate(program.upscaler(), tf.zeros((1, 4, 4, 3)), tf.zeros((1, 8, 8, 3)))]
