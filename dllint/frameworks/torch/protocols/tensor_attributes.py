"""Attributes of ``torch.Tensor`` and the methods that ask for sizes and numbers."""

from __future__ import annotations

from dllint.domains.dim import counted, product
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownBool, UnknownDevice, UnknownFloat, UnknownInt
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler, prop
from dllint.ir.events import Backward
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value, unwrap

#: Longest axis that ``tolist`` writes out.
MOST = 256


@prop("torch.Tensor.data", on=TensorVal)
def data(machine: Machine, x: TensorVal) -> Value:
    """``x.data``: another tensor over the same numbers, without history; of a parameter, the parameter."""
    return x if x.producer is None else machine.emit("detach", {"x": x}, framework="torch", spelled="torch.Tensor.data")


@prop("torch.Tensor.real", on=TensorVal)
def real(machine: Machine, x: TensorVal) -> Value:
    """The real parts: of real numbers, the tensor itself."""
    is_real = isinstance(x.dtype, DType) and x.dtype.kind != "complex"
    return x if is_real else machine.emit("real_part", {"x": x}, framework="torch", spelled="torch.Tensor.real")


@handler("torch.allclose", "torch.equal", "torch.Tensor.allclose", "torch.Tensor.equal", "torch.is_nonzero")
def compared(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Whether two tensors have the same elements, or nearly so: a bool of Python."""
    return UnknownBool("undecided", "elements of tensors")


@prop("torch.Tensor.imag", on=TensorVal)
def imaginary(machine: Machine, x: TensorVal) -> Value:
    """The imaginary parts."""
    return machine.emit("imaginary_part", {"x": x}, framework="torch", spelled="torch.Tensor.imag")


@handler("torch.Tensor.as_subclass", "torch.Tensor.align_to", "torch.Tensor.rename", "torch.Tensor.refine_names")
def renamed(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """The same tensor under another Python class or with named axes."""
    return x


@prop("torch.Tensor.mT", "torch.Tensor.mH", on=TensorVal)
def matrix_transposed(machine: Machine, x: TensorVal) -> Value:
    """The last two axes exchanged; a number is given back."""
    if x.type.rank == 0:
        return machine.emit("detach", {"x": x}, framework="torch", spelled="torch.Tensor.mT")
    return machine.emit("transpose", {"x": x, "dim0": -2, "dim1": -1}, framework="torch", spelled="torch.Tensor.mT")


@prop("torch.Tensor.H")
def transposed(machine: Machine, x: Value) -> Value:
    """The conjugate transpose of a matrix."""
    return machine.emit("t", {"x": x}, framework="torch", spelled="torch.Tensor.H")


@prop("torch.Tensor.T", on=TensorVal)
def reversed_axes(machine: Machine, x: TensorVal) -> Value:
    """All axes in reverse order; of a matrix, its transpose."""
    rank = x.type.rank
    if rank is None or rank == 2:
        return machine.emit("t", {"x": x}, framework="torch", spelled="torch.Tensor.T")
    dims = tuple(reversed(range(rank)))
    return machine.emit("permute", {"x": x, "dims": dims}, framework="torch", spelled="torch.Tensor.T")


@prop("torch.Tensor.grad", on=TensorVal)
def grad(machine: Machine, x: TensorVal) -> Value:
    """The gradient, of the tensor's own type; ``None`` before the first backward pass."""
    return machine.perhaps(machine.tensor(x.type, framework="torch", name="grad"))


@prop("torch.Tensor.device")
def device(machine: Machine, x: Value) -> Value:
    """Where a tensor is, which analyses of the whole program find out."""
    return UnknownDevice("not-followed", "storage of a tensor", x)


@prop("torch.Tensor.requires_grad", "torch.Tensor.grad_fn", "torch.Tensor.is_cuda", "torch.Tensor.is_leaf",
      "torch.Tensor.layout", "torch.Tensor.is_mps", "torch.Tensor.is_sparse", "torch.Tensor.is_quantized", "torch.Tensor.names",
      "torch.Tensor.is_nested", "torch.Tensor.is_meta")  # fmt: skip
def not_followed(machine: Machine, x: Value) -> Value:
    """Where and how a tensor is stored is not followed."""
    return Unknown("not-followed", "storage of a tensor")


@handler("torch.Tensor.size")
def size(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """``x.size()`` and ``x.size(dim)``."""
    shape = machine.getattr(x, "shape")
    axis = given("dim=None", arguments).get("dim")
    if axis is None:
        return shape
    return machine.getitem(shape, axis)


@handler("torch.Tensor.dim", "torch.Tensor.ndimension")
def rank(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """The number of axes."""
    return machine.getattr(x, "ndim")


@handler("torch.Tensor.numel", "torch.Tensor.nelement", on=TensorVal)
def count(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """The number of elements."""
    return Unknown("unknown-rank", "numel") if isinstance(x.shape, Unknown) else product(x.shape)


@handler("torch.numel")
def count_of(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.numel(x)``."""
    x = arguments.args[0] if arguments.args else None
    return count(machine, x, Arguments()) if isinstance(x, TensorVal) else machine.unknown("no-tensor", "numel")


@handler("torch.Tensor.__len__", on=TensorVal)
def length(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``len(x)``: the first size."""
    return x.shape[0] if not isinstance(x.shape, Unknown) and x.shape else Unknown("unknown-rank", "len")


@handler("torch.Tensor.item", on=TensorVal)
def item(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """The element of a one-element tensor, if a literal or its bounds determine it; else an unknown number."""
    data = _single(x.data)
    if isinstance(data, (int, float)):
        return data
    computed = _single(machine.elements(x)) if x.low is None or x.low != x.high else None
    return computed if isinstance(computed, (int, float, UnknownFloat)) else _any_element(x)


def _single(data: Value) -> Value:
    while isinstance(data, tuple) and len(data) == 1:
        data = data[0]
    return data


@handler("torch.Tensor.tolist", on=TensorVal)
def to_list(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """The elements as nested lists, as far as their number is known."""
    if isinstance(x.data, tuple):
        return _as_list(x.data)
    computed = machine.elements(x)
    if computed is not None:
        return _as_list(computed)
    sizes = [n for n in x.shape if isinstance(n, int) and n <= MOST] if not isinstance(x.shape, Unknown) else []
    if len(sizes) != x.type.rank:
        return Unknown("tensor-element", "tolist()")
    out = _any_element(x)
    for size in reversed(sizes):
        out = ListVal([out] * size)
    return out


def _as_list(data: Value) -> Value:
    return ListVal([_as_list(part) for part in data]) if isinstance(data, tuple) else data


def _any_element(x: TensorVal) -> Value:
    """The value of any element: the constant that all of them are, an integer, or an unknown number."""
    whole = isinstance(x.dtype, DType) and x.dtype.kind == "int"
    if x.low is not None and x.low == x.high:
        return int(x.low) if whole else float(x.low)
    if whole:
        return UnknownInt("tensor-element", "item()") if x.low is None else counted("element", int(x.low))
    known_float = isinstance(x.dtype, DType) and x.dtype.kind == "float"
    return UnknownFloat("tensor-element", "item()") if known_float else Unknown("tensor-element", "item()")


def _asked_for_kind(name: str, kind: str) -> None:
    """A method and a function that ask whether the element type is of a kind."""

    def answer(machine: Machine, x: Value, arguments: Arguments) -> Value:
        x = x if isinstance(x, TensorVal) else unwrap(arguments.args[0] if arguments.args else arguments.kwargs.get("input"))
        if not isinstance(x, TensorVal) or isinstance(x.dtype, Unknown):
            return Unknown("dtype")
        return x.dtype.kind == kind

    handler(f"torch.Tensor.{name}", on=TensorVal)(answer)
    handler(f"torch.{name}")(answer)


_asked_for_kind("is_floating_point", "float")
_asked_for_kind("is_complex", "complex")


@handler("torch.is_tensor")
def is_tensor(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.is_tensor(x)``."""
    value = unwrap(arguments.args[0]) if arguments.args else None
    return Unknown(value.reason, value.detail) if isinstance(value, Unknown) else isinstance(value, TensorVal)


@handler("torch.Tensor.backward")
def backward(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """``loss.backward()``."""
    machine.event(Backward, target=x)
    return None


@handler("torch.Tensor.is_contiguous", "torch.Tensor.stride", "torch.Tensor.storage", "torch.Tensor.get_device",
"torch.Tensor.data_ptr",
         "torch.Tensor.element_size", "torch.Tensor.register_hook", "torch.Tensor.untyped_storage")  # fmt: skip
def untracked(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """Where and how a tensor is stored is not followed."""
    return Unknown("not-followed", "storage of a tensor")
