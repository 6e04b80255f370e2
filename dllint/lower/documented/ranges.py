"""Ranges stated in comments (``source/range_comments.py``) or in the configuration (``config/ranges.py``), put on values.

A stated range is put on an input of the present entry itself (``TensorVal.stated``), on a copy of any other tensor (an
``identity`` in the trace, spelled as the comment is, so that earlier results are not affected), and on an attribute whenever it
is read. A value of which nothing is known becomes a tensor. Stated ranges only narrow computed ones; their bounds have the
origin *stated*, for which dangers are reported. If no number satisfies both, the range is unknown, and a notice says so
(``engine/remarks.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.domains.stated import Stated
from dllint.ir.program import Framework, Op, TensorVal
from dllint.ir.values import ClassVal, FuncVal, InstanceVal, LibSymbol, Value
from dllint.lower import mro
from dllint.lower.scopes import MISSING
from dllint.source import range_comments
from dllint.source.walk import dotted, walk

if TYPE_CHECKING:
    from dllint.lower.parts import States
    from dllint.lower.scopes import Frame
    from dllint.lower.state import Identities

#: What a name is stated to be in.
Entry = tuple[str, Stated]
SPELLED: Final = "dllint: range"
#: Where an object keeps what is stated about its attributes, and the field of a tensor that has it.
KEY: Final = "stated"
_ROOTS: Final[dict[str, Framework]] = {"torch": "torch", "tensorflow": "tensorflow", "keras": "keras", "numpy": "numpy"}


def remarks(known: Identities, statement: cst.SimpleStatementLine | cst.BaseCompoundStatement) -> tuple[Entry, ...]:
    """The ranges that a statement's comments state, in order; cached. Comments that cannot be parsed are ignored."""
    line = statement.trailing_whitespace if type(statement) is cst.SimpleStatementLine else None
    if line is not None and line.comment is None and not statement.leading_lines:
        return ()
    kept = known.remarks.get(statement)
    return known.remarks.note(statement, tuple(_read(statement))) if kept is None else kept


def _read(statement: cst.SimpleStatementLine | cst.BaseCompoundStatement) -> Iterable[Entry]:
    for comment in range_comments.comments_of(statement):
        try:
            found = range_comments.read(comment)
        except ValueError:
            continue
        yield from ((name, Stated(entry.interval, "a comment")) for entry in found for name in entry.names)


def before(m: States, statement: cst.SimpleStatementLine | cst.BaseCompoundStatement, entries: Sequence[Entry]) -> None:
    """Apply the ranges that a statement's comments state about names which the statement does not bind."""
    if not entries:
        return
    bound = _bound(statement)
    for name, stated in entries:
        if name not in bound:
            _put(m, name, stated)


def after(m: States, statement: cst.SimpleStatementLine | cst.BaseCompoundStatement, entries: Sequence[Entry]) -> None:
    """Apply the ranges that a statement's comments state about the names which it binds."""
    if not entries:
        return
    bound = _bound(statement)
    for name, stated in entries:
        if name in bound:
            _put(m, name, stated)


def _bound(statement: cst.CSTNode) -> frozenset[str]:
    """The names and attributes that a statement assigns, without those in its body."""
    targets: list[Any] = []
    for part in statement.body if isinstance(statement, cst.SimpleStatementLine) else (statement,):
        if isinstance(part, cst.Assign):
            targets += [target.target for target in part.targets]
        elif isinstance(part, (cst.AnnAssign, cst.AugAssign, cst.For)):
            targets.append(part.target)
        elif isinstance(part, cst.With):
            targets += [item.asname.name for item in part.items if item.asname is not None]
        elif isinstance(part, cst.FunctionDef):
            targets += [node for node in walk(part.params) if isinstance(node, cst.Name)]
    return frozenset(name for target in targets for node in walk(target) if (name := dotted(node)))


