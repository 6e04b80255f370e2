"""Simple and compound statements other than branches, loops and imports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import HANDLERS
from dllint.ir import events
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    FuncVal,
    InstanceVal,
    LibSymbol,
    NativeVal,
    PartialVal,
    Value,
    unwrap,
)
from dllint.lower import (
    attributes,
    boundary,
    branches,
    calling,
    classes,
    dataclass,
    exceptions,
    functions,
    installed,
    mro,
    narrowing,
    subscripts,
)
from dllint.lower.catching import RaisedError
from dllint.lower.dispatch import EVALUATE, EXECUTE, executes
from dllint.lower.documented import ranges
from dllint.lower.scopes import BREAK, CONTINUE, NORMAL, RAISE, RETURN, Frame, Scope
from dllint.lower.variants import settings

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.source.document import Document

#: Work that a statement does without paying for it (:meth:`Interpreter.pay`).
_INCLUDED = -64


def block(m: Interpreter, body: Any) -> int:
    """Execute an indented block or a one-line suite."""
    return run(m, body.body, simple=body.__class__ is cst.SimpleStatementSuite, owner=body)


def run(m: Interpreter, statements: Any, simple: bool = False, owner: Any = None) -> int:
    """Execute statements in order until one does not end normally."""
    if m.options.checkpoint is not None:
        m.options.checkpoint()
    before, left = boundary.mark(m), iter(statements)
    while True:
        try:
            return _in_order(m, left, simple, owner)
        except RaisedError:
            return RAISE
        except Exception as error:  # of ours: it costs the statement that raised it
            boundary.recover(m, before, error)


def _in_order(m: Interpreter, statements: Any, simple: bool, owner: Any) -> int:
    frame = m.frame
    if simple:
        frame.statement = owner
    for statement in statements:
        m.control.work = _INCLUDED
        m.budget.fuel -= 1
        if m.budget.fuel < 0:
            m.control.raised = None
            return RAISE if m.control.depth else NORMAL
        if type(statement) is cst.SimpleStatementLine:
            frame.statement = statement
            remarks = ranges.remarks(m.known, statement)
            if remarks:
                ranges.before(m, statement, remarks)
            for small in statement.body:
                flow = EXECUTE[type(small)](m, small)
                if flow:
                    return flow
            if remarks:
                ranges.after(m, statement, remarks)
            continue
        if not simple:
            frame.statement = statement
            ranges.before(m, statement, ranges.remarks(m.known, statement))
        frame.node = None
        flow = EXECUTE[type(statement)](m, statement)
        if flow:
            return flow
    return NORMAL


@executes(cst.Expr)
def _expression(m: Interpreter, node: cst.Expr) -> int:
    """Execute an expression; of an attribute that is a statement of its own, or is compared in one, rules hear."""
    inner: Any = node.value
    kind = type(inner)
    if kind is cst.Attribute:
        receiver = m.eval(inner.value)
        m.frame.node = inner
        value = attributes.get(m, receiver, inner.attr.value)
        if not exceptions.is_taken(m.control, (LibSymbol("builtins.AttributeError"),)):
            m.event(events.Mention, receiver=receiver, name=inner.attr.value, value=value)
    elif kind is not cst.SimpleString and kind is not cst.ConcatenatedString:
        EVALUATE[kind](m, inner)
        if kind is cst.Comparison and isinstance(inner.left, cst.Attribute) and len(inner.comparisons) == 1:
            _compared_in_vain(m, inner, inner.left, inner.comparisons[0])
    return NORMAL


def _compared_in_vain(m: Interpreter, node: cst.Comparison, left: cst.Attribute, target: cst.ComparisonTarget) -> None:
    if isinstance(target.operator, cst.Equal):
        m.frame.node = node
        m.event(events.IdleComparison, name=left.attr.value, other=target.comparator)


@executes(cst.Return)
def _return(m: Interpreter, node: cst.Return) -> int:
    m.frame.returns.append(m.eval(node.value) if node.value is not None else None)
    return RETURN


@executes(cst.Break)
def _break(_m: Machine, _node: cst.Break) -> int:
    return BREAK


@executes(cst.Continue)
def _continue(_m: Machine, _node: cst.Continue) -> int:
    return CONTINUE


@executes(cst.Raise)
def _raise(m: Interpreter, node: cst.Raise) -> int:
    value = m.eval(node.exc) if node.exc is not None else None
    raised = exceptions.on_its_way(m.control, exceptions.kinds_of(value))
    if raised.taker is None:
        settings.refuse(m.control, m.run)
    m.control.raised = raised
    return RAISE


@executes(cst.Assert)
def _assert(m: Interpreter, node: cst.Assert) -> int:
    """Execute an assertion: the path ends if it is false for all inputs; otherwise the condition holds from here on. A default
    that it excludes is not what the code is run with: something else is given."""
    value = m.eval(node.test)
    test = branches.ask(m, value)
    if test.value is False and isinstance(value, Assumed) and not m.run.active:
        exceptions.may_raise(m, (LibSymbol("builtins.AssertionError"),))
        narrowing.exclude_default(m, node.test, value.source, arm=True)
    elif test.value is False:
        exceptions.raise_builtin(m, "AssertionError")
        settings.refuse(m.control, m.run)
    if test.value is None:
        exceptions.may_raise(m, (LibSymbol("builtins.AssertionError"),))
        m.known.keep(value)
        m.control.assumptions = {**m.control.assumptions, test.key: test.polarity}
        m.program.questions[test.key] = m.known.text_of(node.test)
        narrowing.narrow(m, node.test, arm=True)
        m.assume(value)
    return NORMAL


@executes(cst.Del)
def _del(m: Interpreter, node: cst.Del) -> int:
    targets = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
    for target in targets:
        if isinstance(target, cst.Name):
            m.journal.delete_item(m.frame.scope.vars, target.value)
        elif isinstance(target, cst.Attribute):
            attributes.delete(m, m.eval(target.value), target.attr.value)
        elif isinstance(target, cst.Subscript):
            subscripts.delete_item(m, m.eval(target.value), subscripts.index_of(m, target))
    return NORMAL


@executes(cst.Global)
def _global(m: Interpreter, node: cst.Global) -> int:
    scope = m.frame.scope
    scope.outer = {**(scope.outer or {}), **{item.name.value: scope.module for item in node.names}}
    return NORMAL


@executes(cst.Nonlocal)
def _nonlocal(m: Interpreter, node: cst.Nonlocal) -> int:
    scope = m.frame.scope
    for item in node.names:
        holder = scope.parent
        while holder is not None and item.name.value not in holder.vars:
            holder = holder.parent
        scope.outer = {**(scope.outer or {}), item.name.value: holder or scope.module}
    return NORMAL


# --- definitions -------------------------------------------------------------------------------------------------------------


@executes(cst.FunctionDef)
def _function(m: Interpreter, node: cst.FunctionDef) -> int:
    name = node.name.value
    func = functions.make(m, node, name)
    value: Value = func
    if m.frame.parent is None and m.frame.document is m.document:
        m.trail.definitions.append(func)
    for decorator in reversed(node.decorators):
        value = _decorate(m, value, decorator.decorator, name)
    if isinstance(value, FuncVal) and value.kind == "setter":
        m.journal.set_item(m.frame.scope.vars, f"{name}.setter", replace(value, kind="function"))
        return NORMAL
    m.store(name, value)
    return NORMAL


#: What a decorator may turn a definition into; anything else means that we did not understand it.
_CALLABLE = (FuncVal, ClassVal, BoundVal, PartialVal, NativeVal, InstanceVal)
_KINDS = {
    "builtins.staticmethod": "static", "abc.abstractstaticmethod": "static", "builtins.classmethod": "class",
    "abc.abstractclassmethod": "class", "builtins.property": "property", "functools.cached_property": "property",
    "abc.abstractproperty": "property", "keras.utils.cached_property": "property",
}  # fmt: skip


def _decorate(m: Interpreter, value: Value, node: cst.CSTNode, name: str) -> Value:
    """Apply one decorator; one we know nothing about is taken to return something that acts like the function."""
    if (
        isinstance(node, cst.Attribute)
        and node.attr.value in ("setter", "getter", "deleter")
        and isinstance(node.value, cst.Name)
    ):
        if not isinstance(value, FuncVal):
            return Unknown("dynamic-property", name)
        return replace(value, kind="setter" if node.attr.value == "setter" else "ignored")
    decorator = m.eval(node)
    if isinstance(value, FuncVal):
        value.decorators = (*value.decorators, decorator)
        if isinstance(decorator, LibSymbol) and decorator.name in _KINDS:
            value.kind = _KINDS[decorator.name]
            return value
    if isinstance(decorator, (Unknown, LibSymbol)) or (
        isinstance(decorator, InstanceVal) and isinstance(decorator.cls, LibSymbol)
    ):
        if isinstance(decorator, LibSymbol) and decorator.name in HANDLERS:
            return m.call(decorator, Arguments((value,)))
        if isinstance(value, ClassVal):
            value.is_extended = True
        return value
    m.frame.node = node
    fuel, m.budget.fuel = m.budget.fuel, min(m.budget.fuel, installed.decorator_fuel(m.options, m.budget))
    given = m.budget.fuel
    result = calling.call(m, decorator, Arguments((value,)))
    finished, m.budget.fuel = m.budget.fuel > 0, fuel - (given - m.budget.fuel)
    return result if finished and isinstance(result, _CALLABLE) else value


@executes(cst.ClassDef)
def _class(m: Interpreter, node: cst.ClassDef) -> int:
    name = node.name.value
    bases: list[Value] = []
    keywords = {arg.keyword.value: m.eval(arg.value) for arg in node.keywords if arg.keyword is not None}
    for arg in node.bases:
        base = m.eval(arg.value)
        several = m.iterate(base) if arg.star else [m.described(unwrap(base))]
        bases += several if isinstance(several, list) else [several]
    cls = ClassVal(name, node, m.frame.document, tuple(b for b in bases if not _is_marker(b)), site=m.site)
    outer = m.frame
    frame = Frame(Scope(cls.attrs, outer.scope, outer.scope.module, is_class=True), outer.document, outer, name)
    frame._call_site = outer._call_site
    m.frame = frame
    try:
        flow = m.block(node.body)
    finally:
        m.frame = outer
    if flow == RAISE:
        return RAISE
    cls.mro = mro.linearize(cls)
    for member in cls.attrs.values():
        if isinstance(member, FuncVal) and member.owner is None and member.document is cls.document:
            member.owner = cls
    dataclass.prepare(m, cls)
    outer.statement = node
    if _is_of(cls, m.document):
        m.trail.classes.append(cls)
    classes.tell_base(m, cls, {name: value for name, value in keywords.items() if name != "metaclass"})
    cls.is_extended = keywords.get("metaclass", _PLAIN_METACLASSES[0]) not in _PLAIN_METACLASSES
    value: Value = cls
    for decorator in reversed(node.decorators):
        value = _decorate(m, value, decorator.decorator, name)
    m.store(name, value)
    return NORMAL


def _is_of(cls: ClassVal, document: Document) -> bool:
    """Whether a class or one that it inherits from is of a document."""
    return any(isinstance(base, ClassVal) and base.document is document for base in cls.mro)


#: Metaclasses that give a class nothing.
_PLAIN_METACLASSES = (LibSymbol("builtins.type"), LibSymbol("abc.ABCMeta"))


def _is_marker(base: Value) -> bool:
    return isinstance(base, LibSymbol) and base.name in ("typing.Generic", "typing.Protocol", "builtins.object", "abc.ABC")
