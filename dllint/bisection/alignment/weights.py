"""Alignment by weights: operators that are fed the same numbers, in whatever layout, scaled per channel or rounded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from dllint.bisection.alignment.correlation import correlations
from dllint.bisection.alignment.kinds import family
from dllint.bisection.alignment.sides import Sides

#: Weights smaller than this are biases and constants, of which many are alike.
_FEWEST: Final = 8
#: Operators behind one with weights that an exporter may have folded into it.
_BEHIND: Final = 3
_FOLDED: Final = frozenset({"add", "batchnorm", "relu", "mul", "gelu", "sigmoid", "tanh", "clip"})
#: 1 - r, below which a value is taken for the same.
_CLEAR: Final = 1e-3


def by_weights(sides: Sides, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The operators with one weight, use by use; whether that is before or after a bias or a normalisation, values tell."""
    ours = _uses(((node.name, node.weights) for node in sides.graph.nodes), sides.our_weight)
    theirs = _uses(((each.name, each.weights) for each in sides.observables), sides.their_weight)
    free = dict(theirs)
    for weight, nodes in ours.items():
        array = sides.our_weight(weight)
        match = next((name for name in free if _alike(array, sides.their_weight(name))), None)
        if match is not None:
            values = free.pop(match)
            if len(values) == len(nodes):
                yield from (pair for node, value in zip(nodes, values, strict=True) if (pair := _shown(sides, node, value)))


def _uses(entries: Iterator[tuple[str, Sequence[str]]], weight: Callable[[str], np.ndarray | None]) -> dict[str, list[str]]:
    """The operators that take each large weight, in order; the largest weight of an operator counts."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, names in entries:
        sizes = {each: array.size for each in names if (array := weight(each)) is not None}
        if sizes and max(sizes.values()) >= _FEWEST:
            found[max(sizes, key=lambda each: sizes[each])].append(name)
    return found


def _alike(first: np.ndarray | None, second: np.ndarray | None) -> bool:
    if first is None or second is None or first.size != second.size:
        return False
    a, b = first.astype(np.float64), second.astype(np.float64)
    if np.allclose(np.sort(a, axis=None), np.sort(b, axis=None), rtol=1e-3, atol=1e-6 * float(np.abs(a).max())):
        return True  # whatever the layout
    layouts = [b, b.T] if b.ndim == 2 else [b]
    return any(_same_rows(a, each) for each in layouts if each.shape == a.shape and a.ndim > 1)


def _same_rows(a: np.ndarray, b: np.ndarray) -> bool:
    """Each output's weights point in one direction: a normalisation was folded into them, or they were rounded."""
    first, second = a.reshape(len(a), -1), b.reshape(len(b), -1)
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    used = norms > 0
    return bool(used.any()) and float(np.mean((first * second).sum(axis=1)[used] / norms[used])) > 0.98


def _shown(sides: Sides, node: str, value: str) -> tuple[str, str] | None:
    """The pair of values, at or behind the two operators, that are the same; of faulty ones those behind the bias."""
    nodes, values = _line_of_nodes(sides, node), _line_of_values(sides, value)
    ours = {name: sides.our_values[name] for name in nodes if name in sides.our_values}
    theirs = {name: sides.their_values[name] for name in values if name in sides.their_values}
    distances = correlations(ours, theirs)
    clear = [pair for pair, far in distances.items() if far < _CLEAR]
    if clear:
        # A nearly linear activation is hardly told from what it is applied to: operators of one kind come first.
        return min(clear, key=lambda pair: (sides.kind(pair[0]) != family(sides.watched[pair[1]].kind), distances[pair]))
    kinds = [family(sides.watched[name].kind) for name in values]
    added = kinds[1:2] == ["add"] and bool(sides.watched[values[1]].weights)
    shown = values[1] if added else value
    if not added and sides.lacks_bias(node, value):
        return None
    fits = node in ours and shown in theirs and ours[node].shape == theirs[shown].shape
    return (node, shown) if fits else None


def _line_of_nodes(sides: Sides, node: str) -> list[str]:
    line = [node]
    while len(line) <= _BEHIND:
        behind = sides.graph.consumers[line[-1]]
        if len(behind) != 1 or sides.kind(behind[0]) not in _FOLDED:
            break
        line.append(behind[0])
    return line


def _line_of_values(sides: Sides, value: str) -> list[str]:
    line = [value]
    while len(line) <= _BEHIND:
        behind = [each for each in sides.observables if line[-1] in each.inputs]
        if len(behind) != 1 or family(behind[0].kind) not in _FOLDED:
            break
        line.append(behind[0].name)
    return line
