"""The evidence about one operator: its value on both sides, from the same values in front of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.graph import Node
from dllint.bisection.protocols import HasSettings, HasWeights, Observable, RunsSegments
from dllint.bisection.search.isolation import isolated
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Step
from dllint.bisection.suspicions.evidence import Evidence
from dllint.bisection.suspicions.fused import folded, folded_weights, performed
from dllint.bisection.suspicions.table import suspected
from dllint.bisection.trials import DEPLOYED

#: Samples that are looked at.
_SAMPLES = 128
#: Operators of the candidate whose weights lie the other way round than the reference's.
_TURNED = ("MatMul",)


@dataclass(frozen=True)
class Compared:
    """One operator, computed by both sides from the same values; ``fed`` are these values by the reference's names."""

    fed: dict[str, np.ndarray]
    expected: np.ndarray
    found: np.ndarray


def suspicion(bench: Bench, step: Step, samples: int) -> str:
    """A suspicion about a step; empty if there is none."""
    positions = np.arange(min(samples, _SAMPLES))
    if step.name == POSTPROCESS:
        return "the candidate's outputs are processed in another way"
    if step.name == PREPROCESS:
        ours, theirs = bench.samples.reference_inputs(positions), bench.observed(DEPLOYED, step.nodes, positions)
        reasons = (suspected(Evidence(ours[name], theirs[name])) for name in step.nodes)
    else:
        reasons = (suspected(evidence(bench, node, positions)) for node in step.nodes)
    return next((text for text in reasons if text), "")


def evidence(bench: Bench, node: str, positions: np.ndarray) -> Evidence:
    """The evidence about one operator."""
    both = compared(bench, node, positions)
    parts, nodes = list(_parts(bench, node)), performed(bench, node)
    weights = tuple(_weights(bench, nodes, parts))
    return Evidence(both.expected, both.found, nodes[-1].kind, _settings(bench, nodes, parts), weights)


def compared(bench: Bench, node: str, positions: np.ndarray) -> Compared:
    """From the reference's values in front where the candidate can run in parts, else from the candidate's."""
    back = bench.ancestors(node)
    if isinstance(bench.candidate, RunsSegments):
        values = bench.clean([*back, node], positions)
        return Compared({name: values[name] for name in back}, values[node], isolated(bench, [node], positions)[node])
    theirs = bench.observed(DEPLOYED, [*back, node], positions)
    fed = {name: theirs[name] for name in back}
    expected = bench.reference.run(bench.samples.reference_inputs(positions), fed, [node])[node]
    return Compared(fed, expected, np.asarray(theirs[node]))


def _parts(bench: Bench, node: str) -> Iterator[Observable]:
    """The candidate's operators between the values that are known on both sides and this one."""
    makers = {observable.name: observable for observable in bench.candidate.observables}
    known = set(bench.aligned.values())
    waiting = [bench.named(node)]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in makers:
            continue
        seen.add(name)
        yield makers[name]
        waiting.extend(given for given in makers[name].inputs if given not in known)


def _settings(bench: Bench, nodes: Sequence[Node], parts: Sequence[Observable]) -> tuple[dict[str, object], dict[str, object]]:
    reference, candidate = bench.reference, bench.candidate
    if not isinstance(reference, HasSettings) or not isinstance(candidate, HasSettings):
        return {}, {}
    theirs: dict[str, object] = {}
    for part in parts:
        theirs = {**candidate.settings(part.name), **theirs}
    ours: dict[str, object] = {}
    for node in nodes:
        ours |= reference.settings(node.name)
    if folded(nodes, parts):
        ours.pop("epsilon", None)
    return ours, theirs


def _weights(bench: Bench, nodes: Sequence[Node], parts: Sequence[Observable]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    reference, candidate = bench.reference, bench.candidate
    if not isinstance(reference, HasWeights) or not isinstance(candidate, HasWeights):
        return
    theirs = [(part.kind, array) for part in parts for array in _arrays(candidate, part.weights)]
    whole = folded(nodes, parts)
    for ours in (
        folded_weights(bench, nodes) if whole else _arrays(reference, [name for node in nodes for name in node.weights])
    ):
        for i, (kind, array) in enumerate(theirs):
            turned = ours.T if kind in _TURNED and ours.ndim == 2 else ours
            if array.shape == turned.shape:
                yield turned, array
                del theirs[i]
                break


def _arrays(side: HasWeights, names: Iterable[str]) -> list[np.ndarray]:
    found = [side.weight(name) for name in names]
    return [array for array in found if array is not None and np.issubdtype(array.dtype, np.floating) and array.size > 1]
