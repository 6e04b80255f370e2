"""Modules of the workspace, evaluated lazily.

The top-level statements of an imported module are indexed by the names they bind (``source/outline.py``, ``source/lazy.py``);
those of a name are parsed and executed when the name is first asked for. The cost of importing a large package is therefore
that of the names used, and these are the dependencies of the importing file. Definitions of a library that a table describes
come from the table, not from its source.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.ir.program import Program
from dllint.ir.values import LibSymbol, ModuleVal, Value
from dllint.lower import installed, stars, statements
from dllint.lower.pending import ImportVal, Pending
from dllint.lower.scopes import MISSING, Frame, Scope
from dllint.lower.state import Control
from dllint.source.lazy import bindings, statements_of, together

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.state import Imports

#: So many modules hand a name on before it counts as not evaluated.
_LONGEST_CHAIN: Final = 8


def dotted(node: cst.BaseExpression) -> str:
    """The text of a dotted name."""
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


# --- loading --------------------------------------------------------------------------------------


def load(m: Interpreter, path: Path, name: str) -> ModuleVal:
    """The module of a file, its statements pending."""
    known = m.imports.modules.get(path)
    if known is not None:
        m.imports.library.loads.search(path, known.document)
        return known
    files = m.workspace
    if installed.is_full(m.options, m.imports.modules, m.workspace, path):
        m.imports.library.loads.limit()
        files = None
    document = files.document(path) if files is not None else None
    m.imports.library.loads.search(path, document)
    shared = m.imports.library.get(path, document)
    if shared is not None:
        m.imports.modules[path] = shared
        return shared
    name = installed.qualified(path) if installed.holds(m.workspace, path) else name
    module = m.imports.modules[path] = ModuleVal(name, document)
    module.attrs.update({"__name__": name, "__file__": str(path)})
    pending = Pending(module, Scope(module.attrs, None), path)
    if document is not None:
        m.imports.library.put(path, module, pending)
    for number, names in enumerate(bindings(document) if document is not None else ()):
        if "*" in names:
            pending.stars.append(number)
        pending.bind(number, (each for each in dict.fromkeys(names) if each != "*"))
    if document is not None:
        pending.together = together(document)
    return module


def module_attribute(m: Interpreter, module: ModuleVal, name: str) -> Value:
    """``module.name``, executing what binds it; MISSING if nothing does."""
    if module.document is not None:
        m.imports.library.loads.use(module.document.path)
    found = module.attrs.get(name, MISSING)
    if found is MISSING:
        found = demand(m, module.attrs, name)
    return m.forced(module.attrs, name, found)


def demand(m: Interpreter, variables: dict[str, Value], name: str) -> Value:
    """A global name of an imported module: execute the pending statements that bind it."""
    pending = m.imports.library.pending.get(id(variables))
    if pending is None:
        return MISSING
    waiting = pending.waiting(name)
    if waiting:
        m.imports.dependencies.add((pending.path, name))
        run_pending(m, pending, waiting)
    found = variables.get(name, MISSING)
    if found is MISSING and pending.stars and not name.startswith("__"):
        document = pending.module.document
        if m.workspace is not None and document is not None and installed.holds(m.workspace, pending.path):
            held = stars.Search(m.workspace, name, m.imports.library.loads).holder(document, pending.stars)
            return MISSING if held is None else force(m, held)
        run_pending(m, pending, [number for number in pending.stars if number not in pending.done])
        found = variables.get(name, MISSING)
    return found


def run_pending(m: Interpreter, pending: Pending, waiting: list[int]) -> None:
    """Execute chunks of a module outside of any branch or trace of the code that asks for them. What is built before and
    behind it is built alike, as if the module had been loaded where it is imported."""
    pending.done.update(waiting)
    document = pending.module.document
    if document is None:
        return
    own = document is m.document
    loads, failures, is_sound = m.imports.library.loads, list.__len__(m.trail.failures), False
    is_installed = not own and installed.holds(m.workspace, pending.path)
    most, left = installed.import_fuel(m.options, m.budget, is_installed=is_installed)
    if not own and left < most:
        loads.limit()
    with loads.into(pending.path, m.trail.state):
        frame, program, control = m.frame, m.program, m.control
        outer = m.journal.enter_module()
        fuel, m.budget.fuel = m.budget.fuel, m.budget.fuel if own else min(most, left)
        given = m.budget.fuel
        inside, m.budget.in_installed = m.budget.in_installed, is_installed
        m.frame = Frame(pending.scope, document, None, "" if own else pending.module.name)
        m.program, m.control = Program(pending.module.name), Control()
        try:
            for number in waiting:
                statements.run(m, statements_of(document, number))
            is_sound = failures == list.__len__(m.trail.failures)
        except BaseException:  # stopped from outside: for whoever asks next they are still pending
            pending.done.difference_update(waiting)
            raise
        finally:
            m.frame, m.program, m.control = frame, program, control
            m.journal.leave_module(outer, pending.module.attrs)
            used = given - m.budget.fuel
            m.budget.fuel, m.budget.in_installed = fuel, inside
            if is_installed:
                m.budget.installed_import_fuel -= used
            elif not own:
                m.budget.import_fuel -= used
            loads.loaded(pending.path, 0 if is_installed else used, is_sound=is_sound)


def force(m: Interpreter, value: ImportVal) -> Value:
    """The value of an imported name, evaluated if it is pending."""
    module = load(m, value.path, value.module)
    m.imports.library.loads.use(value.path)
    if not value.name:
        return module
    key = (value.path, value.name)
    m.imports.dependencies.add(key)
    if key in m.imports.forcing:  # the module imports the name from itself, directly or in a circle: it must be a submodule
        return submodule(m, module, value.path, value.name)
    m.imports.forcing.add(key)
    try:
        found = module_attribute(m, module, value.name)
    finally:
        m.imports.forcing.discard(key)
    return submodule(m, module, value.path, value.name) if found is MISSING else found


def evaluated(imports: Imports, value: ImportVal) -> Value:
    """The value of an imported name as far as it has been evaluated, without loading anything; MISSING if it has not."""
    for _ in range(_LONGEST_CHAIN):
        module = imports.modules.get(value.path)
        if module is None or not value.name:
            return MISSING if module is None else module
        found = dict.get(module.attrs, value.name, MISSING)
        if type(found) is not ImportVal:
            return found
        value = found
    return MISSING


def submodule(m: Interpreter, module: ModuleVal, path: Path, name: str) -> Value:
    """``package.name`` where ``name`` is a module below it; else a symbol of the package's qualified name."""
    found = m.workspace.submodule(path, name) if m.workspace is not None else None
    if found is not None:
        m.imports.library.loads.use(found)
        return load(m, found, f"{module.name}.{name}")
    if module.document is None and not installed.is_full(m.options, m.imports.modules, m.workspace, path):
        return LibSymbol(registry.canonical(f"{module.name}.{name}"))
    return Unknown("unresolved-import", f"{module.name}.{name}")
