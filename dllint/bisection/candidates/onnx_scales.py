"""Integers of a quantised ONNX graph as the numbers that they stand for: ``(q - zero point) · scale``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx

#: Where an operator takes the scale of its result; the zero point comes next.
_AT: Final = {
    "QuantizeLinear": 1,
    "QLinearConv": 6,
    "QLinearMatMul": 6,
    "QLinearAdd": 6,
    "QLinearMul": 6,
    "QGemm": 7,
    "QLinearSigmoid": 3,
    "QLinearLeakyRelu": 3,
    "QLinearSoftmax": 3,
    "QLinearGlobalAveragePool": 3,
    "QLinearAveragePool": 3,
    "QLinearConcat": 0,
}
#: Operators whose result has the scale of what they take.
_KEEPS: Final = frozenset({"MaxPool", "Reshape", "Flatten", "Transpose", "Squeeze", "Unsqueeze", "Slice", "Gather"})


@dataclass(frozen=True, slots=True)
class Scale:
    """Of a whole tensor."""

    factor: float
    zero: int
    kind: np.dtype

    def real(self, integers: np.ndarray) -> np.ndarray:
        """The numbers that integers stand for."""
        numbers: np.ndarray = (integers.astype(np.float32) - self.zero) * np.float32(self.factor)
        return numbers

    def rounded(self, numbers: np.ndarray) -> np.ndarray:
        """The integers that are nearest to numbers."""
        limits = np.iinfo(self.kind)
        nearest: np.ndarray = np.clip(np.round(numbers / self.factor) + self.zero, limits.min, limits.max)
        return nearest.astype(self.kind)


def scales(model: onnx.ModelProto) -> dict[str, Scale]:
    """The scale of each value that is kept as integers."""
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    found: dict[str, Scale] = {}
    for node in model.graph.node:
        scale = _taken(node, constants) if node.op_type in _AT else None
        if node.op_type in _KEEPS and node.input[0] in found:
            scale = found[node.input[0]]
        if scale is not None:
            found[node.output[0]] = scale
    return found


def _taken(node: onnx.NodeProto, constants: Mapping[str, onnx.TensorProto]) -> Scale | None:
    names = list(node.input)[_AT[node.op_type] :][:2]
    if len(names) < 2 or any(name not in constants for name in names):
        return None
    factor, zero = (np.asarray(onnx.numpy_helper.to_array(constants[name])) for name in names)
    return Scale(float(factor.reshape(-1)[0]), int(zero.reshape(-1)[0]), zero.dtype) if factor.size == 1 else None
