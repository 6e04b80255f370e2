"""Lists of unknown length, and large ones, as arguments of operations: what is the same for all elements is known of what is
made of them."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from dllint.domains.dim import counted, is_fixed
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenSequence, Shape, TensorType, join_types
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import ListVal, Value, unwrap
from dllint.ops.literal import is_number, literal_dtype

if TYPE_CHECKING:
    from dllint.lower.parts import Performs

#: Lists within lists are looked into so deep.
_DEEPEST = 6
#: So many of its elements are kept with what stands for a list.
_MOST_PARTS = 4


def argument(m: Performs, name: str, value: ListVal, framework: Framework) -> TensorVal | OpenSequence | None:
    """A list of unknown length, or one too long to write out, as the array that it makes (``data``), or as a sequence of
    tensors of one type (``tensors``); ``None`` if its elements are not known to be of one kind."""
    if name == "data":
        type_ = _array(value, framework)
        return None if type_ is None else m.tensor(type_, framework=framework)
    element = _element(value, framework, _DEEPEST) if name == "tensors" else None
    if element is None:
        return None
    parts = tuple(part for part in map(unwrap, _distinct(value)[:_MOST_PARTS]) if isinstance(part, TensorVal))
    return OpenSequence("unknown-length", "list", element, len(value.items), parts)


def _array(value: ListVal, framework: Framework) -> TensorType | None:
    """What a list makes: (length, axes of an element). numpy makes something else of elements of different shapes, and torch
    takes no tensors that have axes."""
    element = _element(value, framework, _DEEPEST)
    if element is None or isinstance(element.shape, Unknown):
        return None
    if element.shape and ((framework == "torch" and _holds_tensors(value)) or not _is_even(element.shape, framework)):
        return None
    length = len(value.items) if value.rest is None else counted("length", len(value.items))
    return TensorType((length, *element.shape), element.dtype)


def _is_even(shape: Shape, framework: Framework) -> bool:
    return framework != "numpy" or all(map(is_fixed, shape))


def _holds_tensors(value: Value) -> bool:
    """Whether a list holds tensors of torch, at any depth."""
    value = unwrap(value)
    if isinstance(value, (ListVal, tuple)):
        return any(map(_holds_tensors, _distinct(value)))
    return isinstance(value, TensorVal) and value.framework == "torch"


def _element(value: ListVal | tuple[Value, ...], framework: Framework, depth: int) -> TensorType | None:
    """The type that all elements of a sequence have; ``None`` if one of them is no tensor, number, text or sequence of such."""
    items = _distinct(value)
    leaves = tuple(leaf.type if isinstance(leaf, TensorVal) else leaf for leaf in map(unwrap, items))
    if leaves and all(map(_is_single, leaves)):
        return TensorType((), literal_dtype(framework, leaves))
    types = [_type(item, framework, depth) for item in items]
    known = [type_ for type_ in types if type_ is not None]
    return reduce(join_types, known) if known and len(known) == len(types) else None


def _distinct(value: ListVal | tuple[Value, ...]) -> list[Value]:
    """The elements of a sequence, each object once: the rows of ``[[0] * 5000] * 5000`` are one."""
    items = (*value.items, *(() if value.rest is None else (value.rest,))) if isinstance(value, ListVal) else value
    return list({id(item): item for item in items}.values())


def _is_single(leaf: Value) -> bool:
    return is_number(leaf) or isinstance(leaf, str) or (isinstance(leaf, TensorType) and leaf.rank == 0)


def _type(value: Value, framework: Framework, depth: int) -> TensorType | None:
    """The type of the array that an element makes."""
    value = unwrap(value)
    if isinstance(value, TensorVal):
        return value.type
    if is_number(value) or isinstance(value, str):
        return TensorType((), literal_dtype(framework, (value,)))
    if not isinstance(value, (ListVal, tuple)) or not depth:
        return None
    inner = _element(value, framework, depth - 1)
    if inner is None or isinstance(inner.shape, Unknown):
        return inner
    is_open = isinstance(value, ListVal) and value.rest is not None
    length = counted("length") if is_open else len(value.items if isinstance(value, ListVal) else value)
    return inner.with_shape((length, *inner.shape))
