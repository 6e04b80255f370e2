"""Write ``dllint/frameworks/history/instance-names.json``: the attributes that objects of torch's classes may have.

    python -m dllint.dev.instance_names

They are read in the source of a class and of its bases: what is assigned to ``self``, and what is registered under a name that
is written. A class that gives its objects attributes under computed names is left out, as one that answers ``__getattr__``.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).parents[1] / "frameworks" / "history" / "instance-names.json"
#: Module → the class below which its classes are taken.
HOMES: Final = {
    "torch.nn": "torch.nn.Module", "torch.optim": "torch.optim.Optimizer",
    "torch.optim.lr_scheduler": "torch.optim.lr_scheduler.LRScheduler",
}  # fmt: skip
_REGISTER: Final = {"register_buffer", "register_parameter", "register_module", "add_module", "setattr", "__setattr__"}
#: What registers in a list the parts that have numbers for names, or names that the caller gives.
_NUMBERED: Final = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})


class ComputedNamesError(Exception):
    """A class gives its objects attributes whose names are not written in its source."""


def names(cls: type, base: type, *, numbered: bool = False) -> set[str]:
    """The names of the attributes that objects of a class may have."""
    found = set(dir(cls))
    for part in cls.__mro__:
        if part.__module__.startswith("torch"):
            found |= set(getattr(part, "__annotations__", ()))
            found |= set(_stored(part, may_compute=numbered or part in base.__mro__))
    return found


def _stored(cls: type, *, may_compute: bool) -> Iterator[str]:
    if "__getattr__" in vars(cls) and not may_compute:
        raise ComputedNamesError(cls.__name__)
    try:
        source = textwrap.dedent(inspect.getsource(cls))
    except OSError as problem:
        raise ComputedNamesError(cls.__name__) from problem
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Call) and _called(node.func) in _REGISTER:
            written = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if not written and not may_compute:
                raise ComputedNamesError(cls.__name__)
            yield from written


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def table() -> dict[str, list[str]]:
    """Class → the attributes of its objects that those of its base do not have; classes with computed names are left out."""
    rows: dict[str, list[str]] = {}
    for module, root in HOMES.items():
        home = importlib.import_module(module)
        base: type = getattr(importlib.import_module(root.rpartition(".")[0]), root.rpartition(".")[2])
        usual = names(base, base)
        for name, cls in sorted(vars(home).items()):
            if not (inspect.isclass(cls) and issubclass(cls, base)):
                continue
            full = f"{module}.{name}"
            try:
                own = names(cls, base, numbered=full in _NUMBERED)
            except ComputedNamesError:
                continue
            rows[full] = sorted(name for name in (own if cls is base else own - usual) if not name.startswith("__"))
    return rows


def main() -> None:
    """Write the table, one class a line."""
    rows = table()
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    PATH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{PATH.name}: {len(rows)} classes")


if __name__ == "__main__":
    main()
