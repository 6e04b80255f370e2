"""How the tables of this package write rows: one line per canonical operation, the library names beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dllint.frameworks.rows import EMPTY, FunctionRow
from dllint.ir.program import Framework


def rows(
    prefix: str, framework: Framework, names: Mapping[str, str], rename: Mapping[str, str] = EMPTY
) -> Iterator[FunctionRow]:
    """Rows for ``{canonical operation: "library names"}``, all under ``prefix`` and with the same renames."""
    for op, spelled in names.items():
        for name in spelled.split():
            yield FunctionRow(f"{prefix}.{name}", op, framework, rename)
