"""Functions and methods that do different things by what they are given: ``max``, ``median``, ``where``, ``view`` …"""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.torch.protocols.conversion import dtype_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value, unwrap


def with_receiver(receiver: Value, arguments: Arguments) -> Arguments:
    """Function arguments from a method call's."""
    if receiver is None:
        return arguments
    return Arguments((receiver, *arguments.args), arguments.kwargs, arguments.star, arguments.double_star)


def _extremum(name: str, whole: str, along: str, pairwise: str) -> None:
    @handler(f"torch.{name}", f"torch.Tensor.{name}")
    def extremum(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
        bound = given("input, dim=None, keepdim=False, *, other=None, axis=None, out=None", with_receiver(receiver, arguments))
        x, dim = bound.get("input"), bound["axis"] if bound["dim"] is None else bound["dim"]
        other = dim if isinstance(dim, TensorVal) else bound["other"]
        spelled = f"torch.{name}"
        if other is not None:
            return machine.emit(pairwise, {"x": x, "y": other}, framework="torch", spelled=spelled)
        if dim is None:
            return machine.emit(whole, {"x": x}, framework="torch", spelled=spelled)
        args = {"x": x, "dim": dim, "keepdim": bound["keepdim"]}
        return machine.emit(along, args, framework="torch", spelled=spelled)


_extremum("max", "amax", "max_dim", "maximum")
_extremum("min", "amin", "min_dim", "minimum")


@handler("torch.median", "torch.Tensor.median", "torch.nanmedian", "torch.Tensor.nanmedian")
def median(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
    """The median of all elements, or (values, indices) along an axis."""
    bound = given("input, dim=None, keepdim=False, *, out=None", with_receiver(receiver, arguments))
    args = {"x": bound.get("input"), "dim": bound["dim"], "keepdim": bound["keepdim"]}
    return machine.emit("median", args, framework="torch", spelled="torch.median")


def _spread(name: str) -> None:
    @handler(f"torch.{name}_mean")
    def with_mean(machine: Machine, _: Value, arguments: Arguments) -> Value:
        bound = given("input, dim=None, unbiased=True, keepdim=False, *, correction=1", arguments)
        dim = None if isinstance(bound["dim"], bool) else bound["dim"]
        args = {"x": bound.get("input"), "dim": dim, "keepdim": bound["keepdim"]}
        return tuple(machine.emit(op, args, framework="torch", spelled=f"torch.{name}_mean") for op in (name, "mean"))

    @handler(f"torch.{name}", f"torch.Tensor.{name}")
    def spread(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
        bound = given(
            "input, dim=None, unbiased=True, keepdim=False, *, correction=1, axis=None", with_receiver(receiver, arguments)
        )
        dim = bound["axis"] if bound["dim"] is None or isinstance(bound["dim"], bool) else bound["dim"]
        args = {"x": bound.get("input"), "dim": dim, "keepdim": bound["keepdim"]}
        return machine.emit(name, args, framework="torch", spelled=f"torch.{name}")


_spread("std")
_spread("var")


@handler("torch.where", "torch.Tensor.where")
def where(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
    """``where(condition, x, y)``; with the condition alone, the indices where it holds."""
    if receiver is not None:
        bound = given("condition, other=None", arguments)
        args = {"condition": bound.get("condition"), "x": receiver, "y": bound["other"]}
    else:
        bound = given("condition, input=None, other=None, *, x=None, y=None", arguments)
        if bound["input"] is None and bound["x"] is None:
            return machine.emit(
                "nonzero", {"x": bound.get("condition"), "as_tuple": True}, framework="torch", spelled="torch.where"
            )
        first, second = (bound[a] if bound[a] is not None else bound[b] for a, b in (("input", "x"), ("other", "y")))
        args = {"condition": bound.get("condition"), "x": first, "y": second}
    return machine.emit("where", args, framework="torch", spelled="torch.where")


@handler("torch.Tensor.view")
def view(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """``x.view(*sizes)``, ``x.view(sizes)``, ``x.view(dtype)``."""
    first = arguments.args[0] if arguments.args else arguments.kwargs.get("dtype", arguments.kwargs.get("size"))
    if (dtype := dtype_of(first)) is not None:
        return machine.emit("view_dtype", {"x": x, "dtype": dtype}, framework="torch", spelled="torch.Tensor.view")
    if arguments.star is not None:
        return machine.emit("view", {"x": x, "shape": arguments.star}, framework="torch", spelled="torch.Tensor.view")
    single = len(arguments.args) <= 1 and not _is_size(first)
    return machine.emit(
        "view", {"x": x, "shape": first if single else arguments.args}, framework="torch", spelled="torch.Tensor.view"
    )


def _is_size(value: Value) -> bool:
    return not isinstance(unwrap(value), (tuple, ListVal, Unknown)) and not hasattr(value, "tensor")


@handler("torch.einsum")
def einsum(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``einsum(equation, *operands)`` and ``einsum(equation, [operands])``."""
    equation = arguments.args[0] if arguments.args else arguments.kwargs.get("equation")
    operands = arguments.args[1:] or tuple(v for k, v in arguments.kwargs.items() if k == "operands")
    if arguments.star is None and isinstance(unwrap(equation), (ListVal, tuple)):
        args: dict[str, Value] = {"refused": "equation", "reason": "the equation is a text that stands before the operands"}
        return machine.emit("library_call", args, framework="torch", spelled="torch.einsum")
    if arguments.star is not None or not isinstance(equation, str):
        return machine.unknown("dynamic-argument", "einsum")
    if len(operands) == 1 and not isinstance(operands[0], TensorVal):
        found = machine.iterate(operands[0])
        if isinstance(found, Unknown):
            return machine.unknown(found.reason, "einsum")
        operands = tuple(found)
    args = {"equation": equation, "operands": operands}
    return machine.emit("einsum", args, framework="torch", spelled="torch.einsum")


@handler("torch.Tensor.expand_as")
def expand_as(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """Broadcast to the shape of another tensor."""
    other = arguments.args[0] if arguments.args else arguments.kwargs.get("other")
    if not isinstance(other, TensorVal):
        return machine.unknown("no-tensor", "expand_as")
    return machine.emit("expand_as", {"x": x, "y": other}, framework="torch", spelled="torch.Tensor.expand_as")


def _like_another(op: str) -> None:
    spelled = f"torch.Tensor.{op}_as"

    @handler(spelled)
    def like_another(machine: Machine, x: Value, arguments: Arguments) -> Value:
        """The elements of ``x`` in the shape of another tensor."""
        other = arguments.args[0] if arguments.args else arguments.kwargs.get("other")
        if not isinstance(other, TensorVal) or isinstance(other.shape, Unknown):
            return machine.unknown("unknown-rank", spelled)
        return machine.emit(op, {"x": x, "shape": other.shape}, framework="torch", spelled=spelled)


_like_another("view")
_like_another("reshape")
