"""Import statements: modules of the workspace, library symbols, star imports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from dllint.frameworks import registry
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.values import LibSymbol, ListVal, ModuleVal, Value
from dllint.lower import installed, modules
from dllint.lower.constants import constant
from dllint.lower.dispatch import executes
from dllint.lower.modules import dotted
from dllint.lower.pending import ImportVal
from dllint.lower.scopes import MISSING, NORMAL

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.scopes import Frame
    from dllint.source.workspace import Files

#: Packages that our tables describe better than their source does.
_TABLES_FIRST = frozenset({"torch", "keras", "tensorflow", "numpy", "sklearn", "pandas", "tf_keras", "keras_core"})

#: Parts of them that are models written with the tables' names: their source says more.
_SOURCE_FIRST = ("keras.src.applications", "torchvision.models")


def resolve(frame: Frame, workspace: Files | None, module: str, level: int) -> Path | None:
    """The workspace file of a module, ``None`` for libraries."""
    if workspace is None or (not level and module.partition(".")[0] in _TABLES_FIRST and not module.startswith(_SOURCE_FIRST)):
        return None
    found: Path | None = workspace.resolve(frame.document, module, level)
    return found if found is None or level or not workspace.is_installed(found) or installed.is_read(module) else None


@executes(cst.Import)
def _import(m: Interpreter, node: cst.Import) -> int:
    for alias in node.names:
        full = dotted(alias.name)
        path = resolve(m.frame, m.workspace, full, 0)
        if path is None:
            registry.load(full)
        if alias.asname is not None:
            value = ImportVal(path, full, "") if path is not None else LibSymbol(registry.canonical(full))
            m.store(dotted(alias.asname.name), value)
        else:
            _bind_root(m, full, path)
    return NORMAL


def _bind_root(m: Interpreter, full: str, path: Path | None) -> None:
    root = full.partition(".")[0]
    if path is None:
        m.store(root, LibSymbol(registry.canonical(root)))
        return
    top = resolve(m.frame, m.workspace, root, 0)
    m.store(root, ImportVal(top if top is not None else path, root, ""))


@executes(cst.ImportFrom)
def _import_from(m: Interpreter, node: cst.ImportFrom) -> int:
    module = dotted(node.module) if node.module is not None else ""
    level = len(node.relative)
    path = resolve(m.frame, m.workspace, module, level)
    m.frame.node = node
    if isinstance(node.names, cst.ImportStar):
        _star(m, module, path)
        return NORMAL
    if path is None and not level:
        registry.load(module)
    for alias in node.names:
        name = alias.name.value if isinstance(alias.name, cst.Name) else dotted(alias.name)
        target = dotted(alias.asname.name) if alias.asname is not None else name
        m.store(target, _from(module, level, path, name))
    return NORMAL


def _from(module: str, level: int, path: Path | None, name: str) -> Value:
    if path is not None:
        described = _described(path, name)
        return constant(described) if described is not None else ImportVal(path, module or path.parent.name, name)
    full = f"{module}.{name}" if module else name
    return constant(LibSymbol(registry.canonical(full)))


#: Packages of which a table describes single names better than the source does.
_DESCRIBED_IN = frozenset({"transformers"})


def _described(path: Path, name: str) -> LibSymbol | None:
    """The symbol of a name of the workspace that a table describes."""
    if _DESCRIBED_IN.isdisjoint(path.parts):
        return None
    full = f"{installed.qualified(path)}.{name}"
    known = registry.canonical(full)
    return LibSymbol(known) if known != full or known in LIBRARY_BASES else None


def _star(m: Interpreter, module: str, path: Path | None) -> None:
    if path is None:
        registry.load(module)
        if m.frame.document is m.document:
            m.trail.stars.append(module)
        else:
            m.imports.stars.note(m.frame.scope.module.vars, []).append(module)
        return
    if m.budget.star_imports >= m.options.star_imports:
        m.imports.library.loads.limit()
        return
    m.budget.star_imports += 1
    m.imports.library.loads.star()
    source = modules.load(m, path, module)
    for name in _exported(m, source, path):
        m.store(name, ImportVal(path, module, name))


def _exported(m: Interpreter, source: ModuleVal, path: Path) -> list[str]:
    loads = m.imports.library.loads
    with loads.listing(path, source.document):
        listed = modules.module_attribute(m, source, "__all__")
    names = m.iterate(listed) if isinstance(listed, (ListVal, tuple)) else None
    loads.listed(path, source.document, () if listed is MISSING else names)
    if isinstance(names, list):
        return [name for name in names if isinstance(name, str)]
    pending = m.imports.library.pending.get(id(source.attrs))
    if pending is None:
        return [name for name in source.attrs if not name.startswith("_")]
    for number in [number for number in pending.stars if number not in pending.done]:
        modules.run_pending(m, pending, [number])
    return [name for name in {**pending.chunks, **source.attrs} if not name.startswith("_")]
