"""Execution of the top level of the document under analysis, in order.

Of a document that is parsed on demand, a class that is no model is left until something asks for its name: nothing calls its
methods otherwise, so that neither its tree nor its value is needed. Code that trains by hand may do so in any class, and
mathematics in any class is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.ir.values import ClassVal, LibSymbol, ModuleVal, Value, unwrap
from dllint.lower import attributes, duck, entries, statements
from dllint.lower.modules import force
from dllint.lower.pending import ImportVal, Pending
from dllint.lower.scopes import MISSING, NORMAL
from dllint.source.lazy import LazyDocument
from dllint.source.outline import Entry
from dllint.source.positions import Statement

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.state import Imports

#: Text of a document that may reach its names otherwise than by naming them.
_REFLECTIVE = ("globals()", "vars()", "locals()", "sys.modules")


def run(m: Interpreter, module: ModuleVal) -> None:
    """Execute the top level of the document."""
    document = m.document
    if (
        not isinstance(document, LazyDocument)
        or duck.is_training_code(m.document, m.frame)
        or any(w in document.text for w in _REFLECTIVE)
    ):
        execute(m, document.body)
        return
    pending = m.imports.library.pending[id(module.attrs)] = Pending(module, m.frame.scope, document.path)
    bound = Counter(name for entry in document.entries for name in entry.names)
    for number, entry in enumerate(document.entries):
        if entry.bases is not None and bound[entry.names[0]] == 1 and not _is_run(m, pending, entry, number):
            pending.bind(number, entry.names[:1])
        elif execute(m, document.statements(number)):
            break


def execute(m: Interpreter, body: Iterable[Statement]) -> int:
    """Execute statements of the top level in order until one does not end normally. What a statement has built is built again
    by a later one, so that each may be left out when only others have changed."""
    for statement in body:
        m.control = m.control.next()
        flow = statements.run(m, (statement,))
        if flow:
            return flow
    return NORMAL


def leave(imports: Imports, module: ModuleVal) -> None:
    """Forget what the top level has left pending."""
    imports.library.pending.pop(id(module.attrs), None)


def _is_run(m: Interpreter, pending: Pending, entry: Entry, number: int) -> bool:
    """Whether a class has methods that are run although nothing calls them (:mod:`dllint.lower.entries`)."""
    return entries.computes(m.document.chunks[number].text) or _is_model(m, pending, entry)


def _is_model(m: Interpreter, pending: Pending, entry: Entry) -> bool:
    """Whether a class derives from one whose methods a library calls, by what its bases are now."""
    return any(_may_be_model(_base(m, name)) for name in entry.bases or () if name not in pending.chunks)


def _may_be_model(base: Value) -> bool:
    if isinstance(base, (ClassVal, LibSymbol)):
        return bool(entries.protocol(base))
    return not isinstance(base, Unknown)


def _base(m: Interpreter, name: str) -> Value:
    """The value of the dotted name of a base at the top level."""
    root, *rest = name.split(".")
    variables = m.frame.scope.vars
    value = variables.get(root, MISSING)
    if value is MISSING:
        value = m.builtin(root)
    elif type(value) is ImportVal:
        value = variables[root] = force(m, value)
    for part in rest:
        value = attributes.get(m, value, part)
    return unwrap(value)
