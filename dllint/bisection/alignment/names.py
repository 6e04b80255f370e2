"""Alignment by what exporters write: names of values, names of nodes, paths of modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dllint.bisection.graph import Graph
from dllint.bisection.protocols import Observable


def by_name(graph: Graph, observables: Sequence[Observable]) -> Iterator[tuple[str, str]]:
    """The same name on both sides, as torch's exporters to ONNX and to ``torch.export`` keep it."""
    for observable in observables:
        if observable.name in graph:
            yield observable.name, observable.name


def by_exported_name(graph: Graph, observables: Sequence[Observable]) -> Iterator[tuple[str, str]]:
    """The node that the exporter says an operator was made from; the last operator made from it has its value."""
    for observable in reversed(observables):
        if observable.node in graph:
            yield observable.node, observable.name


def by_module(graph: Graph, observables: Sequence[Observable]) -> Iterator[tuple[str, str]]:
    """The last value of a module on either side: what the module returns."""
    theirs = {observable.module: observable.name for observable in observables if observable.module}
    ours = {node.module: node.name for node in graph.nodes if node.module and node.shape is not None}
    for module, value in theirs.items():
        if module in ours:
            yield ours[module], value
