"""Alignment by what exporters write: names of values, names of nodes, paths of modules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from dllint.bisection.alignment.kinds import family
from dllint.bisection.alignment.numbering import renumbered
from dllint.bisection.alignment.order import Order
from dllint.bisection.alignment.sides import Sides

#: What quantisation appends to the name of the value that it rounds.
_ROUNDED: Final = re.compile(r"_(DequantizeLinear_Output|QuantizeLinear_Output|dequantized|quantized)$")


def by_name(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The same name on both sides, as torch's exporters to ONNX and to ``torch.export`` keep it but for its number.

    Two implementations number their operators each in its own way, so between them a name counts only within one module.
    """
    exported = any(observable.node for observable in sides.observables)
    bare = not any(observable.module for observable in sides.observables)
    ours = _names_of_nodes(sides)
    for observable in sides.observables:
        name = ours.get(observable.name)
        if name is not None and (exported or bare or sides.graph[name].module == observable.module):
            yield name, observable.name


def by_exported_name(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The node that the exporter says an operator was made from; the last operator made from it has its value."""
    ours = _names_of_nodes(sides)
    for observable in reversed(sides.observables):
        if observable.node in ours:
            yield ours[observable.node], observable.name


def by_rounded_name(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The value that a quantised one was before, where that itself cannot be watched."""
    ours = _names_of_nodes(sides)
    for observable in reversed(sides.observables):
        plain = _ROUNDED.sub("", observable.name)
        if plain != observable.name and plain in ours:
            yield ours[plain], observable.name


def _names_of_nodes(sides: Sides) -> Mapping[str, str]:
    """The reference's node by a name that the candidate has for it; numbers count only in what torch has exported."""
    names = {_ROUNDED.sub("", name) for each in sides.observables for name in (each.name, each.node) if name}
    if any(observable.node for observable in sides.observables):
        return renumbered(sides.nodes, sorted(names))
    return {name: name for name in names if name in sides.graph}


def by_module(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The last value of a module on either side, what the module returns, if its shape and order fit."""
    theirs = {observable.module: observable for observable in sides.observables if observable.module}
    ours = {node.module: node for node in sides.graph.nodes if node.module and node.shape is not None}
    order = Order(sides)
    for module, observable in theirs.items():
        if module not in ours:
            continue
        node, value = ours[module].name, observable.name
        alike = sides.kind(node) == family(observable.kind)
        if alike and _fits(sides, node, value) and order.allows(node, value, known):
            yield node, value


def _fits(sides: Sides, node: str, value: str) -> bool:
    ours, theirs = sides.our_values.get(node), sides.their_values.get(value)
    return ours is not None and theirs is not None and ours.shape == theirs.shape
