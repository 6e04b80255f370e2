"""The deployed operators in the order in which they are put into the reference: preparation first, postprocessing last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dllint.bisection.graph import Graph
from dllint.bisection.protocols import Aligned
from dllint.bisection.trials import DEPLOYED, Injection, Put

#: Stands for what is done with the outputs before the metric sees them, where the candidate has its own way.
POSTPROCESS: Final = "postprocess"
PREPROCESS: Final = "preprocess"


@dataclass(frozen=True, slots=True)
class Step:
    """One operator: the reference's nodes whose values it replaces, and the module that the nodes belong to."""

    name: str
    nodes: tuple[str, ...]
    module: str = ""
    #: Nodes in front of them that no value of the candidate stands for, such as those of a fused operator.
    covers: tuple[str, ...] = ()


def steps_of(graph: Graph, aligned: Sequence[Aligned], own_inputs: bool, own_postprocess: bool) -> list[Step]:
    """The inputs if the candidate prepares its own, the aligned values in the graph's order, the processing of outputs."""
    inside = sorted({pair.node for pair in aligned} - set(graph.inputs), key=graph.position)
    known = {*inside, *graph.inputs}
    steps = [Step(name, (name,), graph[name].module, _covered(graph, known, name)) for name in inside]
    if own_inputs:
        steps.insert(0, Step(PREPROCESS, graph.inputs))
    if own_postprocess:
        steps.append(Step(POSTPROCESS, (POSTPROCESS,)))
    return steps


def _covered(graph: Graph, known: Collection[str], name: str) -> tuple[str, ...]:
    """The nodes between a node and the nearest values that are known on both sides."""
    return tuple(node for node in graph.needed(set(known) - {name}, [name]) if node not in known)


@dataclass(frozen=True, slots=True)
class Profile:
    """The cuts of one observation: ``origins`` names the nodes that are not taken as deployed."""

    steps: Sequence[Step]
    origins: Mapping[str, str] = field(default_factory=dict)

    def at(self, cut: int) -> Injection:
        """The values of the first ``cut`` steps."""
        return frozenset(Put(node, self.origins.get(node, DEPLOYED)) for step in self.steps[:cut] for node in step.nodes)

    @property
    def whole(self) -> Injection:
        """The values of all steps."""
        return self.at(len(self.steps))

    def without(self, steps: Collection[Step]) -> Profile:
        """The same without some steps: their values are left to the reference."""
        return Profile([step for step in self.steps if step not in steps], self.origins)


def middle(steps: Sequence[Step], left: int, right: int) -> int:
    """A cut near the middle of two: within the middle quarter, the one between the least related modules.

    Boundaries of blocks come first, then those of layers; few values are alive there.
    """
    centre = (left + right) / 2
    slack = (right - left) / 8
    cuts = [cut for cut in range(left + 1, right) if abs(cut - centre) <= max(slack, 0.5)]
    return min(cuts, key=lambda cut: (_common(steps[cut - 1].module, steps[cut].module), abs(cut - centre), cut))


def _common(first: str, second: str) -> int:
    """The number of leading parts that two module paths share."""
    count = 0
    for a, b in zip(first.split("."), second.split("."), strict=False):
        if a != b or not a:
            break
        count += 1
    return count