def _put(m: States, name: str, stated: Stated) -> None:
    """Apply a range to a name or attribute, if it exists now."""
    path, _, last = name.rpartition(".")
    if not path:
        value = m.frame.scope.vars.get(name, MISSING)
        if value is not MISSING:
            m.store(name, of(m, value, stated, name))
        return
    receiver: Value = m.frame.scope.vars.get(path.partition(".")[0], MISSING)
    for part in path.split(".")[1:]:
        receiver = m.getattr(receiver, part) if receiver is not MISSING else receiver
    if isinstance(receiver, InstanceVal):
        m.journal.set_item(receiver.state, KEY, {**_noted(receiver), last: stated})


def of(m: States, value: Value, stated: Stated, name: str) -> Value:
    """The value with the range that is stated about it; only tensors, and what is not known, can have one."""
    if isinstance(value, Unknown):
        return _made(m, value, stated, name)
    if not isinstance(value, TensorVal):
        return value
    if value in m.known.seeds and value.stated is None:
        m.journal.set_attribute(value, KEY, stated)
        return value
    out = TensorVal(value.type, framework=value.framework, name=value.name, low=value.low, high=value.high, stated=stated)
    out.producer = Op("identity", {"x": value}, (out,), m.frame.site(), value.framework, SPELLED, path=m.control.path,
                      scope=m.frame.name, owner=m.frame.owner)  # fmt: skip
    m.record(out.producer)
    return out


def _made(m: States, value: Unknown, stated: Stated, name: str) -> TensorVal:
    """A tensor of unknown shape and type in place of an unknown value, always the same object."""

    def make() -> TensorVal:
        made = m.tensor(TensorType(value, value), framework=_framework(m.frame), name=name.rpartition(".")[2])
        made.stated = stated
        return made

    return m.derive((KEY, id(value), stated), make, value)


def _framework(frame: Frame) -> Framework:
    """The framework whose tensors the present module most likely means: the first of the known ones that it names."""
    named = {v.name.partition(".")[0] for v in frame.scope.module.vars.values() if isinstance(v, LibSymbol)}
    return next((framework for root, framework in _ROOTS.items() if root in named), "torch")


# --- functions, the configuration, attributes -----------------------------------------------------------------------------


def parameters(m: States, func: FuncVal, variables: dict[str, Value]) -> None:
    """State the ranges of a function's parameters, by its comments and by the configuration."""
    code = func.node
    if isinstance(code, cst.FunctionDef):
        for name, stated in remarks(m.known, code):
            if name in variables:
                variables[name] = of(m, variables[name], stated, name)
            elif name.partition(".")[0] in variables:
                _put(m, name, stated)
    if m.options.stated is not None:
        variables.update({name: configured(m, name, value) for name, value in variables.items()})


def configured(m: States, name: str, value: Value) -> Value:
    """A value that is bound to a name, with the range that the configuration states."""
    if m.options.stated is None or not isinstance(value, (TensorVal, Unknown)):
        return value
    scope = m.frame.name
    names = (f"{scope}.{name}", f"{scope.rpartition('.')[2]}.{name}", name) if scope else (name,)
    stated = m.options.stated(names)
    return value if stated is None else of(m, value, stated, name)


def _noted(receiver: InstanceVal) -> dict[str, Stated]:
    """The ranges that are stated about an object's attributes."""
    noted = receiver.state.get(KEY)
    return noted if isinstance(noted, dict) else {}


def attribute(m: States, receiver: InstanceVal, name: str, value: Value) -> Value:
    """An attribute that is read, with the range that is stated about it."""
    if not isinstance(value, (TensorVal, Unknown)):
        return value
    stated = _noted(receiver).get(name)
    if stated is None and m.options.stated is not None:
        stated = m.options.stated((*(f"{cls}.{name}" for cls in _class_names(receiver)), f"self.{name}"))
    return value if stated is None else of(m, value, stated, name)


def _class_names(receiver: InstanceVal) -> Iterable[str]:
    cls = receiver.cls
    return [each.name for each in mro.linearize(cls) if isinstance(each, ClassVal)] if isinstance(cls, ClassVal) else []
