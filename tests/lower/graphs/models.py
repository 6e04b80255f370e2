"""Small ONNX models for the tests."""

from __future__ import annotations

from pathlib import Path

from onnx import ModelProto, NodeProto, TensorProto, helper, save

FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64


def model(
    nodes: list[NodeProto],
    inputs: dict[str, list],
    outputs: list[str],
    weights: list[TensorProto] | None = None,
    opset: int = 18,
    types: dict[str, int] | None = None,
) -> ModelProto:
    """A model whose inputs have the given shapes, float32 unless ``types`` says otherwise."""
    types = types or {}
    given = [helper.make_tensor_value_info(name, types.get(name, FLOAT), shape) for name, shape in inputs.items()]
    results = [helper.make_tensor_value_info(name, types.get(name, FLOAT), None) for name in outputs]
    graph = helper.make_graph(nodes, "main", given, results, weights or [])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def written(path: Path, made: ModelProto) -> Path:
    """The file of a model."""
    save(made, str(path))
    return path
