"""A policy that is certain."""

import tensorflow as tf


def run(program):
    actor = program.Actor(3)
    x = tf.ones((1, 4))
    actor(x)
    actor.policy.bias.assign([500.0, 0.0, 0.0])
    return [program.bonus(actor, x)]
