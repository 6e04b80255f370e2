"""Whole programs before and after their migration: what runs on made-up inputs, what does not, and whether that was announced.

A program is a file with those of its own project that it imports, copied twice; one copy is migrated. Both are executed by
``execution`` in a process of its own, statement by statement: the copy as it was under the older library as far as that can be
had (``tf_keras`` for Keras 2, ``tf.compat.v1`` for TensorFlow 1, today's torch), the other under today's. ``judging`` says what
a failure counts as.
"""
