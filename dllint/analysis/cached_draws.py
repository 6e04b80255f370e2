"""Data sets of TensorFlow that keep what was drawn in the first epoch: ``map`` with a random step before ``cache``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.pipelines import steps_to
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op
from dllint.ir.values import unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_CACHE: Final = "tensorflow.data.Dataset.cache"
_MAP: Final = "tensorflow.data.Dataset.map"
_FIT: Final = "keras.Model.fit"
#: How the functions and layers are called that draw anew what they do to a picture each time they are applied.
_RANDOM_STEPS: Final = ("tensorflow.image.random_", "keras.layers.Random")
#: How the functions are called whose numbers are others each time; those that are given a state draw the same again.
_RANDOM_NUMBERS: Final = "tensorflow.random."
_BY_STATE: Final = "tensorflow.random.stateless_"
#: Data that are repeated before they are kept hold several draws for each sample.
_REPEAT: Final = "tensorflow.data.Dataset.repeat"


class CachedDraw(NamedTuple):
    """A call of ``cache``, the random step whose results it keeps, and the training that takes them."""

    cache: LibraryCall
    draw: Op
    fit: LibraryCall


def cached_draws(facts: Facts) -> Iterator[CachedDraw]:
    """The caches of what a model is trained with for several epochs that keep the result of a random step, each once."""
    calls = facts.events(LibraryCall)
    told: set[int] = set()
    for fit in (call for call in calls if call.name == _FIT and _has_epochs(call)):
        steps = list(steps_to(fit.bound.get("x"), calls[: calls.index(fit)]))
        for number, cache in enumerate(steps):
            if cache.name != _CACHE or id(cache) in told or _is_dropped(cache):
                continue
            draw = _draw_before(steps[number:], facts)
            if draw is not None:
                told.add(id(cache))
                yield CachedDraw(cache, draw, fit)


def _has_epochs(fit: LibraryCall) -> bool:
    """Whether a training goes over its data more than once."""
    return unwrap(fit.bound.get("epochs", 1)) != 1


def _is_dropped(cache: LibraryCall) -> bool:
    """Whether nothing takes the data set that a call of ``cache`` gives, so that nothing is kept."""
    statement = cache.site.statement
    small = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    return any(isinstance(part, cst.Expr) and part.value is cache.site.node for part in small)


def _draw_before(steps: list[LibraryCall], facts: Facts) -> Op | None:
    """The random operation of a ``map`` among some steps; none, if each sample is there several times."""
    if any(step.name == _REPEAT for step in steps):
        return None
    mapped = [step.site.node for step in steps if step.name == _MAP]
    return next((op for op in facts.ops if _draws(op) and any(_is_in(op, node) for node in mapped)), None)


def _draws(op: Op) -> bool:
    """Whether an operation draws anew each time it is done."""
    if op.spelled.startswith(_RANDOM_STEPS):
        return not any(_is_at_rest(site.node) for site in op.site.stack())
    return does(op, Trait.DRAWS) and op.spelled.startswith(_RANDOM_NUMBERS) and not op.spelled.startswith(_BY_STATE)


def _is_at_rest(node: object) -> bool:
    """Whether a layer is told by its call that it is not trained, so that it changes nothing."""
    args = node.args if isinstance(node, cst.Call) else ()
    given = (arg.value for arg in args if arg.keyword is not None and arg.keyword.value == "training")
    return any(isinstance(value, cst.Name) and value.value == "False" for value in given)


def _is_in(op: Op, call: object) -> bool:
    """Whether an operation is done in a function that a call applies."""
    return any(site.node is call for site in op.site.stack()[1:])
