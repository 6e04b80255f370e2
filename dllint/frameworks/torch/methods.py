"""Tensor methods: the rows of the function tables, and their in-place forms by the rule of the trailing underscore."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.frameworks.rows import FunctionRow
from dllint.frameworks.torch.functions import creation, elementwise, indexing, linear_algebra, reduction, shaping, spectral

TABLES: Final = (elementwise, reduction, shaping, indexing, linear_algebra, creation, spectral)
#: Operation → methods that also exist with a trailing underscore and change their receiver.
IN_PLACE: Final = {**elementwise.IN_PLACE, **shaping.IN_PLACE, **indexing.IN_PLACE}


def _in_place(plain: dict[str, FunctionRow]) -> Iterator[FunctionRow]:
    for names in IN_PLACE.values():
        for name in names.split():
            row = plain[f"torch.Tensor.{name}"]
            yield FunctionRow(f"{row.name}_", row.op, "torch", row.rename, row.const, row.params)


_PLAIN: Final = {row.name: row for table in TABLES for row in table.METHODS}
ROWS: Final[tuple[FunctionRow, ...]] = (*_PLAIN.values(), *_in_place(_PLAIN))
