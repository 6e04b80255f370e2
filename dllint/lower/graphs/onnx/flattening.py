"""Nodes of a graph, of its subgraphs and of the functions that it calls, as one list without nesting.

A branch becomes its nodes under a condition; what is in a loop or in a function becomes nodes of names of their own. Where
a loop begins stands a node ``Loop.start``, which gives the values of one iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto

from dllint.domains.shape import TensorType
from dllint.ir.program import Condition
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.model import Frame, Graph, Node
from dllint.lower.graphs.onnx.counting import Counting
from dllint.lower.graphs.onnx.types import Types
from dllint.lower.graphs.onnx.weights import Weights
from dllint.lower.graphs.traces import frames

#: The names of the operator set that needs no name.
_STANDARD: Final = ("", "ai.onnx")
_TRACE: Final = "pkg.torch.onnx.stack_trace"
#: So many nodes in all, and so many functions and subgraphs inside one another.
_MOST: Final = 500_000
_DEEPEST: Final = 50
_TOO_MANY: Final = f"it has, or unfolds to, more than {_MOST} nodes"
_A = AttributeProto
_PLAIN: Final = {_A.INT: "i", _A.FLOAT: "f", _A.TENSOR: "t", _A.SPARSE_TENSOR: "sparse_tensor"}
_REPEATED: Final = {_A.INTS: "ints", _A.FLOATS: "floats", _A.TENSORS: "tensors"}
Attributes = Mapping[str, AttributeProto]
#: Domain, name and overload.
_Key = tuple[str, str, str]


@dataclass(slots=True)
class _Scope:
    """Where names are looked up. ``prefix`` makes the names that are defined here those of the flat list; a function sees no
    names from outside."""

    prefix: str = ""
    parent: _Scope | None = None
    names: dict[str, str] = field(default_factory=dict)
    #: What the caller gives for the attributes that a function's nodes refer to.
    attributes: Attributes = field(default_factory=dict)
    depth: int = 0
    path: tuple[Condition, ...] = ()
    trace: tuple[Frame, ...] = ()

    def define(self, name: str) -> str:
        """The name in the flat list of a value that is defined here."""
        if name:
            self.names.setdefault(name, self.prefix + name)
        return self.names.get(name, "")

    def find(self, name: str) -> str:
        """The name in the flat list of a value that is used here."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return self.prefix + name if name else ""


