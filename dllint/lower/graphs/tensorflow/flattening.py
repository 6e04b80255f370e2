"""Functions of a graph written out where they are called, so that one list of nodes remains.

A result is named ``node`` or, from the second one on, ``node:1``. Inside functions the file names results by their output
(``node:output:0``); which number an output begins at is given by :data:`OUTPUTS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.tensorflow.stored import Function, FunctionName, StoredGraph, StoredNode

#: Names of the outputs of node types that have several.
OUTPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"),
        ("y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2", "reserve_space_3"),
    ),
    **dict.fromkeys(("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"), ("loss", "backprop")),
    **dict.fromkeys(("TopK", "TopKV2"), ("values", "indices")),
    **dict.fromkeys(("Unique", "UniqueV2"), ("y", "idx")),
    "Switch": ("output_false", "output_true"),
    "Merge": ("output", "value_index"),
    "MaxPoolWithArgmax": ("output", "argmax"),
}
#: Stands for a value that a loop replaces: of its first value only the element type counts.
LOOP_VALUE: Final = "LoopValue"
_CALLS: Final = frozenset({"PartitionedCall", "StatefulPartitionedCall"})
_LOOPS: Final = frozenset({"While", "StatelessWhile"})
_BRANCHES: Final = frozenset({"If", "StatelessIf"})
_MOST: Final = 300_000
_DEEPEST: Final = 40


def flattened(graph: StoredGraph) -> list[StoredNode]:
    """The nodes of a graph and of the functions that are called, inputs by the canonical names of results.

    Raises:
        GraphError: there are too many of them.
    """
    flat = _Flat(graph.functions)
    flat.expand(graph.nodes, _Scope())
    return flat.resolved()


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where nodes are written out: what their names begin with, and what a function's parameters stand for."""

    prefix: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0


@dataclass(slots=True)
class _Flat:
    """The nodes so far; ``aliases`` says which result another name stands for."""

    functions: Mapping[str, Function]
    nodes: list[StoredNode] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)

    def expand(self, nodes: Iterable[StoredNode], scope: _Scope) -> None:
        """Write nodes out."""
        stored = tuple(nodes)
        operators = {node.name: node.operator for node in stored}
        for node in stored:
            inputs = (_canonical(name, operators, scope) for name in node.inputs if not name.startswith("^"))
            self._add(replace(node, name=scope.prefix + node.name, inputs=tuple(inputs)), scope)

    def resolved(self) -> list[StoredNode]:
        """The nodes with every alias replaced by what it stands for."""
        return [replace(node, inputs=tuple(map(self._target, node.inputs))) for node in self.nodes]

    def _add(self, node: StoredNode, scope: _Scope) -> None:
        if len(self.nodes) >= _MOST:
            raise GraphError(f"the graph has more than {_MOST} nodes")
        called = self._called(node)
        if called is None or scope.depth >= _DEEPEST:
            self.nodes.append(node)
        elif node.operator in _LOOPS:
            self._loop(node, scope)
        elif node.operator in _BRANCHES:
            self._branch(node, scope)
        else:
            self._alias(node.name, self._call(called, node.name, node.inputs, scope))

    def _called(self, node: StoredNode) -> Function | None:
        if node.operator in self.functions:
            return self.functions[node.operator]
        attribute = "body" if node.operator in _LOOPS else "then_branch" if node.operator in _BRANCHES else "f"
        known = node.operator in _CALLS or attribute != "f"
        return self._function(node.attributes.get(attribute)) if known else None

    def _function(self, name: Any) -> Function | None:
        return self.functions.get(name.name) if isinstance(name, FunctionName) else None

    def _call(self, function: Function, name: str, inputs: tuple[str, ...], scope: _Scope) -> list[str]:
        """Write a function out; the results that it returns."""
        given = dict(zip(function.parameters, inputs, strict=False))
        inner = _Scope(f"{name}/", given, scope.depth + 1)
        self.expand(function.nodes, inner)
        operators = {node.name: node.operator for node in function.nodes}
        return [_canonical(result, operators, inner) for result in function.returns]

    def _loop(self, node: StoredNode, scope: _Scope) -> None:
        """Write a loop's body out once, for values of which only the properties common to all iterations are known."""
        carried = [self._anything(node, at, "carried") for at in range(len(node.inputs))]
        for part in ("cond", "body"):
            function = self._function(node.attributes.get(part))
            if function is not None:
                self._call(function, f"{node.name}/{part}", tuple(carried), scope)
        self._alias(node.name, [self._anything(node, at, "after") for at in range(len(node.inputs))])

    def _anything(self, node: StoredNode, at: int, when: str) -> str:
        """A value that a loop replaces; it has a shape if one is declared for all iterations."""
        name, shapes = f"{node.name}/{when}{at}", node.attributes.get("output_shapes")
        declared = {"shape": shapes[at]} if isinstance(shapes, tuple) and at < len(shapes) else {}
        self.nodes.append(StoredNode(name, LOOP_VALUE, (node.inputs[at],), declared, node.trace))
        return name

    def _branch(self, node: StoredNode, scope: _Scope) -> None:
        """Both branches; of each result it is known that it is one of two."""
        ends = []
        for part in ("then_branch", "else_branch"):
            function = self._function(node.attributes.get(part))
            if function is not None:
                ends.append(self._call(function, f"{node.name}/{part}", node.inputs[1:], scope))
        results = []
        for at, values in enumerate(zip(*ends, strict=False)):
            self.nodes.append(StoredNode(f"{node.name}/either{at}", "Merge", values, {}, node.trace))
            results.append(f"{node.name}/either{at}")
        self._alias(node.name, results)

    def _alias(self, name: str, results: Iterable[str]) -> None:
        for at, result in enumerate(results):
            self.aliases[_numbered(name, at)] = result

    def _target(self, name: str) -> str:
        """The result that a name finally stands for; the name itself if aliases form a circle."""
        seen = {name}
        while name in self.aliases and self.aliases[name] not in seen:
            name = self.aliases[name]
            seen.add(name)
        return name


def _canonical(name: str, operators: Mapping[str, str], scope: _Scope) -> str:
    """The canonical name of a result that a node of a scope names."""
    if name in scope.parameters:
        return scope.parameters[name]
    node, _, rest = name.partition(":")
    output, _, number = rest.partition(":")
    if not number:
        return _numbered(scope.prefix + node, _number(output))
    outputs = OUTPUTS.get(operators.get(node, ""), ())
    first = outputs.index(output) if output in outputs else 0
    return _numbered(scope.prefix + node, first + _number(number))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _numbered(name: str, number: int) -> str:
    return f"{name}:{number}" if number else name


def without_loops(nodes: Iterable[StoredNode]) -> list[StoredNode]:
    """The nodes without the edges that lead from the end of a loop (``NextIteration``) to its beginning (``Merge``)."""
    nodes = list(nodes)
    ends = {node.name for node in nodes if node.operator in ("NextIteration", "RefNextIteration")}
    return [_opened(node, ends) for node in nodes]


def _opened(node: StoredNode, ends: set[str]) -> StoredNode:
    if node.operator not in ("Merge", "RefMerge") or ends.isdisjoint(node.inputs):
        return node
    first = tuple(name for name in node.inputs if name not in ends)
    return replace(node, operator=LOOP_VALUE, inputs=first)
