"""Small ONNX models for the tests, and what is known of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper, save

from dllint.analysis.facts import Facts
from dllint.domains.interval import Interval
from dllint.domains.shape import show_type
from dllint.lower.graphs.builder import Imported
from dllint.lower.graphs.onnx.importer import import_graph

node = helper.make_node


def weight(name: str, value: Any, dtype: Any = np.float32) -> TensorProto:
    """A tensor that the model holds."""
    return numpy_helper.from_array(np.asarray(value, dtype), name)


def model(
    nodes: list[NodeProto], inputs: dict[str, Any], weights: list[TensorProto] | None = None, opset: int = 18, **more: Any
) -> ModelProto:
    """A model whose inputs have the given shapes (float32, or the type behind the shape) and whose results are those of its
    last node."""
    given = []
    for name, shape in inputs.items():
        kind, sizes = (shape[0], shape[1]) if isinstance(shape, tuple) else (TensorProto.FLOAT, shape)
        given.append(helper.make_tensor_value_info(name, kind, sizes))
    results = [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in nodes[-1].output]
    graph = helper.make_graph(nodes, "main", given, results, weights or [])
    imports = [helper.make_opsetid("", opset), *more.pop("opsets", ())]
    return helper.make_model(graph, opset_imports=imports, ir_version=10, **more)


class Known:
    """What is known of the values of a model."""

    def __init__(self, path: Path, made: ModelProto) -> None:
        save(made, str(path / "model.onnx"))
        self.imported: Imported = import_graph(path / "model.onnx")
        self._ranges = Facts(self.imported.program).ranges

    def type(self, name: str) -> str:
        """``f32[batch, 8]``."""
        return show_type(self.imported.values[name].type)

    def range(self, name: str) -> Interval:
        """The interval of its elements."""
        return self._ranges.of(self.imported.values[name])
