"""How many nodes a graph unfolds to, without unfolding it: functions that call each other twice double with each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Final

from onnx import AttributeProto, FunctionProto, NodeProto

#: The subgraphs that an operator unfolds to, which must all be there.
_UNFOLDED: Final = {"If": ("then_branch", "else_branch"), "Loop": ("body",), "Scan": ("body",)}
#: A function and its key, for a node that calls one.
FunctionOf = Callable[[NodeProto], tuple[Hashable, FunctionProto] | None]


@dataclass(slots=True)
class _Body:
    """A list of nodes: how many there are, how often each function is called, and the subgraphs."""

    count: int = 0
    calls: Counter[Hashable] = field(default_factory=Counter)
    inner: list[_Body] = field(default_factory=list)


class Counting:
    """Counts up to ``most`` nodes, with functions and subgraphs inside each other up to a depth of ``deepest``. Subgraphs that
    a function is given by its caller are left out: there are at least as many nodes."""

    def __init__(self, function_of: FunctionOf, most: int, deepest: int) -> None:
        self._function_of = function_of
        self._most = most
        self._deepest = deepest
        self._functions: dict[Hashable, FunctionProto] = {}
        self._bodies: dict[Hashable, _Body] = {}
        self._known: dict[tuple[Hashable, int], int] = {}

    def exceeds(self, nodes: Iterable[NodeProto]) -> bool:
        """Whether the nodes unfold to more than the most."""
        return self._unfolded(self._body(nodes), 0) > self._most

    def _unfolded(self, body: _Body, depth: int) -> int:
        """The number of nodes of a body at a depth; one more than the most stands for any larger number."""
        total = body.count
        if depth < self._deepest:
            for inner in body.inner:
                total += self._unfolded(inner, depth + 1)
            for function, times in body.calls.items():
                total += times * self._called(function, depth + 1)
        return min(total, self._most + 1)

    def _called(self, function: Hashable, depth: int) -> int:
        key = function, depth
        if key not in self._known:
            if function not in self._bodies:
                self._bodies[function] = self._body(self._functions[function].node)
            self._known[key] = self._unfolded(self._bodies[function], depth)
        return self._known[key]

    def _body(self, nodes: Iterable[NodeProto]) -> _Body:
        body = _Body()
        for node in nodes:
            body.count += 1
            called = self._function_of(node)
            if called is not None:
                self._functions[called[0]] = called[1]
                body.calls[called[0]] += 1
            elif node.op_type in _UNFOLDED:
                graphs = {each.name: each.g for each in node.attribute if each.type == AttributeProto.GRAPH}
                names = _UNFOLDED[node.op_type]
                if all(name in graphs for name in names):
                    body.inner += [self._body(graphs[name].node) for name in names]
        return body
