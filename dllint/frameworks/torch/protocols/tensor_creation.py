"""Making tensors from data and from sizes with several forms: ``tensor``, ``arange``, ``randint``, ``Tensor(2, 3)`` …"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from dllint.domains.dim import DimExpr, add
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import from_files, kinds, own_files
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.torch.protocols.element_types import TYPED_CLASSES
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value, unwrap
from dllint.ops.default_type import default_type
from dllint.source.data.plain import Opaque
from dllint.source.walk import walk


def _from_data(name: str) -> None:
    @handler(f"torch.{name}")
    def tensor(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """A tensor from numbers, nested sequences, an array or another tensor."""
        bound = given("data, dtype=None, device=None, requires_grad=False, *, pin_memory=False, copy=None, obj=None", arguments)
        copied = {"copy": True} if unwrap(bound["copy"]) is True else {}
        data = bound.get("data", bound["obj"])
        args = {"data": data, "dtype": bound["dtype"], **copied, **_parts(data), **_leaf(bound)}
        return machine.emit("tensor", args, framework="torch", spelled=f"torch.{name}")


for _name in ("tensor", "as_tensor", "asarray"):
    _from_data(_name)


def _parts(data: Value) -> dict[str, Value]:
    """Whether data are sequences with tensors, all of which were made by torch; given only where they are."""
    makers = {leaf.framework if leaf.producer is not None else None for leaf in _tensors(data)}
    return {"of_tensors": True} if isinstance(data, (ListVal, tuple)) and makers == {"torch"} else {}


def _tensors(data: Value) -> Iterator[TensorVal]:
    """The tensors in nested sequences, which may contain themselves."""
    waiting, seen = [data], set[int]()
    while waiting:
        value = unwrap(waiting.pop())
        if isinstance(value, TensorVal):
            yield value
        elif isinstance(value, (ListVal, tuple)) and id(value) not in seen:
            seen.add(id(value))
            waiting += value.items if isinstance(value, ListVal) else value


@handler("torch.scalar_tensor")
def scalar_tensor(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A tensor with one number, which is floating-point unless given."""
    bound = given("s, *, dtype=None, layout=None, device=None, pin_memory=None, requires_grad=False", arguments)
    args = {"data": bound.get("s"), "dtype": bound["dtype"] or default_type(machine.state), **_leaf(bound)}
    return machine.emit("tensor", args, framework="torch", spelled="torch.scalar_tensor")


def _leaf(bound: Mapping[str, Value]) -> dict[str, Value]:
    """Whether gradients are computed for the new tensor, given only where they are."""
    return {"requires_grad": True} if unwrap(bound["requires_grad"]) is True else {}


