"""Exceptions: an operation that surely raises inside ``try`` or ``with suppress(…)`` passes control to the matching handler.

A proved fault of an operation, a failing assertion, a ``raise`` statement and a missing key raise. An exception that nothing
catches is reported as a fault, and execution continues behind it. Inside a statement that catches errors on purpose
(:class:`Catch`) the fault is expected: :class:`RaisedError` ends the statement, blocks pass on the flow ``RAISE``, and the
``try`` that catches it executes its handler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import Condition, Framework
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.lower import exits
from dllint.lower.catching import EVERYTHING, Catch, Kinds, Raised, RaisedError
from dllint.lower.scopes import RAISE
from dllint.ops import faults

if TYPE_CHECKING:
    from dllint.lower.journal import Journal
    from dllint.lower.parts import Catches, Evaluates, Leaves, Raises
    from dllint.lower.state import Control


def _builtin(*names: str) -> Kinds:
    return tuple(LibSymbol(f"builtins.{name}") for name in names)


#: What the frameworks raise where an operation's operands do not fit (seen by running them).
_OF_FAULTS: Final[dict[Framework, Kinds]] = {
    "torch": _builtin("RuntimeError", "IndexError", "ValueError", "TypeError"),
    "keras": (*_builtin("ValueError", "TypeError", "RuntimeError"), LibSymbol("tensorflow.errors.InvalidArgumentError")),
    "tensorflow": (*_builtin("ValueError", "TypeError"), LibSymbol("tensorflow.errors.InvalidArgumentError")),
    "numpy": _builtin("ValueError", "IndexError", "TypeError"),
    "python": _builtin("ValueError", "TypeError"),
}
#: The same by kind of fault, where it is always the same.
_BY_FAULT: Final[dict[tuple[Framework, str], Kinds]] = {
    **{("torch", kind): _builtin("RuntimeError") for kind in (faults.RESHAPE_SIZE, faults.VIEW_STRIDE, faults.BROADCAST,
                                                              faults.MATMUL, faults.CONCAT, faults.SPATIAL_COLLAPSE)},
    ("torch", faults.AXIS_RANGE): _builtin("IndexError"),
    ("python", faults.UNPACK): _builtin("ValueError"),
}  # fmt: skip
#: A body of more statements under ``except Exception`` is a program that reports its errors, not an error that is expected.
_LONGEST_EXPECTED: Final = 3
#: Calls that only print or log something.
_TELLING: Final = frozenset({"print", "debug", "info", "warning", "error", "critical", "warn", "log"})
#: Calls that report an error or end the program.
_REPORTING: Final = frozenset({"print_exc", "print_exception", "format_exc", "exception", "exit", "_exit", "abort", "fail"})


# --- raising ----------------------------------------------------------------------------------------------------------------


def raise_fault(m: Leaves, framework: Framework, fault: str) -> None:
    """An operation with a proved fault raises: does not return if a statement around it takes the error on purpose. Otherwise
    one path leaves to the statement that takes it, if there is one, and execution goes on as if it were not raised."""
    raised = on_its_way(m.control, _BY_FAULT.get((framework, fault), _OF_FAULTS[framework]))
    taker = raised.taker
    if taker is not None and any(taker.expects[number] for number in taker.handlers_for(raised.kinds)):
        m.control.raised = raised
        raise RaisedError
    exits.park(m, RAISE, {}, raised)


def expects_fault(control: Control, framework: Framework) -> bool:
    """Whether a statement around takes on purpose what an operation may raise."""
    return is_taken(control, _OF_FAULTS[framework])


def is_taken(control: Control, kinds: Kinds) -> bool:
    """Whether a statement around takes exceptions of some classes on purpose."""
    takers = (catch for catch in control.catching if not catch.final)
    return any(catch.expects[number] for catch in takers for number in catch.handlers_for(kinds))


def raise_builtin(m: Raises, name: str) -> None:
    """Python raises ``name`` here (``KeyError``): does not return if an enclosing statement catches it. Otherwise the run ends
    here, and no fault found in code that is executed afterwards counts as proved."""
    _propagate(m, on_its_way(m.control, (LibSymbol(f"builtins.{name}"),)))
    if not any(condition.default is False for condition in m.control.path):
        m.control.path += (Condition(m.budget.next_fork(), 1, f"no {name} is raised", default=False, behind_error=True),)


def raise_if_caught(m: Raises, name: str) -> None:
    """The same where an enclosing statement catches it; else nothing."""
    raised = on_its_way(m.control, (LibSymbol(f"builtins.{name}"),))
    if raised.catch is not None:
        _propagate(m, raised)


def on_its_way(control: Control, kinds: Kinds) -> Raised:
    """The exception to propagate for a value of one of some classes that is raised here."""
    final: Catch | None = None
    replaced = False
    for catch in reversed(control.catching):
        if catch.final:
            final = final or catch
            replaced = replaced or catch.jumps
        elif catch.handlers_for(kinds):
            return Raised(kinds, final or catch, catch)
        else:  # it may take an exception that the ``finally`` raises
            replaced = replaced or final is not None
    return Raised(kinds, final if replaced else None, None)


def _propagate(m: Leaves, raised: Raised) -> None:
    """Raise an exception that a statement takes. One that nothing takes leads a path to the ``finally`` that may replace it,
    and execution goes on as if it were not raised."""
    if raised.taker is not None:
        m.control.raised = raised
        raise RaisedError
    exits.park(m, RAISE, {}, raised)


def may_raise(m: Leaves, kinds: Kinds) -> None:
    """The code executed here may raise: one path leaves to the statement that catches the exception, another goes on."""
    raised = on_its_way(m.control, kinds)
    exits.park(m, RAISE, {}, raised)


def raise_again(m: Leaves) -> None:
    """Continue the exception in which the executed code ended, if a statement around it catches that."""
    raised = m.control.raised
    if raised is not None and raised.catch in m.control.catching:
        _propagate(m, raised)


def kinds_of(value: Value) -> Kinds:
    """The classes of a raised value: an exception or its class."""
    if isinstance(value, InstanceVal):
        value = value.cls
    return (value,) if isinstance(value, (ClassVal, LibSymbol)) else (Unknown("exception"),)


# --- catching ---------------------------------------------------------------------------------------------------------------


def catch_of(m: Catches, node: cst.Try | cst.TryStar) -> Catch:
    """The exceptions that the handlers of a ``try`` catch."""
    handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
    kinds = tuple(_named(m, handler.type) for handler in handlers)
    short = _is_short(node.body)
    expects = tuple(
        not _reports(handler.body, telling=not short and _takes_everything(kind))
        for handler, kind in zip(handlers, kinds, strict=True)
    )
    return Catch(kinds, expects, exits.here(m.control, m.journal))


def catch_all(control: Control, journal: Journal, *, jumps: bool = False, final: bool = True) -> Catch:
    """A statement that stops all exceptions: a ``finally``, through which they pass unless it ``jumps``, or, if not ``final``,
    a context that may take them."""
    return Catch(((LibSymbol("builtins.BaseException"),),), (False,), exits.here(control, journal), final=final, jumps=jumps)


def _named(m: Evaluates, node: cst.BaseExpression | None) -> Kinds:
    if node is None:
        return (LibSymbol("builtins.BaseException"),)
    return as_kinds(m.eval(node))


def as_kinds(value: Value) -> Kinds:
    """A class, or a tuple of classes, as written behind ``except``."""
    value = unwrap(value)
    if isinstance(value, tuple):
        return tuple(kind for part in value for kind in as_kinds(part))
    return (value,)


def _takes_everything(kinds: Kinds) -> bool:
    return any(isinstance(kind, LibSymbol) and kind.name in EVERYTHING for kind in kinds)


def _is_short(body: cst.BaseSuite) -> bool:
    """Whether a body is a few plain statements."""
    parts: Sequence[cst.CSTNode] = body.body
    if isinstance(body, cst.SimpleStatementSuite):
        return True
    return len(parts) <= _LONGEST_EXPECTED and all(isinstance(part, cst.SimpleStatementLine) for part in parts)


def _reports(body: cst.BaseSuite, telling: bool) -> bool:
    """Whether a handler passes the exception on, prints it with its traceback, or ends the program; with ``telling``, also
    whether all that it does is to print or log something."""
    small = list(_small(body))
    if isinstance(small[-1], cst.Raise) or any(_called(part) in _REPORTING for part in small):
        return True
    return telling and all(_called(part) in _TELLING for part in small)


def _small(body: cst.BaseSuite) -> Iterator[cst.CSTNode]:
    """The statements of a body, those of one line one by one."""
    for part in body.body:
        if isinstance(part, cst.SimpleStatementLine):
            yield from part.body
        else:
            yield part


def _called(node: cst.CSTNode) -> str:
    """The last name of what a statement calls, empty if it is no mere call."""
    func = node.value.func if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) else None
    return func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""


#: Contexts that take the exceptions given to them: ``suppress(KeyError)``, ``pytest.raises(RuntimeError)``.
_CONTEXTS: Final = frozenset({"contextlib.suppress", "pytest.raises"})


def catch_of_context(m: Catches, node: cst.BaseExpression) -> Catch | None:
    """The exceptions that a context of a ``with`` statement catches: ``suppress``, ``pytest.raises``, ``self.assertRaises`` and
    the like."""
    if not isinstance(node, cst.Call):
        return None
    if isinstance(node.func, cst.Attribute) and node.func.attr.value.startswith("assertRaises"):
        named: Value = None
    else:
        named = m.eval(node.func) if isinstance(node.func, (cst.Name, cst.Attribute)) else None
        if not isinstance(named, LibSymbol) or named.name not in _CONTEXTS:
            return None
    given = [arg.value for arg in node.args if arg.keyword is None or arg.keyword.value == "expected_exception"]
    suppresses = isinstance(named, LibSymbol) and named.name == "contextlib.suppress"
    kinds = tuple(kind for part in (given if suppresses else given[:1]) for kind in as_kinds(m.eval(part)))
    return Catch((kinds,), (True,), exits.here(m.control, m.journal))
