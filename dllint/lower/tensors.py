"""Attributes of tensors: what every framework's tensors share, then the library's tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dllint.domains.dim import opaque, product
from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS, PROPERTIES
from dllint.ir.program import TensorVal
from dllint.ir.values import BoundVal, LibSymbol, Value
from dllint.lower import effects
from dllint.lower.changes import is_trained
from dllint.lower.lazy import ShapeVal

if TYPE_CHECKING:
    from dllint.lower.parts import Writes

#: Framework → qualified name of its tensor class.
TENSOR_CLASS = {
    "torch": "torch.Tensor",
    "keras": "keras.KerasTensor",
    "tensorflow": "tensorflow.Tensor",
    "numpy": "numpy.ndarray",
    "python": "numpy.ndarray",
}


def _shape(_m: Writes, x: TensorVal) -> Value:
    return ShapeVal(x) if isinstance(x.type.shape, Unknown) else x.type.shape


def _rank(m: Writes, x: TensorVal) -> Value:
    shape = x.type.shape
    return m.derive(("rank", x.id), lambda: Unknown("unknown-rank")) if isinstance(shape, Unknown) else len(shape)


def _numel(m: Writes, x: TensorVal) -> Value:
    shape = x.type.shape
    return opaque("numel") if isinstance(shape, Unknown) else product(shape)


def _transposed(m: Writes, x: TensorVal) -> Value:
    """All axes in the other order; unlike the method ``t``, the attribute takes tensors of any rank."""
    spelled = f"{TENSOR_CLASS[x.framework]}.T"
    if isinstance(x.shape, Unknown) or len(x.shape) <= 2:
        return m.emit("t", {"x": x}, framework=x.framework, spelled=spelled)
    return m.emit("permute", {"x": x, "dims": tuple(reversed(range(len(x.shape))))}, framework=x.framework, spelled=spelled)


def _dtype(m: Writes, x: TensorVal) -> Value:
    """The element type; an unknown one still is one, where an argument may be a device or a type."""
    dtype = x.type.dtype
    if not isinstance(dtype, Unknown):
        return dtype
    return m.derive(("dtype", id(dtype)), lambda: Unknown("dtype", dtype.detail or dtype.reason), dtype)


_SHARED: dict[str, Callable[[Any, TensorVal], Value]] = {
    "shape": _shape,
    "dtype": _dtype,
    "ndim": _rank,
    "T": _transposed,
}
_NUMPY: dict[str, Callable[[Any, TensorVal], Value]] = {"size": _numel}


def get_attribute(m: Writes, x: TensorVal, name: str) -> Value:
    """``x.name``."""
    full = f"{TENSOR_CLASS[x.framework]}.{name}"
    prop = PROPERTIES.get(full)
    if prop is not None:
        return prop(m, x)
    if name in _SHARED:
        return _SHARED[name](m, x)
    if x.framework == "numpy" and name in _NUMPY:
        return _NUMPY[name](m, x)
    known: Value = m.trail.derived.get(("tensor-attribute", x.id, name))
    if known is not None:
        return known
    registry.load(full)
    if full in HANDLERS or registry.function_row(full) is not None:
        return BoundVal(LibSymbol(full), x)
    inherited = f"numpy.ndarray.{name}" if x.framework in ("keras", "tensorflow") else full
    if registry.known(inherited):
        return BoundVal(LibSymbol(inherited), x)
    if registry.known(full):
        return BoundVal(LibSymbol(full), x)
    reason = "argument" if x in m.known.seeds else "unmodelled-attribute"
    return m.derive(("attribute", x.id, name), lambda: Unknown(reason, f"{x.name}.{name}" if x.name else name))


def has(x: TensorVal, name: str) -> bool | None:
    """``hasattr(x, name)``: true for what the tables know, undecided for all else."""
    full = f"{TENSOR_CLASS[x.framework]}.{name}"
    registry.load(full)
    return True if name in _SHARED or registry.known(full) else None


def put_attribute(m: Writes, x: TensorVal, name: str, value: Value) -> None:
    """``x.name = value``: kept for later reads, unless it changes the tensor."""
    change = _CHANGES.get(f"{TENSOR_CLASS[x.framework]}.{name}")
    if change is None:
        m.journal.set_item(m.trail.derived, ("tensor-attribute", x.id, name), value)
    else:
        change(m, x, value)


def _put_data(m: Writes, x: TensorVal, value: Value) -> None:
    """``x.data = y``: another tensor's memory, shape and type. A parameter stays one."""
    if not isinstance(value, TensorVal):
        effects.overwritten(m, x, "torch.Tensor.data")
    elif is_trained(x) or (x.producer is None and x.memory is None):
        m.refine(x, value.type)
    else:
        effects.became(m, x, effects.applied(m, "detach", value, "torch.Tensor.data"))


def _put_shape(m: Writes, x: TensorVal, value: Value) -> None:
    """``x.shape = sizes`` of an array."""
    effects.became(m, x, effects.applied(m, "reshape", x, "numpy.ndarray.shape", shape=value))


def _put_type(m: Writes, x: TensorVal, value: Value) -> None:
    """``x.dtype = type`` of an array: the same bytes read as others."""
    effects.became(m, x, effects.applied(m, "view_dtype", x, "numpy.ndarray.dtype", dtype=value))


_CHANGES: dict[str, Callable[[Any, TensorVal, Value], None]] = {
    "torch.Tensor.data": _put_data,
    "numpy.ndarray.shape": _put_shape,
    "numpy.ndarray.dtype": _put_type,
}
