"""Registries of installed packages: tables at the top of a module that decorators in other modules fill.

Python fills them while it imports the package; here the definitions of a module wait until they are asked for. A text that is
looked up in such a table, and is not there, is therefore looked for among the definitions of the package; the one that a
decorator may have registered under it is executed first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.ir.values import DictVal, InstanceVal, Value
from dllint.source.definitions import registering

if TYPE_CHECKING:
    from pathlib import Path

    from dllint.lower.parts import Imports
    from dllint.lower.scopes import Frame
    from dllint.source.workspace import Files

_INIT: Final = "__init__.py"
#: More definitions than this are too many to be the one that is meant.
_MOST: Final = 4


def definitions(m: Imports, table: DictVal, key: Value) -> Iterator[tuple[Path, str]]:
    """The definitions, by file and name, that may register themselves under a key, if a table that lacks it is a registry of
    the installed package whose code is executed. They are given once."""
    if not isinstance(key, str) or not key or m.workspace is None:
        return
    folder: Path = m.frame.document.path.parent
    library = m.imports.library
    if (folder, key) in library.registered:  # what has been executed for an earlier text counts for this one
        for file, _ in library.registered[folder, key][:_MOST]:
            library.loads.use(file.parent / _INIT)
            library.loads.use(file)
        return
    if key in table.items or not _is_registry(m.frame, table):
        return
    library.registered[folder, key] = registering(folder, key)
    for file, name in library.registered[folder, key][:_MOST]:
        library.loads.use(file.parent / _INIT)
        if _is_module(m.workspace, file):
            yield file, name


def _is_registry(frame: Frame, table: DictVal) -> bool:
    """Whether a table begins empty and is held by the module whose code is executed, or by the object whose method is."""
    node = table.site.node if table.site is not None else None
    if isinstance(node, cst.Dict) and node.elements:
        return False
    held = frame.owner.attrs if isinstance(frame.owner, InstanceVal) else {}
    return any(value is table for variables in (frame.scope.module.vars, held) for value in dict.values(variables))


def _is_module(workspace: Files, file: Path) -> bool:
    """Whether a file is the module of its name; asked so that the answer counts among what was asked of its package."""
    return file.name == _INIT or workspace.submodule(file.parent / _INIT, file.stem) == file
