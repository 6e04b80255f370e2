"""``finfo`` and ``iinfo`` of torch and numpy: the limits of an element type, read as attributes."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import FLOAT16, FLOAT32, DType
from dllint.domains.floating import BINARY32, FORMATS, FloatFormat
from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value
from dllint.ops.operand import read_dtype

#: The class of the objects of both libraries.
_INFO: Final = "torch.finfo"
#: The smallest normal number of half precision, which keeps smaller ones, too.
_SMALLEST_HALF: Final = 2.0**-14


@handler("torch.finfo", "torch.iinfo", "numpy.finfo", "numpy.iinfo")
def number_info(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Limits of an element type: one that is named, that of a tensor, or, in torch, the usual one."""
    bound = given("dtype=None, *, type=None", arguments)
    named = bound["dtype"] if bound["type"] is None else bound["type"]
    found = named.dtype if isinstance(named, TensorVal) else read_dtype(named)
    info = InstanceVal(LibSymbol(_INFO), site=machine.site)
    info.state["dtype"] = FLOAT32 if found is None else found
    return info


def _limit(info: InstanceVal, sign: float) -> Value:
    dtype = info.state.get("dtype")
    if not isinstance(dtype, DType):
        return Unknown("dtype", "finfo")
    if dtype.kind == "int":
        high: int = 2 ** (dtype.bits - dtype.signed) - 1
        return high if sign > 0 else -(high + 1) * dtype.signed
    return sign * _format(info).largest


def _format(info: InstanceVal) -> FloatFormat:
    dtype = info.state.get("dtype")
    return FORMATS.get(dtype, BINARY32) if isinstance(dtype, DType) else BINARY32


@prop(f"{_INFO}.max", on=InstanceVal)
def largest(machine: Machine, info: InstanceVal) -> Value:
    """The largest finite number."""
    return _limit(info, 1)


@prop(f"{_INFO}.min", on=InstanceVal)
def lowest(machine: Machine, info: InstanceVal) -> Value:
    """The most negative finite number."""
    return _limit(info, -1)


@prop(f"{_INFO}.eps", on=InstanceVal)
def spacing(machine: Machine, info: InstanceVal) -> Value:
    """The distance from 1 to the next number; of a type that is not known, that of single precision."""
    return 2.0 ** (1 - _format(info).precision)


@prop(f"{_INFO}.tiny", f"{_INFO}.smallest_normal", on=InstanceVal)
def smallest(machine: Machine, info: InstanceVal) -> Value:
    """The smallest normal number above 0."""
    return _SMALLEST_HALF if info.state.get("dtype") == FLOAT16 else _format(info).smallest


@prop(f"{_INFO}.bits", on=InstanceVal)
def bits(machine: Machine, info: InstanceVal) -> Value:
    """How many bits a number has."""
    dtype = info.state.get("dtype")
    return dtype.bits if isinstance(dtype, DType) else Unknown("dtype", "finfo")


@prop(f"{_INFO}.dtype", on=InstanceVal)
def element_type(machine: Machine, info: InstanceVal) -> Value:
    """The element type."""
    return info.state["dtype"]
