"""Tensor methods that change element type or device: ``to``, ``type``, ``float``, ``long``, ``cuda`` …"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dllint.domains.dim import mul
from dllint.domains.dtype import (
    BFLOAT16,
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    DType,
)
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.torch.protocols.conversion import requested_dtype
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, LibSymbol, Value
from dllint.ops.view import elementwise_layout

CASTS = {
    "float": FLOAT32, "double": FLOAT64, "half": FLOAT16, "bfloat16": BFLOAT16, "long": INT64, "int": INT32, "short": INT16,
    "char": INT8, "byte": UINT8, "bool": BOOL, "cfloat": COMPLEX64, "cdouble": COMPLEX128,
}  # fmt: skip
#: ``torch.FloatTensor`` and friends: classes that are element types.
TYPED_CLASSES = {f"torch.{prefix}{name}Tensor": dtype for prefix in ("", "cuda.") for name, dtype in {
    "Float": FLOAT32, "Double": FLOAT64, "Half": FLOAT16, "Long": INT64, "Int": INT32, "Short": INT16, "Char": INT8,
    "Byte": UINT8,
    "Bool": BOOL,
}.items()}  # fmt: skip


def cast(machine: Machine, x: Value, dtype: DType | Unknown, spelled: str, copied: bool = False) -> Value:
    """``x`` in another element type, as an operation; ``copied`` also if it has that type already."""
    args: dict[str, Value] = {"x": x, "dtype": dtype, "copy": True} if copied else {"x": x, "dtype": dtype}
    return machine.emit("cast", args, framework="torch", spelled=spelled)


def _register(name: str, dtype: DType) -> None:
    spelled = f"torch.Tensor.{name}"

    @handler(spelled)
    def to_dtype(machine: Machine, x: Value, arguments: Arguments) -> Value:
        found = cast(machine, x, dtype, spelled)
        if isinstance(found, TensorVal) and (arguments.args or "memory_format" in arguments.kwargs):
            found.type = replace(found.type, strides=Unknown("layout", "memory_format"))
        return found


for _name, _dtype in CASTS.items():
    _register(_name, _dtype)


@handler("torch.Tensor.type_as")
def type_as(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """``x.type_as(other)``."""
    other = given("other=None", arguments)["other"]
    dtype = other.dtype if isinstance(other, TensorVal) else Unknown("no-tensor", "other")
    return cast(machine, x, dtype, "torch.Tensor.type_as")


@handler("torch.Tensor.to")
def to(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """``x.to(device)``, ``x.to(dtype)``, ``x.to(other)``: the tensor itself if no type is asked for."""
    dtype = requested_dtype(arguments)
    copied = arguments.kwargs.get("copy") is True
    laid_out = "memory_format" in arguments.kwargs
    if dtype is not None:
        found = cast(machine, x, dtype, "torch.Tensor.to", copied)
    elif isinstance(x, TensorVal) and (copied or laid_out):
        found = machine.emit("clone" if copied else "identity", {"x": x}, framework="torch", spelled="torch.Tensor.to")
    else:
        return moved(machine, x, "torch.Tensor.to")
    if isinstance(found, TensorVal) and laid_out:
        found.type = replace(found.type, strides=Unknown("layout", "memory_format"))
    return found


@handler("torch.Tensor.type")
def type_(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """``x.type(dtype)``, also by class or string (``"torch.FloatTensor"``); without argument the type's name."""
    wanted = arguments.args[0] if arguments.args else arguments.kwargs.get("dtype")
    if wanted is None:
        return Unknown("type-name", "torch.Tensor.type()")
    name = wanted.name if isinstance(wanted, LibSymbol) else wanted
    dtype = TYPED_CLASSES.get(name) if isinstance(name, str) else None
    found = dtype or requested_dtype(Arguments((wanted,))) or Unknown("dtype", "torch.Tensor.type")
    return cast(machine, x, found, "torch.Tensor.type")


def moved(machine: Machine, x: Value, spelled: str) -> Value:
    """``x`` on another device, perhaps: of the same shape and type. A copy is dense (``torch.preserve_format``), so that
    nothing is known of its layout where ``x`` is not."""
    if not isinstance(x, TensorVal) or x.type.strides is None or not isinstance(elementwise_layout(x.type), Unknown):
        return x
    found = machine.emit("identity", {"x": x}, framework="torch", spelled=spelled)
    if isinstance(found, TensorVal):
        found.type = replace(found.type, strides=Unknown("layout", "device"))
    return found


def _register_move(name: str) -> None:
    spelled = f"torch.Tensor.{name}"

    @handler(spelled)
    def move(machine: Machine, x: Value, arguments: Arguments) -> Value:
        found = moved(machine, x, spelled)
        asked = "memory_format" in arguments.kwargs and isinstance(found, TensorVal)
        return machine.emit("identity", {"x": found}, framework="torch", spelled=spelled) if asked else found


for _name in ("cuda", "cpu", "pin_memory", "share_memory_", "xpu", "to_dense", "coalesce"):
    _register_move(_name)


@handler("torch.Tensor.numpy", "torch.Tensor.__array__", on=TensorVal)
def numpy(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.numpy()``: an array of the same type."""
    return machine.emit("as_array", {"x": x}, framework="numpy", spelled="torch.Tensor.numpy")


_COMPLEX_OF: Final[dict[DType | Unknown, DType]] = {FLOAT32: COMPLEX64, FLOAT64: COMPLEX128}
_PARTS_OF: Final[dict[DType | Unknown, DType]] = {COMPLEX64: FLOAT32, COMPLEX128: FLOAT64}


@handler("torch.view_as_complex")
def view_as_complex(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The last axis of size 2 holds real and imaginary parts."""
    x = arguments.args[0] if arguments.args else None
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or not x.shape:
        return machine.unknown("unknown-rank", "view_as_complex")
    dtype = _COMPLEX_OF.get(x.dtype, Unknown("unmodelled-call", "complex type"))
    strides = None if x.type.strides is None else Unknown("layout", "view_as_complex")
    return machine.tensor(TensorType(x.shape[:-1], dtype, strides), framework="torch", name=x.name)


@handler("torch.view_as_real")
def view_as_real(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Real and imaginary parts along a new last axis of size 2."""
    x = arguments.args[0] if arguments.args else None
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown):
        return machine.unknown("unknown-rank", "view_as_real")
    dtype = _PARTS_OF.get(x.dtype, Unknown("unmodelled-call", "real type"))
    strides = x.type.strides
    if isinstance(strides, tuple):
        strides = (*(mul(stride, 2) for stride in strides), 1)
    return machine.tensor(TensorType((*x.shape, 2), dtype, strides), framework="torch", name=x.name)
