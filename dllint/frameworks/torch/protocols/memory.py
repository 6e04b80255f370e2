"""Methods that give a tensor other memory or another shape of it: ``resize_``, ``set_``, ``as_strided``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final

from dllint.domains.dim import product
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Arguments, Value
from dllint.ops.aliases import is_in_place, sharing
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: Views that begin where their tensor does.
_FROM_THE_START: Final = frozenset({"t", "transpose", "permute", "view", "unsqueeze", "squeeze", "detach", "expand", "adjoint"})
#: Operations that always make a tensor of their own.
_COMPUTED: Final = frozenset({"add", "sub", "mul", "div", "neg"})
#: Views of views that are looked through.
_MOST_VIEWS: Final = 64


@handler("torch.Tensor.resize_", on=TensorVal)
def resize(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.resize_(*sizes)``: as many elements as are asked for, whatever the memory holds."""
    bound = given("*shape, memory_format=None, size=None", arguments)
    sizes = bound.get("shape") or bound["size"]
    if isinstance(sizes, tuple) and len(sizes) == 1 and isinstance(sizes[0], (tuple, Unknown)):
        sizes = sizes[0]
    return _become(machine, x, "torch.Tensor.resize_", {"shape": sizes})


@handler("torch.Tensor.resize_as_", on=TensorVal)
def resize_as(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.resize_as_(other)``."""
    other = given("the_template, memory_format=None", arguments).get("the_template")
    shape = other.shape if isinstance(other, TensorVal) else Unknown("no-tensor", "resize_as_")
    return _become(machine, x, "torch.Tensor.resize_as_", {"shape": shape})


def _become(machine: Machine, x: TensorVal, spelled: str, args: dict[str, Value]) -> Value:
    result = machine.emit("resize_memory", {"x": x, **args}, framework="torch", spelled=spelled)
    if isinstance(result, TensorVal):
        machine.wrote(x, result, became=True)
    return result


@handler("torch.as_strided")
def as_strided_function(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.as_strided(x, size, stride)``."""
    bound = given("input, size, stride, storage_offset=None", arguments)
    x = bound.get("input")
    if not isinstance(x, TensorVal):
        return machine.unknown("no-tensor", "torch.as_strided")
    return _strided(machine, x, bound, "torch.as_strided")


@handler("torch.Tensor.as_strided", on=TensorVal)
def as_strided(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.as_strided(size, stride)``: a view of the memory."""
    return _strided(machine, x, given("size, stride, storage_offset=None", arguments), "torch.Tensor.as_strided")


@handler("torch.Tensor.as_strided_", on=TensorVal)
def as_strided_(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.as_strided_(size, stride)``: the tensor becomes another view of its memory."""
    result = _strided(machine, x, given("size, stride, storage_offset=None", arguments), "torch.Tensor.as_strided_")
    if isinstance(result, TensorVal):
        machine.wrote(x, result, became=True)
    return result


def _strided(machine: Machine, x: TensorVal, bound: Mapping[str, Value], spelled: str) -> Value:
    """A view by strides. Where that of ``x`` begins is known if it is no view itself."""
    *views, first = islice(sharing(x, changed=True), _MOST_VIEWS)
    offset = bound["storage_offset"]
    if offset is None and all(view.producer is not None and view.producer.kind in _FROM_THE_START for view in views):
        offset = 0
    args = {"x": x, "shape": bound.get("size"), "stride": bound.get("stride"), "offset": offset}
    if isinstance(first.shape, tuple) and first.producer is not None and _has_own_memory(first, first.producer):
        args["storage"] = product(first.shape)
    return machine.emit("as_strided", args, framework="torch", spelled=spelled)


def _has_own_memory(x: TensorVal, maker: Op) -> bool:
    """Whether a tensor has been made with a memory for just its elements."""
    computed = maker.kind in _COMPUTED and x.type.strides is None and not is_in_place(maker)
    return computed or does(maker, Trait.ROW_BY_ROW)


@handler("torch.Tensor.set_", on=TensorVal)
def set_(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.set_(source)``: the memory and shape of another tensor; of a storage, nothing is known."""
    source = given("source=None, storage_offset=0, size=None, stride=None", arguments)["source"]
    if source is None:
        return _become(machine, x, "torch.Tensor.set_", {"shape": (0,)})
    if not isinstance(source, TensorVal):
        nothing = Unknown("not-followed", "storage of a tensor")
        anything = machine.tensor(TensorType(nothing, nothing), framework="torch", name=x.name)
        machine.wrote(x, anything, became=True)
        return anything
    if len(arguments.args) + len(arguments.kwargs) > 1:
        return _become(machine, x, "torch.Tensor.set_", {"shape": Unknown("not-followed", "storage of a tensor")})
    result = machine.emit("detach", {"x": source}, framework="torch", spelled="torch.Tensor.set_")
    if isinstance(result, TensorVal):
        machine.wrote(x, result, became=True)
    return result
