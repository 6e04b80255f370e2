"""TensorFlow 1 graphs as functions: what a graph says when it is built, fed and run."""

from __future__ import annotations

import importlib
from typing import Any


def _tensorflow() -> Any:
    return importlib.import_module("tensorflow")


def placeholder(shape: Any, dtype: Any = "float32") -> Any:
    """``tf.compat.v1.placeholder(dtype, shape)``, its value as zeros of that shape."""
    tf = _tensorflow()
    with tf.Graph().as_default():
        made = tf.compat.v1.placeholder(dtype, shape)
        return tf.zeros(made.shape, made.dtype)


def variable(initial: Any, dtype: Any = None) -> Any:
    """``tf.Variable(initial)``; an initial value of another type is refused, so it is cast before."""
    tf = _tensorflow()
    return tf.Variable(initial if dtype is None else tf.cast(initial, dtype))


def assign(x: Any, variable: Any, validate_shape: Any = True) -> Any:
    """``tf.compat.v1.assign(variable, x)`` in a graph."""
    tf = _tensorflow()
    with tf.Graph().as_default():
        target = tf.compat.v1.Variable(tf.zeros(variable.shape, variable.dtype), use_resource=False)
        assigned = tf.compat.v1.assign(target, tf.zeros(x.shape, x.dtype), validate_shape=validate_shape)
        with tf.compat.v1.Session() as session:
            session.run(tf.compat.v1.global_variables_initializer())
            return session.run(assigned)


def feed(x: Any, placeholder: Any) -> Any:
    """The value that a placeholder has in a run."""
    tf = _tensorflow()
    with tf.Graph().as_default():
        place = tf.compat.v1.placeholder(placeholder.dtype, placeholder.shape)
        with tf.compat.v1.Session() as session:
            return session.run(tf.identity(place), {place: x.numpy()})


def fetch(x: Any) -> Any:
    """The array of a fetched tensor."""
    tf = _tensorflow()
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        return session.run(tf.zeros(x.shape, x.dtype))


def set_operation(x: Any, y: Any) -> Any:
    """``tf.sets.intersection`` as a dense tensor."""
    tf = _tensorflow()
    return tf.sparse.to_dense(tf.sets.intersection(x, y))