class Flattener:
    """Lists the nodes of one model. Constants, and weights inside subgraphs, are put among the graph's weights."""

    def __init__(self, model: ModelProto, graph: Graph, weights: Weights, types: Types) -> None:
        self._functions = {(domain_of(each.domain), each.name, each.overload): each for each in model.functions}
        self._graph = graph
        self._weights = weights
        self._types = types
        self._count = 0
        self._conditions = count(1)

    def nodes(self, proto: GraphProto) -> Iterator[Node]:
        """The nodes of the main graph. Raises GraphError if there are too many of them."""
        if Counting(self._function, _MOST, _DEEPEST).exceeds(proto.node):
            raise GraphError(_TOO_MANY)
        scope = _Scope()
        for name in (*self._graph.inputs, *self._graph.weights):
            scope.define(name)
        yield from self._listed(proto.node, scope)

    def _listed(self, protos: Iterable[NodeProto], scope: _Scope) -> Iterator[Node]:
        for number, proto in enumerate(protos):
            self._count += 1
            if self._count > _MOST:
                raise GraphError(_TOO_MANY)
            yield from self._expanded(proto, number, scope)

    def _expanded(self, proto: NodeProto, number: int, scope: _Scope) -> Iterator[Node]:
        attributes = dict(_attributes(proto, scope))
        node = self._node(proto, number, attributes, scope)
        graphs = {name: attribute.g for name, attribute in attributes.items() if attribute.type == _A.GRAPH}
        called = self._function(proto)
        if scope.depth < _DEEPEST and called is not None:
            yield from self._called(called[1], node, attributes, scope)
        elif scope.depth < _DEEPEST and node.operator == "If" and {"then_branch", "else_branch"} <= graphs.keys():
            yield from self._branches(node, graphs, scope)
        elif scope.depth < _DEEPEST and node.operator in ("Loop", "Scan") and "body" in graphs:
            yield from self._loop(node, graphs["body"], scope)
        elif node.operator == "Constant" and node.domain == "" and len(node.outputs) == 1:
            self._graph.weights[node.outputs[0]] = self._weights.of_constant(node.attributes)
        else:
            yield node

    def _function(self, proto: NodeProto) -> tuple[_Key, FunctionProto] | None:
        """The function that a node calls, and its key."""
        key = domain_of(proto.domain), proto.op_type, proto.overload
        return (key, self._functions[key]) if key in self._functions else None

    def _node(self, proto: NodeProto, number: int, attributes: Attributes, scope: _Scope) -> Node:
        values = {name: value_of(attribute) for name, attribute in attributes.items() if attribute.type != _A.GRAPH}
        inputs = tuple(map(scope.find, proto.input))
        outputs = tuple(map(scope.define, proto.output))
        name = scope.prefix + (proto.name or f"{proto.op_type}_{number}")
        trace = _trace(proto) or scope.trace
        return Node(name, proto.op_type, inputs, outputs, values, 0, trace, domain_of(proto.domain), scope.path)

    def _called(self, function: FunctionProto, node: Node, given: Attributes, scope: _Scope) -> Iterator[Node]:
        """The nodes of a function, and copies of its results under the caller's names."""
        known = {each.name: each for each in function.attribute_proto} | dict(given)
        inner = _Scope(f"{node.name}/", None, {}, known, scope.depth + 1, scope.path, node.trace)
        for number, name in enumerate(function.input):
            inner.names[name] = node.inputs[number] if number < len(node.inputs) else ""
        yield from self._listed(function.node, inner)
        yield from self._copies(node, [inner.find(name) for name in function.output])

    def _copies(self, node: Node, names: list[str]) -> Iterator[Node]:
        for name, output in zip(names, node.outputs, strict=False):
            yield replace(node, operator="Identity", domain="", inputs=(name,), outputs=(output,), attributes={})

    def _branches(self, node: Node, graphs: Mapping[str, GraphProto], scope: _Scope) -> Iterator[Node]:
        key, results = next(self._conditions), []
        condition = node.inputs[0] if node.inputs else "the condition"
        for arm, (name, text) in enumerate((("then_branch", "true"), ("else_branch", "false"))):
            path = (*scope.path, Condition(key, arm, f"{condition} is {text}"))
            inner = self._inside(node, name, graphs[name], replace(scope, path=path))
            yield from self._listed(graphs[name].node, inner)
            results += [inner.find(info.name) for info in graphs[name].output]
        yield replace(node, inputs=(*node.inputs[:1], *results))

    def _inside(self, node: Node, name: str, graph: GraphProto, scope: _Scope) -> _Scope:
        """The scope of a subgraph, with its own weights."""
        prefix = f"{node.name}/{name}/"
        inner = _Scope(prefix, scope, {}, scope.attributes, scope.depth + 1, scope.path, node.trace)
        for tensor in graph.initializer:
            self._graph.weights[inner.define(tensor.name)] = self._weights.of(tensor)
        for info in graph.value_info:
            self._graph.declared[prefix + info.name] = self._types.of(info)
        return inner

    def _loop(self, node: Node, body: GraphProto, scope: _Scope) -> Iterator[Node]:
        """The nodes of one iteration between a node that gives its values and one that collects what it leaves."""
        inner = self._inside(node, "body", body, scope)
        starts = tuple(inner.define(info.name) for info in body.input)
        types: list[TensorType] = [self._types.of(info) for info in body.input]
        start = {**node.attributes, "types": types}
        yield replace(node, name=f"{node.name}/start", operator=f"{node.operator}.start", outputs=starts, attributes=start)
        yield from self._listed(body.node, inner)
        results = tuple(inner.find(info.name) for info in body.output)
        end = {**node.attributes, "starts": starts, "given": len(node.inputs)}
        yield replace(node, inputs=(*node.inputs, *results), attributes=end)


def _attributes(proto: NodeProto, scope: _Scope) -> Iterator[tuple[str, AttributeProto]]:
    """The attributes of a node; those that refer to one of the function around it as the caller gives it."""
    for attribute in proto.attribute:
        if not attribute.ref_attr_name:
            yield attribute.name, attribute
        elif attribute.ref_attr_name in scope.attributes:
            yield attribute.name, scope.attributes[attribute.ref_attr_name]


def value_of(attribute: AttributeProto) -> Any:
    """An attribute as plain Python data; tensors as the messages they are."""
    kind = attribute.type
    if kind == _A.STRING:
        return attribute.s.decode("utf-8", "replace")
    if kind == _A.STRINGS:
        return tuple(text.decode("utf-8", "replace") for text in attribute.strings)
    if kind in _PLAIN:
        return getattr(attribute, _PLAIN[kind])
    return tuple(getattr(attribute, _REPEATED[kind])) if kind in _REPEATED else None


def _trace(proto: NodeProto) -> tuple[Frame, ...]:
    text = next((entry.value for entry in proto.metadata_props if entry.key == _TRACE), "")
    return frames(text) if text else ()


def domain_of(name: str) -> str:
    """An operator set's name, empty for the standard one."""
    return "" if name in _STANDARD else name
