"""The parts of an ONNX model in the terms of :mod:`dllint.lower.graphs.model`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto

from dllint.lower.graphs.model import Frame, Graph, Node
from dllint.lower.graphs.onnx.types import Types
from dllint.lower.graphs.onnx.weights import Weights
from dllint.lower.graphs.traces import frames

#: The names of the operator set that needs no name.
STANDARD: Final = ("", "ai.onnx")
_TRACE: Final = "pkg.torch.onnx.stack_trace"
_A = AttributeProto


class Reader:
    """Reads one model. ``directory`` is where its external data lies."""

    def __init__(self, model: ModelProto, directory: Path) -> None:
        self._model = model
        self._types = Types()
        self.weights = Weights(directory)
        #: Version of each operator set that the model names.
        self.opsets = {_domain(each.domain): each.version for each in model.opset_import}

    def graph(self) -> Graph:
        """The model's main graph."""
        proto = self._model.graph
        held = {tensor.name for tensor in proto.initializer} | {tensor.values.name for tensor in proto.sparse_initializer}
        inputs = {info.name: self._types.of(info) for info in proto.input if info.name not in held}
        graph = Graph(proto.name or "main_graph", "torch", [], inputs)
        self._take_weights(proto, graph)
        graph.nodes = list(self._nodes(proto.node, graph))
        graph.declared = self._declared((*proto.value_info, *proto.output))
        graph.outputs = [info.name for info in proto.output]
        graph.notes = self.weights.notes
        return graph

    def _take_weights(self, proto: GraphProto, graph: Graph) -> None:
        for tensor in proto.initializer:
            graph.weights[tensor.name] = self.weights.of(tensor)
        for sparse in proto.sparse_initializer:
            graph.weights[sparse.values.name] = self.weights.of_sparse(sparse)

    def _declared(self, infos: Iterable[ValueInfoProto]) -> dict[str, Any]:
        return {info.name: self._types.of(info) for info in infos}

    def _nodes(self, protos: Iterable[NodeProto], graph: Graph) -> Iterator[Node]:
        for number, proto in enumerate(protos):
            node = self._node(proto, number)
            if node.operator == "Constant" and node.domain == "" and len(node.outputs) == 1:
                graph.weights[node.outputs[0]] = self.weights.of_constant(node.attributes)
            else:
                yield node

    def _node(self, proto: NodeProto, number: int) -> Node:
        return Node(
            proto.name or f"{proto.op_type}_{number}",
            proto.op_type,
            tuple(proto.input),
            tuple(proto.output),
            {attribute.name: value_of(attribute) for attribute in proto.attribute},
            trace=_trace(proto),
            domain=_domain(proto.domain),
        )


def value_of(attribute: AttributeProto) -> Any:
    """An attribute as plain Python data; tensors and graphs as the messages they are."""
    kind = attribute.type
    if kind == _A.STRING:
        return attribute.s.decode("utf-8", "replace")
    if kind == _A.STRINGS:
        return tuple(text.decode("utf-8", "replace") for text in attribute.strings)
    if kind in _PLAIN:
        return getattr(attribute, _PLAIN[kind])
    return tuple(getattr(attribute, _REPEATED[kind])) if kind in _REPEATED else None


_PLAIN: Final = {_A.INT: "i", _A.FLOAT: "f", _A.TENSOR: "t", _A.GRAPH: "g", _A.SPARSE_TENSOR: "sparse_tensor"}
_REPEATED: Final = {_A.INTS: "ints", _A.FLOATS: "floats", _A.TENSORS: "tensors", _A.GRAPHS: "graphs"}


def _trace(proto: NodeProto) -> tuple[Frame, ...]:
    text = next((entry.value for entry in proto.metadata_props if entry.key == _TRACE), "")
    return frames(text) if text else ()


def _domain(name: str) -> str:
    return "" if name in STANDARD else name


def is_tensor(value: Any) -> bool:
    """Whether an attribute is a tensor."""
    return isinstance(value, TensorProto)