@handler("torch.from_numpy")
def from_numpy(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An array as a tensor of the same type."""
    return machine.emit(
        "from_numpy", {"x": arguments.args[0] if arguments.args else None}, framework="torch", spelled="torch.from_numpy"
    )


def _register_class(name: str, dtype: DType) -> None:
    @handler(name)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """``torch.FloatTensor(2, 3)``, ``torch.LongTensor([2, 3])``."""
        return _constructed(machine, arguments, dtype, name)


@handler("torch.Tensor")
def construct_default(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.Tensor(2, 3)``, of the default element type."""
    return _constructed(machine, arguments, default_type(machine.state), "torch.Tensor")


def _constructed(machine: Machine, arguments: Arguments, dtype: DType | Unknown, name: str) -> Value:
    """``torch.Tensor(2, 3)`` and ``torch.Tensor(x.shape)`` are shapes, ``torch.Tensor([2, 3])`` is data; ``x.new`` takes the
    same."""
    if arguments.star is not None:
        return machine.tensor(TensorType(Unknown("star-args", name), dtype), framework="torch")
    if "size" in arguments.kwargs:
        shape = arguments.kwargs["size"]
        return machine.emit("empty", {"shape": shape, "dtype": dtype}, framework="torch", spelled=name)
    if "data" in arguments.kwargs:
        data = arguments.kwargs["data"]
        return machine.emit("tensor", {"data": data, "dtype": dtype, **_parts(data)}, framework="torch", spelled=name)
    first = arguments.args[0] if len(arguments.args) == 1 else None
    is_data = isinstance(first, (ListVal, TensorVal)) or (isinstance(first, tuple) and _is_data(first, arguments))
    is_size = first is None or isinstance(first, tuple) or isinstance(unwrap(first), (int, DimExpr))
    if is_data is None or not (is_data or is_size):
        return machine.tensor(TensorType(Unknown("unknown-operand", name), dtype), framework="torch")
    if is_data:
        return machine.emit("tensor", {"data": first, "dtype": dtype, **_parts(first)}, framework="torch", spelled=name)
    shape = first if isinstance(first, tuple) else arguments.args or (0,)
    return machine.emit("empty", {"shape": shape, "dtype": dtype}, framework="torch", spelled=name)


@handler("torch.Tensor.new", on=TensorVal)
def new(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.new(2, 3)`` and ``x.new([2.0, 3.0])``: what the class of ``x`` makes, with its element type."""
    return _constructed(machine, arguments, x.type.dtype, "torch.Tensor.new")


#: What gives the sizes of a tensor.
_SIZES: Final = frozenset({"shape", "size", "Size"})


def _is_data(given: tuple[Value, ...], arguments: Arguments) -> bool | None:
    """Whether a tuple is data: it is where it is written out, but not where a tensor is asked for its sizes or one of them is
    symbolic; else nobody knows."""
    argument = arguments.nodes.get(0)
    written = argument.value if isinstance(argument, cst.Arg) else None
    if isinstance(written, cst.Tuple) or not all(isinstance(unwrap(size), (int, DimExpr)) for size in given):
        return True
    asked = any(isinstance(node, cst.Attribute) and node.attr.value in _SIZES for node in walk(written)) if written else False
    return False if asked or any(isinstance(unwrap(size), DimExpr) for size in given) else None


for _name, _dtype in TYPED_CLASSES.items():
    _register_class(_name, _dtype)


@handler("torch.arange")
def arange(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``arange(end)``, ``arange(start, end)``, ``arange(start, end, step)``."""
    bound = given("start=None, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, "
                  "requires_grad=False", arguments)  # fmt: skip
    start, end = (0, bound["start"]) if bound["end"] is None else (bound["start"] or 0, bound["end"])
    args = {"start": start, "end": end, "step": bound["step"], "dtype": bound["dtype"]}
    return machine.emit("arange", args, framework="torch", spelled="torch.arange")


@handler("torch.range")
def closed_range(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``range(start, end, step=1)``: numbers of the default type, the end included, if a step leads to it."""
    bound = given("start=0, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, **options", arguments)
    behind = _behind(*(unwrap(bound[name]) for name in ("start", "end", "step")))
    if behind is None:
        return machine.unknown("no-argument", "torch.range")
    dtype = bound["dtype"] or default_type(machine.state)
    args = {"start": bound["start"], "end": behind, "step": bound["step"], "dtype": dtype}
    return machine.emit("arange", args, framework="torch", spelled="torch.range")


def _behind(start: Value, end: Value, step: Value) -> Value:
    """An end that is left out behind the last number of a range whose end belongs to it; ``None`` if that is not known."""
    if step == 1 and isinstance(start, (int, DimExpr)) and isinstance(end, (int, DimExpr)):
        return add(end, 1)
    numbers = kinds.numbers((start, end, step))
    if numbers is None or not numbers[2] or not all(map(math.isfinite, numbers)):
        return None
    first, last, each = numbers
    count = math.floor((last - first) / each) + 1
    return first + count * each if isinstance(first * each, int) else first + (count - 0.5) * each


@handler("torch.randint")
def randint(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``randint(high, size)`` and ``randint(low, high, size)``."""
    args = list(arguments.args)
    if len(args) + sum(k in arguments.kwargs for k in ("low", "high", "size")) < 3 and "low" not in arguments.kwargs:
        args.insert(0, 0)
    bound = given("low=0, high=None, size=None, *, generator=None, dtype=None, device=None, requires_grad=False, layout=None, "
                  "pin_memory=False, out=None", Arguments(tuple(args), arguments.kwargs))  # fmt: skip
    emitted = {"low": bound["low"], "high": bound["high"], "shape": bound["size"], "dtype": bound["dtype"]}
    return machine.emit("randint", emitted, framework="torch", spelled="torch.randint")


def _sizes(arguments: Arguments) -> Value:
    """The sizes of ``x.new_zeros(2, 3)``, ``x.new_zeros((2, 3))`` and ``x.new_zeros(size=other.shape)``."""
    if arguments.star is not None:
        return arguments.star
    sizes = arguments.args or (arguments.kwargs.get("size"),)
    first = unwrap(sizes[0])
    return sizes if len(sizes) > 1 or isinstance(first, (int, DimExpr, TensorVal)) else first


def _new(name: str, op: str) -> None:
    @handler(f"torch.Tensor.{name}", on=TensorVal)
    def like_type(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
        """A tensor of given sizes with the receiver's element type."""
        shape = _sizes(arguments)
        dtype = arguments.kwargs.get("dtype") or x.type.dtype
        return machine.emit(op, {"shape": shape, "dtype": dtype}, framework="torch", spelled=f"torch.Tensor.{name}")


for _name, _op in {"new_zeros": "zeros", "new_ones": "ones", "new_empty": "empty"}.items():
    _new(_name, _op)


@handler("torch.Tensor.new_full", on=TensorVal)
def new_full(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.new_full(size, value)``."""
    bound = given("size, fill_value, dtype=None, device=None, requires_grad=False", arguments)
    args = {"shape": bound.get("size"), "fill_value": bound.get("fill_value"), "dtype": bound["dtype"] or x.type.dtype}
    return machine.emit("full", args, framework="torch", spelled="torch.Tensor.new_full")


@handler("torch.Tensor.new_tensor", on=TensorVal)
def new_tensor(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.new_tensor(data)``."""
    bound = given("data, dtype=None, device=None, requires_grad=False", arguments)
    args = {"data": bound.get("data"), "dtype": bound["dtype"] or x.type.dtype}
    return machine.emit("tensor", args, framework="torch", spelled="torch.Tensor.new_tensor")


@handler("torch.Size")
def size(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.Size(sizes)`` is a tuple."""
    found = machine.iterate(arguments.args[0]) if arguments.args else []
    return found if isinstance(found, Unknown) else tuple(found)


@handler("torch.save")
def save(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.save(obj, f)``."""
    bound = given("obj, f", arguments)
    own_files.keep(machine, bound.get("f"), bound.get("obj"))
    return None


@handler("torch.load")
def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """What the program has saved there; a checkpoint beside the code has tensors of the shapes that it says. Nothing is known
    of another."""
    source = arguments.kwargs.get("f", arguments.positional(0))
    own = own_files.written(machine, source)
    if own is not None:
        return own
    held = machine.file_content(source, "checkpoint")
    if held is None or isinstance(held, Opaque):
        return machine.unknown("file-content", "torch.load")
    return from_files.value(machine, held, "torch", "torch.load")


@handler("torch.autograd.Variable")
def variable(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Variable(x)`` has been ``x`` since torch 0.4."""
    if arguments.args:
        return arguments.args[0]
    return machine.tensor(TensorType((0,), default_type(machine.state)), framework="torch")
