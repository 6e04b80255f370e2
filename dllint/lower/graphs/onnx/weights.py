"""Tensors that an ONNX model holds: their types, and the range of their elements, read piece by piece.

External data is read from files beside the model and below its directory, never from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from onnx import SparseTensorProto, TensorProto

from dllint.domains.dtype import FLOAT32, INT64, STRING, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.lower.graphs.model import Weight
from dllint.lower.graphs.onnx.types import dtype_of

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

#: Elements of tensors that have no more of them are kept: sizes, axes, small constants.
_KEPT: Final = 256
_PIECE: Final = 16 * 2**20
#: So much external data is read for one model; what is left out has no range.
_MOST: Final = 2 * 2**30
#: How element types lie in raw data.
_RAW: Final = {"bfloat16": "<u2", "bool": "?"}
_T = TensorProto


class Weights:
    """Reads the weights of a model in ``directory``; ``notes`` says what could not be read."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._left = _MOST
        self.notes: list[str] = []

    def of(self, tensor: TensorProto) -> Weight:
        """A tensor."""
        dtype, shape = dtype_of(tensor.data_type), tuple(map(int, tensor.dims))
        if any(size < 0 for size in shape):
            return Weight(TensorType(Unknown("damaged-weight", tensor.name), dtype))
        type_ = TensorType(shape, dtype)
        if not isinstance(dtype, DType) or dtype.kind not in ("float", "int", "bool"):
            return Weight(type_)
        try:
            return _ranged(type_, shape, self._pieces(tensor, dtype, prod(shape)))
        except (OSError, ValueError) as error:
            self.notes.append(f"the weight {tensor.name} could not be read: {error}")
            return Weight(type_)

    def of_sparse(self, sparse: SparseTensorProto) -> Weight:
        """A tensor of which the elements that are not 0 are held."""
        values = self.of(sparse.values)
        type_ = TensorType(tuple(max(0, int(size)) for size in sparse.dims), values.type.dtype)
        if values.low is None or values.high is None:
            return Weight(type_)
        return Weight(type_, min(values.low, 0.0), max(values.high, 0.0))

    def of_constant(self, attributes: Mapping[str, Any]) -> Weight:
        """The value of a node ``Constant``."""
        for name, value in attributes.items():
            if name == "value" and isinstance(value, TensorProto):
                return self.of(value)
            if name == "sparse_value":
                return self.of_sparse(value)
            if name in _CONSTANTS:
                return _literal(value, _CONSTANTS[name])
        reason = Unknown("unmodelled-call", "Constant")
        return Weight(TensorType(reason, reason))

    def _pieces(self, tensor: TensorProto, dtype: DType, count: int) -> Iterator[Array]:
        """The elements, some at a time. Raises ValueError if there are not as many as the shape says."""
        if tensor.data_location == _T.EXTERNAL:
            yield from self._external(tensor, dtype, count)
        elif tensor.raw_data:
            yield _decoded(tensor.raw_data, dtype, count)
        else:
            yield _listed(tensor, dtype, count)

    def _external(self, tensor: TensorProto, dtype: DType, count: int) -> Iterator[Array]:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        path = self._inside(entries.get("location", ""))
        width = _raw_type(dtype).itemsize
        offset, length = int(entries.get("offset", 0)), int(entries.get("length", count * width))
        if offset < 0 or length != count * width:
            raise ValueError(f"{length} bytes at {offset} are no {count} elements of {dtype.name}")
        with path.open("rb") as file:
            if path.stat().st_size < offset + length:
                raise ValueError(f"{path.name} ends before byte {offset + length}")
            self._left -= length
            if self._left < 0:
                raise ValueError(f"more than {_MOST} bytes of external data are not looked at")
            file.seek(offset)
            while length > 0:
                piece = file.read(min(_PIECE, length))
                if not piece:
                    raise ValueError(f"{path.name} ends too early")
                length -= len(piece)
                yield _decoded(piece, dtype, len(piece) // width)

    def _inside(self, location: str) -> Path:
        """The file of external data. Raises ValueError if it does not lie below the model's directory."""
        base = self._directory.resolve()
        path = (base / location).resolve()
        if not location or "\0" in location or not path.is_relative_to(base) or path == base:
            raise ValueError(f"its external data lies outside the model's directory ({location[:100]!r})")
        if not path.is_file():
            raise ValueError(f"its external data {location[:100]!r} is missing")
        return path


_CONSTANTS: Final = {
    "value_float": FLOAT32, "value_floats": FLOAT32, "value_int": INT64, "value_ints": INT64, "value_string": STRING,
    "value_strings": STRING,
}  # fmt: skip


def _literal(value: Any, dtype: DType) -> Weight:
    shape = (len(value),) if isinstance(value, tuple) else ()
    if dtype is STRING:
        return Weight(TensorType(shape, dtype))
    numbers = value if isinstance(value, tuple) else (value,)
    if not numbers or not all(map(isfinite, numbers)):
        return Weight(TensorType(shape, dtype))
    return Weight(TensorType(shape, dtype), float(min(numbers)), float(max(numbers)), value if len(numbers) <= _KEPT else None)


def _raw_type(dtype: DType) -> Any:
    import numpy

    return numpy.dtype(_RAW.get(dtype.name) or numpy.dtype(dtype.name).newbyteorder("<"))


def _decoded(data: bytes, dtype: DType, count: int) -> Array:
    """Elements from bytes."""
    import numpy

    raw = _raw_type(dtype)
    if len(data) != count * raw.itemsize:
        raise ValueError(f"{len(data)} bytes are no {count} elements of {dtype.name}")
    return _widened(numpy.frombuffer(data, raw), dtype)


def _widened(array: Array, dtype: DType) -> Array:
    """Bits of bfloat16 as the numbers they are."""
    import numpy

    if dtype.name != "bfloat16":
        return array
    return (array.astype(numpy.uint32) << 16).view(numpy.float32)


#: The fields that hold elements one by one; those of 16 bits hold bits.
_FIELDS: Final = {"float32": "float_data", "float64": "double_data", "int64": "int64_data", "uint64": "uint64_data",
                  "uint32": "uint64_data"}  # fmt: skip


def _listed(tensor: TensorProto, dtype: DType, count: int) -> Array:
    import numpy

    field = getattr(tensor, _FIELDS.get(dtype.name, "int32_data"))
    if len(field) != count:
        raise ValueError(f"{len(field)} elements instead of {count}")
    if dtype.name in ("float16", "bfloat16"):
        bits = numpy.array(field, numpy.int64).astype(numpy.uint16)
        return _widened(bits, dtype) if dtype.name == "bfloat16" else bits.view(numpy.float16)
    return numpy.array(field, numpy.dtype(dtype.name))


def _ranged(type_: TensorType, shape: tuple[int, ...], pieces: Iterator[Array]) -> Weight:
    """The minimum and maximum of some elements; neither if an element is not finite."""
    low, high, data, finite = float("inf"), -float("inf"), None, True
    for array in pieces:
        if not array.size:
            continue
        if array.size <= _KEPT and array.size == prod(shape):
            data = _elements(array, shape)
        least, greatest = float(array.min()), float(array.max())
        finite = finite and isfinite(least) and isfinite(greatest)
        low, high = min(low, least), max(high, greatest)
    if not finite or low > high:
        return Weight(type_, data=data if low <= high and finite else None)
    return Weight(type_, low, high, data)


def _elements(array: Array, shape: tuple[int, ...]) -> Any:
    """All elements as nested tuples; a single one as the shortest number that it is the nearest to."""
    if not shape and array.dtype.kind == "f":
        return float(str(array.ravel()[0]))
    return _nested(array.reshape(shape).tolist())


def _nested(value: Value) -> Any:
    return tuple(map(_nested, value)) if isinstance(value, list) else value
