"""Every row of the library tables names an operation that exists and parameters that it has."""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter

import pytest

import dllint.ops.all  # noqa: F401  (importing it declares the operations)
from dllint.frameworks import registry
from dllint.ops.spec import OPS

ROOMS = ("torch", "torchvision", "einops", "keras", "tensorflow", "numpy", "sklearn", "pandas", "lightning")


def rows(room: str) -> list:
    registry._load_room(room)
    try:
        tables = import_module(f"dllint.frameworks.{room}.tables")
    except ModuleNotFoundError:
        return []
    listed = [getattr(tables, name, ()) for name in ("FUNCTIONS", "LAYERS")]
    return [row for table in listed for row in (table.values() if hasattr(table, "values") else table)]


def test_operations_are_declared():
    assert len(OPS) > 250


@pytest.mark.parametrize("room", ROOMS)
def test_rows_name_known_operations(room):
    unknown = sorted({(row.op, row.name) for row in rows(room) if row.op not in OPS})
    assert unknown == []


@pytest.mark.parametrize("room", ROOMS)
def test_rows_fix_and_rename_only_parameters_that_exist(room):
    wrong = []
    for row in rows(room):
        if row.op in OPS:
            parameters = OPS[row.op].parameters
            if any(p.kind is Parameter.VAR_KEYWORD for p in parameters.values()):
                continue
            wrong += [(row.name, row.op, name) for name in row.const if name not in parameters]
    assert wrong == []
