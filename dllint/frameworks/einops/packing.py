"""``einops.pack`` and ``unpack``: tensors whose axes at one place become one axis, and are taken apart again."""

from __future__ import annotations

from dllint.domains.dim import Dim, product
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks import kinds
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value

_ANY = "*"


@handler("einops.pack", "einops.packing.pack")
def pack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``pack(tensors, "b * d")``: one tensor, and the sizes that stood at the star in each."""
    given = kinds.members(_argument(arguments, "tensors", 0))
    around = _around(_argument(arguments, "pattern", 1))
    tensors = [tensor for one in given or () if (tensor := kinds.as_tensor(one)) is not None]
    if not given or around is None or len(tensors) < len(given):
        return machine.unknown("dynamic-argument", "einops.pack")
    before, after = around
    parts: list[Value] = []
    packed: list[Value] = []
    for tensor in tensors:
        shape = tensor.shape
        if isinstance(shape, Unknown) or len(shape) < before + after:
            return machine.unknown("unknown-rank", "einops.pack")
        inner = shape[before : len(shape) - after]
        packed.append(inner)
        parts.append(_shaped(machine, tensor, (*shape[:before], product(inner), *shape[len(shape) - after :]), "einops.pack"))
    args: dict[str, Value] = {"tensors": tuple(parts), "dim": before}
    joined = machine.emit("cat", args, framework=tensors[0].framework, spelled="einops.pack")
    return joined, ListVal(packed)


@handler("einops.unpack", "einops.packing.unpack")
def unpack(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``unpack(tensor, sizes, "b * d")``: a list of tensors that have these sizes at the star."""
    x = kinds.as_tensor(_argument(arguments, "tensor", 0))
    given = kinds.members(_argument(arguments, "packed_shapes", 1))
    around = _around(_argument(arguments, "pattern", 2))
    packed = [sizes for one in given or () if (sizes := kinds.sizes(one)) is not None]
    if x is None or not given or around is None or len(packed) < len(given):
        return machine.unknown("dynamic-argument", "einops.unpack")
    before, after = around
    if isinstance(x.shape, Unknown) or len(x.shape) != before + after + 1:
        return machine.unknown("unknown-rank", "einops.unpack")
    lengths = _lengths(packed, x.shape[before])
    parts = _split(machine, x, lengths, before) if lengths is not None else None
    if lengths is None or parts is None:
        return machine.unknown("dynamic-argument", "einops.unpack")
    head, tail = x.shape[:before], x.shape[before + 1 :]
    shapes = [(*head, *_filled(sizes, length), *tail) for sizes, length in zip(packed, lengths, strict=True)]
    return ListVal([_shaped(machine, part, shape, "einops.unpack") for part, shape in zip(parts, shapes, strict=True)])


def _argument(arguments: Arguments, name: str, index: int) -> Value:
    if name in arguments.kwargs:
        return arguments.kwargs[name]
    return arguments.args[index] if index < len(arguments.args) else None


def _around(pattern: Value) -> tuple[int, int] | None:
    """How many axes stand before and behind the star of a pattern."""
    names = (kinds.as_text(pattern) or "").split()
    return (names.index(_ANY), len(names) - names.index(_ANY) - 1) if names.count(_ANY) == 1 else None


def _lengths(packed: list[Shape], whole: Dim) -> list[Dim] | None:
    """How long each part is; the rest of the axis for the one with a size of -1. None if that is not known."""
    known: list[Dim | None] = [None if -1 in sizes else product(sizes) for sizes in packed]
    rest = whole - sum(length for length in known if length is not None)
    if known.count(None) > 1 or any(None is length and len(sizes) > 1 for length, sizes in zip(known, packed, strict=True)):
        return None
    return [rest if length is None else length for length in known]


def _filled(sizes: Shape, length: Dim) -> Shape:
    return (length,) if sizes == (-1,) else sizes


def _split(machine: Machine, x: TensorVal, lengths: list[Dim], dim: int) -> list[TensorVal] | None:
    """The parts along an axis; None if it is not known which they are."""
    if len(lengths) == 1:
        return [x]
    sections: Value = tuple(lengths)
    if x.framework not in ("torch", "tensorflow"):
        sections = tuple(sum(lengths[1 : place + 1], lengths[0]) for place in range(len(lengths) - 1))
    args: dict[str, Value] = {"x": x, "sections": sections, "dim": dim}
    found = kinds.members(machine.emit("split", args, framework=x.framework, spelled="einops.unpack")) or ()
    parts = [part for part in found if isinstance(part, TensorVal)]
    return parts if len(parts) == len(lengths) else None


def _shaped(machine: Machine, x: TensorVal, shape: Shape, spelled: str) -> TensorVal | Unknown:
    """A tensor with other axes; the same one if it has them."""
    if not isinstance(x.shape, Unknown) and len(x.shape) == len(shape):
        return x
    found = machine.emit("reshape", {"x": x, "shape": shape}, framework=x.framework, spelled=spelled)
    return found if isinstance(found, TensorVal) else Unknown("unknown-rank", spelled)
