"""Eager execution of TensorFlow code without side effects: variables and generators are restored afterwards."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, Final, ParamSpec

import numpy as np
import tensorflow as tf
from tensorflow.python.data.ops.iterator_ops import OwnedIterator
from tensorflow.python.eager import context
from tensorflow.python.framework import random_seed
from tensorflow.python.ops.data_flow_ops import QueueBase
from tensorflow.python.ops.lookup_ops import DenseHashTable, MutableHashTable
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")

#: What takes from, or puts into, something that cannot be set back.
_LASTING: Final = (
    (OwnedIterator, ("_next_internal", "get_next_as_optional")),
    (QueueBase, ("enqueue", "enqueue_many", "dequeue", "dequeue_many", "dequeue_up_to", "close")),
    (MutableHashTable, ("insert", "remove", "erase")),
    (DenseHashTable, ("insert", "insert_or_assign", "remove", "erase")),
)
#: Changes a seed of 31 bits to another one.
_OTHER_SEEDS: Final = 0x2AAAAAAA


class LastingEffectError(Exception):
    """The code would have an effect that cannot be undone; it has not had it."""


@contextmanager
def undone(*, building: bool = False) -> Iterator[None]:
    """Inside the block functions run eagerly and silently; what takes data from an iterator of the program's, or changes a
    queue or a table, raises :class:`LastingEffectError` instead. At the end every variable that was assigned to, and every
    generator of random numbers, is set back. Numbers that were drawn for the weights in ``building`` a model stay drawn, as the
    model stays built."""
    patches = Patches()
    saved: dict[int, tuple[Any, Any]] = {}
    assign = BaseResourceVariable.assign

    def save(variable: Any) -> None:
        if tf.executing_eagerly() and id(variable) not in saved:
            saved[id(variable)] = variable, variable.read_value()

    def keep(original: Callable[Concatenate[Any, P], Any], variable: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        save(variable)
        return original(variable, *args, **kwargs)

    def draw(original: Callable[[Any, Any, Any], Any], generator: Any, state: Any, count: Any) -> Any:
        save(state)
        return original(generator, state, count)

    for kind in _kinds(BaseResourceVariable):
        for name in [name for name in vars(kind) if "scatter" in name or name.startswith("assign")]:
            patches.wrap(kind, name, keep)
    _refuse_lasting_effects(patches)
    patches.wrap(random_seed, "get_seed", _apart)
    # Generators of the program's own go on by an operation on their state, which assigns nothing.
    patches.wrap(tf.random.Generator, "_skip_single_var", draw)
    eagerly = tf.config.functions_run_eagerly()
    try:
        with _random_numbers_kept(building), contextlib.redirect_stdout(io.StringIO()):
            tf.config.run_functions_eagerly(True)
            yield
    finally:
        tf.config.run_functions_eagerly(eagerly)
        patches.undo()
        for variable, value in saved.values():
            assign(variable, value)


def _apart(
    original: Callable[P, tuple[int | None, int | None]], *args: P.args, **kwargs: P.kwargs
) -> tuple[int | None, int | None]:
    """The seeds of a random operation, other ones than the program's: TensorFlow keeps the operations that ran eagerly, and one
    with the same seeds would go on where ours have ended."""
    first, second = original(*args, **kwargs)
    return first, second if second is None else second ^ _OTHER_SEEDS


def _refuse_lasting_effects(patches: Patches) -> None:
    """Have what has effects that cannot be undone raise; iterators that are made from now on may be used up."""
    own: list[Any] = []

    def begin(original: Callable[Concatenate[Any, P], Any], iterator: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        own.append(iterator)
        return original(iterator, *args, **kwargs)

    def refuse(original: Callable[Concatenate[Any, P], Any], owner: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        if tf.executing_eagerly() and not any(owner is iterator for iterator in own):
            raise LastingEffectError
        return original(owner, *args, **kwargs)

    patches.wrap(OwnedIterator, "__init__", begin)
    for kind, names in _LASTING:
        for name in names:
            if name in vars(kind):
                patches.wrap(kind, name, refuse)


def _kinds(kind: type) -> list[type]:
    """A class and all below it: some define the methods of their base anew."""
    below: list[type] = type.__subclasses__(kind)
    return [kind, *(other for part in below for other in _kinds(part))]


@contextmanager
def _random_numbers_kept(building: bool) -> Iterator[None]:
    """Set the sources of random numbers back at the end. Keras takes the seeds of the weights that it builds from Python's;
    TensorFlow's of eager operations is not asked where the program's own step builds a model, as that compiles it."""
    eager = getattr(context.context(), "_rng", None)
    states = random.getstate(), np.random.get_state(), eager.getstate() if eager is not None else None
    try:
        yield
    finally:
        if not building:
            random.setstate(states[0])
            np.random.set_state(states[1])
        if eager is not None and states[2] is not None:
            eager.setstate(states[2])
