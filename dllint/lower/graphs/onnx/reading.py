"""An ONNX model in the terms of :mod:`dllint.lower.graphs.model`."""

from __future__ import annotations

from pathlib import Path

from onnx import GraphProto, ModelProto

from dllint.lower.graphs.model import Graph
from dllint.lower.graphs.onnx.flattening import Flattener, domain_of
from dllint.lower.graphs.onnx.types import Types
from dllint.lower.graphs.onnx.weights import Weights


def read_graph(model: ModelProto, directory: Path) -> Graph:
    """The model's main graph; ``directory`` is where its external data lies. Raises GraphError if it is too large."""
    proto, types, weights = model.graph, Types(), Weights(directory)
    held = {tensor.name for tensor in proto.initializer} | {tensor.values.name for tensor in proto.sparse_initializer}
    inputs = {info.name: types.of(info) for info in proto.input if info.name not in held}
    graph = Graph(proto.name or "main_graph", "torch", [], inputs, notes=weights.notes)
    graph.declared = {info.name: types.of(info) for info in (*proto.value_info, *proto.output)}
    graph.outputs = [info.name for info in proto.output]
    _take_weights(proto, weights, graph)
    graph.nodes = list(Flattener(model, graph, weights, types).nodes(proto))
    return graph


def _take_weights(proto: GraphProto, weights: Weights, graph: Graph) -> None:
    for tensor in proto.initializer:
        graph.weights[tensor.name] = weights.of(tensor)
    for sparse in proto.sparse_initializer:
        graph.weights[sparse.values.name] = weights.of_sparse(sparse)


def opsets_of(model: ModelProto) -> dict[str, int]:
    """The version of each operator set that a model names."""
    return {domain_of(each.domain): each.version for each in model.opset_import}
