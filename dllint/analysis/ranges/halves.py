"""Which types of half precision the result of an operation may have whose element type is not known: those of its operands, and
for operands of unknown type those of what these are computed from, or are views of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dllint.domains.dtype import BFLOAT16, FLOAT16, DType
from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal

_HALVES: Final = (FLOAT16, BFLOAT16)

#: By identity of operations.
Halves = Mapping[int, frozenset[DType]]


def halves(ops: Iterable[Op]) -> Halves:
    """The types for each operation of a program, in which operands come before what is computed from them."""
    found: dict[int, frozenset[DType]] = {}
    for op in ops:
        found[id(op)] = halves_of(op, found)
    return found


def halves_of(op: Op, known: Halves) -> frozenset[DType]:
    """The types for one operation, by those of the operations before it; of others nothing is known."""
    return frozenset[DType]().union(*(_of_operand(given, known) for given in op.inputs))


def _of_operand(given: TensorVal, known: Halves) -> Iterable[DType]:
    if not isinstance(given.dtype, Unknown):
        return (given.dtype,) if given.dtype in _HALVES else ()
    if given.producer is not None:
        return known.get(id(given.producer), ())
    first = given.memory[0] if given.memory else given  # what is no result shares the memory of what it was made of
    return () if first is given else _of_operand(first, known)
