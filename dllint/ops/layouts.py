"""Memory layouts: the operations of torch and numpy whose results are in row-major order.

A new tensor is laid out row by row, unless the operation lets an operand's layout decide. Operations that work that out
themselves are listed as such; of the others nothing is known where an operand is laid out in another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value, each
from dllint.ops.traits import Trait

#: The operation has said how its result lies in memory, or it is row by row.
_LAID_OUT: Final = Trait.TELLS_LAYOUT | Trait.ROW_BY_ROW


def settled(kind: str, traits: Trait, args: Mapping[str, Value], result: Value) -> Value:
    """A result with an unknown layout where the operation has not told it and it need not be row by row."""
    if isinstance(result, tuple):
        return each(result, partial(settled, kind, traits, args))
    if not isinstance(result, TensorType) or _is_laid_out(traits):
        return result
    if result.strides is not None and Trait.MIXED_ORDER not in traits:
        return result
    if not result.shape or (
        Trait.OWN_ORDER not in traits and all(given.strides is None for given in _tensors(tuple(args.values())))
    ):
        return result
    return replace(result, strides=Unknown("layout", kind))


@cache
def _is_laid_out(traits: Trait) -> bool:
    return bool(traits & _LAID_OUT)


def settled_array(kind: str, traits: Trait, args: Mapping[str, Value], result: Value) -> Value:
    """The same for numpy: functions choose the layout of a result by those of their operands, and some give views.
    What is computed from one array element by element is laid out as it is; a copy is so, or row by row."""
    if isinstance(result, tuple):
        return each(result, partial(settled_array, kind, traits, args))
    if not isinstance(result, TensorType):
        return result
    given, is_ordered = list(_tensors(tuple(args.values()))), args.get("order") in (None, "C", "K")
    if is_ordered and Trait.NUMPY_VIEW not in traits:
        if Trait.TELLS_LAYOUT in traits or all(tensor.strides is None for tensor in given):
            return result
        is_copy = Trait.KEEPS_PLACES in traits and Trait.GIVES_BACK not in traits
        if isinstance(result.strides, tuple) and len(given) == 1 and not is_copy:
            return result
    return replace(result, strides=Unknown("layout", kind))


def _tensors(value: Value) -> Iterator[TensorType]:
    """The tensors among arguments, sequences flattened."""
    if isinstance(value, TensorType):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _tensors(part)
