"""Operators of the reference that the deployed model performs in one, such as a convolution with a normalisation folded in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from dllint.bisection.alignment.kinds import family
from dllint.bisection.bench import Bench
from dllint.bisection.graph import Node
from dllint.bisection.protocols import HasSettings, HasWeights, Observable

_NORM: Final = "batchnorm"
#: What the gain and the variance of a normalisation are called, in torch and in Keras.
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "gain": ("weight", "gamma"),
    "variance": ("running_var", "moving_variance"),
}


def performed(bench: Bench, node: str) -> list[Node]:
    """The operators behind a value, from the nearest values that both sides know; its own last."""
    graph, known = bench.graph, {*bench.aligned, *bench.graph.inputs}
    covered = [name for name in graph.needed(known - {node}, [node]) if name not in known and name != node]
    makers = {graph.maker(name).name: graph.maker(name) for name in (*covered, node)}
    return list(makers.values())


def folded(nodes: Sequence[Node], parts: Sequence[Observable]) -> bool:
    """Whether a normalisation is among the operators that the candidate has in the weights of another one."""
    ours = any(family(node.kind) == _NORM for node in nodes)
    return ours and not any(family(part.kind) == _NORM for part in parts)


def folded_weights(bench: Bench, nodes: Sequence[Node]) -> Iterator[np.ndarray]:
    """The weights that a convolution has with the normalisation behind it folded in; nothing where a part is not known."""
    reference = bench.reference
    norm = next(node for node in nodes if family(node.kind) == _NORM)
    before = [node for node in nodes if family(node.kind) == "conv" and node.name in norm.inputs and node.weights]
    if not before or not isinstance(reference, HasWeights) or not isinstance(reference, HasSettings):
        return
    weight, epsilon = reference.weight(before[0].weights[0]), reference.settings(norm.name).get("epsilon")
    found = {role: _named(reference, norm, names) for role, names in _NAMES.items()}
    gain, variance = found["gain"], found["variance"]
    if weight is None or gain is None or variance is None or not isinstance(epsilon, float) or len(weight) != gain.size:
        return
    factor = gain / np.sqrt(variance + epsilon)
    yield weight * factor.reshape((-1,) + (1,) * (weight.ndim - 1))


def _named(side: HasWeights, node: Node, names: Sequence[str]) -> np.ndarray | None:
    return next((side.weight(each) for each in node.weights if each.rpartition(".")[2].rpartition("/")[2] in names), None)
