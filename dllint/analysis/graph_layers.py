"""The layers of a model: those that it holds, and those of the graph that a functional model is made of."""

from __future__ import annotations

from dllint.analysis.facts import Facts
from dllint.analysis.modules import elements, tree
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, Value


def layers_in(model: Value, facts: Facts) -> frozenset[int]:
    """A model and the layers in it, by ``id``."""
    return frozenset(map(id, layers_of(model, facts)))


def layers_of(model: Value, facts: Facts) -> list[InstanceVal]:
    """A model and the layers in it."""
    parts = list(tree(model))
    outputs = (value for part in parts for value in elements(part.state.get("outputs")) if isinstance(value, TensorVal))
    held = [*parts, *(op.layer for op in facts.ancestors(*outputs))]
    return [part for part in held if isinstance(part, InstanceVal)]
