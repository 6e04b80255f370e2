"""The generated index of operations, and the tables that import what declares an entry."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dllint.dev.operation_index import INDEX, render
from dllint.ops.declared import Declared
from dllint.ops.spec import OPS, WEIGHTS

#: Asks for one operation and prints what has been imported for it.
_ASK = """
import sys
from dllint.ops.spec import OPS
assert "conv" in OPS
before = {name for name in sys.modules if name.startswith("dllint.ops.")}
assert OPS["conv"].name == "conv" and OPS.get("conv") is OPS["conv"]
print("dllint.ops.conv" in before, "dllint.ops.conv" in sys.modules, "dllint.ops.recurrent" in sys.modules)
"""


def test_index_is_fresh() -> None:
    assert INDEX.read_text(encoding="utf-8") == render()


def test_an_operation_is_declared_by_the_module_of_the_index() -> None:
    assert all(OPS[name].name == name for name in OPS)
    assert all(callable(function) for function in WEIGHTS.values())


def test_only_the_module_of_what_is_asked_for_is_imported() -> None:
    asked = subprocess.run([sys.executable, "-c", _ASK], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == ["False", "True", "False"]


def test_a_table_knows_what_is_not_imported_yet() -> None:
    table: Declared[int] = Declared({"one": "nowhere"})
    table.declare("two", 2)
    assert "one" in table
    assert "two" in table
    assert "three" not in table
    assert table.get("three") is None
    with pytest.raises(KeyError):
        table["three"]
    with pytest.raises(ModuleNotFoundError):
        list(table)
    with pytest.raises(ValueError, match="declared twice"):
        table.declare("two", 3)
