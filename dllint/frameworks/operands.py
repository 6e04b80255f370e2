"""What functions of libraries ask of their operands, as calls of them have shown (:mod:`dllint.dev.operands`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Operands:
    """By the names of parameters: those that have to be given, to be tensors, to be tensors or numbers that become some, not to
    be None, to be whole numbers, and those of them that take no tensors of fractions; the element types that are refused if all
    tensors have them; two parameters that are broadcast to each other, or none; parameters whose tensors have to be of one
    type; those whose tensors have one element; two parameters of which one has to be a tensor. If the parameter that is
    ``alone`` is all that is given: the numbers of axes that it may have, of up to five, and whether the last two are of one
    size. Whether two parameters that are broadcast make one tensor of their shape. Of a method that changes its receiver:
    the receiver and the parameter that is broadcast to its shape. Of torch: parameters whose tensors have to be of the first
    one's type, the types that others may have, the fewest axes that tensors have, parameters that are axes of the first
    tensor, whether ``out`` has to be of the type of the ``result``, which may be that of the ``first`` tensor, and whether
    a name may not be given again that was given by its place. ``options``: what may be given beside the one that is alone."""

    needed: Sequence[str] = ()
    tensors: Sequence[str] = ()
    typed: Sequence[str] = ()
    given: Sequence[str] = ()
    whole: Sequence[str] = ()
    plain: Sequence[str] = ()
    refused: Sequence[str] = ()
    broadcasts: Sequence[str] = ()
    same: Sequence[str] = ()
    single: Sequence[str] = ()
    either: Sequence[str] = ()
    alone: Sequence[str] = ()
    ranks: Sequence[int] = ()
    square: Sequence[bool] = ()
    elementwise: Sequence[bool] = ()
    onto: Sequence[str] = ()
    alike: Sequence[str] = ()
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    axes: Sequence[str] = ()
    exact: Sequence[str] = ()
    once: Sequence[bool] = ()
    options: Sequence[str] = ()
    least: Mapping[str, int] = field(default_factory=dict)


@cache
def _rows() -> Mapping[str, Operands]:
    path = Path(__file__).parent / "signatures" / "operands.json"
    return {name: Operands(**row) for name, row in json.loads(path.read_text(encoding="utf-8")).items()}


@cache
def operands(name: str) -> Operands | None:
    """What a function or method asks, by its qualified name; a method that changes its receiver asks what its like does, but
    that the other operand alone is broadcast."""
    in_place = name.endswith("_") and not name.endswith("__")
    row = _rows().get(name[:-1] if in_place else name)
    if row is None:
        return None
    return replace(row, broadcasts=(), onto=row.broadcasts) if in_place else row
