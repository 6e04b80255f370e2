"""Methods that give a tensor other memory or another shape of it: ``resize_``, ``set_``, ``as_strided``."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value


@handler("torch.Tensor.resize_", on=TensorVal)
def resize(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.resize_(*sizes)``: as many elements as are asked for, whatever the memory holds."""
    bound = given("*shape, memory_format=None, size=None", arguments)
    sizes = bound.get("shape") or bound["size"]
    if isinstance(sizes, tuple) and len(sizes) == 1 and isinstance(sizes[0], tuple | Unknown):
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
