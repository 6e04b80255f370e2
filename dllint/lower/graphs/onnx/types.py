"""Types of values as an ONNX model states them."""

from __future__ import annotations

from typing import Final

from onnx import TensorProto, TypeProto, ValueInfoProto

from dllint.domains.dim import Dim, DimExpr, symbol
from dllint.domains.dtype import DTYPES, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value

_T = TensorProto
_NAMES: Final[dict[int, str]] = {
    _T.FLOAT: "float32", _T.UINT8: "uint8", _T.INT8: "int8", _T.UINT16: "uint16", _T.INT16: "int16", _T.INT32: "int32",
    _T.INT64: "int64", _T.STRING: "string", _T.BOOL: "bool", _T.FLOAT16: "float16", _T.DOUBLE: "float64",
    _T.UINT32: "uint32", _T.UINT64: "uint64", _T.COMPLEX64: "complex64", _T.COMPLEX128: "complex128",
    _T.BFLOAT16: "bfloat16",
}  # fmt: skip


def dtype_of(number: int) -> DType | Unknown:
    """The element type that a number of ``TensorProto.DataType`` stands for."""
    name = _NAMES.get(number)
    return DTYPES[name] if name is not None else Unknown("unmodelled-dtype", f"ONNX element type {number}")


class Types:
    """Reads the types of one model: a size that is named is the same wherever it has that name."""

    def __init__(self) -> None:
        self._sizes: dict[str, DimExpr] = {}

    def of(self, info: ValueInfoProto) -> TensorType:
        """The type of a value."""
        proto = info.type
        if proto.HasField("optional_type"):
            proto = proto.optional_type.elem_type
        if not proto.HasField("tensor_type"):
            reason = Unknown("no-tensor", info.name)
            return TensorType(reason, reason)
        return TensorType(self._shape(info.name, proto.tensor_type), dtype_of(proto.tensor_type.elem_type))

    def _shape(self, name: str, proto: TypeProto.Tensor) -> Shape | Unknown:
        if not proto.HasField("shape"):
            return Unknown("input", name)
        return tuple(self._size(name, axis, dim) for axis, dim in enumerate(proto.shape.dim))

    def _size(self, name: str, axis: int, dim: Value) -> Dim:
        value, text = getattr(dim, "dim_value", 0), getattr(dim, "dim_param", "")
        if getattr(dim, "HasField")("dim_value") and value >= 0:  # noqa: B009  (the message class is made at run time)
            return int(value)
        key = text or f"{name}.{axis}"
        if key not in self._sizes:
            self._sizes[key] = symbol(key)
        return self._sizes[key]
