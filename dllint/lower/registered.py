"""Registries of installed packages: tables at the top of a module that decorators in other modules fill.

Python fills them while it imports the package; here the definitions of a module wait until they are asked for. A text that is
looked up in such a table, and is not there, is therefore looked for among the definitions of the package; the one that a
decorator may have registered under it is executed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.ir.values import DictVal, InstanceVal, ModuleVal, Value
from dllint.lower import installed, modules
from dllint.source.definitions import registering

if TYPE_CHECKING:
    from pathlib import Path

    from dllint.lower.machine import Interpreter

_INIT: Final = "__init__.py"
#: More definitions than this are too many to be the one that is meant.
_MOST: Final = 4


def complete(m: Interpreter, table: DictVal, key: Value) -> None:
    """Execute the definition that registers itself under a key, if a table that lacks it is a registry."""
    if not m.budget.in_installed or not isinstance(key, str) or not key or key in table.items or not _is_registry(m, table):
        return
    path: Path = m.frame.document.path
    asked = (path.parent, key)
    if asked in m.imports.library.registered:
        return
    m.imports.library.registered.add(asked)
    m.imports.library.searched.add(path.parent)
    for file, name in registering(path.parent, key)[:_MOST]:
        module = _loaded(m, file)
        if module is not None:
            modules.module_attribute(m, module, name)


def _is_registry(m: Interpreter, table: DictVal) -> bool:
    """Whether a table begins empty and is held by the module whose code is executed, or by the object whose method is."""
    node = table.site.node if table.site is not None else None
    if isinstance(node, cst.Dict) and node.elements:
        return False
    owner = m.frame.owner
    held = owner.attrs if isinstance(owner, InstanceVal) else {}
    return any(value is table for variables in (m.frame.scope.module.vars, held) for value in dict.values(variables))


def _loaded(m: Interpreter, file: Path) -> ModuleVal | None:
    """The module of a file of the package, asked for by its name so that the answer counts among what was asked."""
    package = file.parent / _INIT
    if m.workspace is None or (file.name != _INIT and m.workspace.submodule(package, file.stem) != file):
        return None
    return modules.load(m, file, installed.qualified(file))
