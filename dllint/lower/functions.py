"""Functions of the analysed code: signatures, argument binding, inlined execution."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import HANDLERS
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    LibSymbol,
    ListVal,
    Value,
    unwrap,
)
from dllint.lower import duck, exceptions, exits, installed
from dllint.lower.dispatch import evaluates
from dllint.lower.documented import ranges
from dllint.lower.joining import join
from dllint.lower.lazy import ContextVal
from dllint.lower.scopes import RAISE, RETURN, Frame, Locals, Scope
from dllint.lower.signatures import Signature, signature

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Joins, Paths


_MAKES_CONTEXT: Final = LibSymbol("contextlib.contextmanager")
#: How often a function may call itself where it is undecided whether it does.
_UNDECIDED_RECURSION = 2


def make(m: Interpreter, node: cst.FunctionDef | cst.Lambda, name: str) -> FuncVal:
    """The function value of a FunctionDef or Lambda in the present scope."""
    defaults = {key: m.eval(default) for key, default in signature(m.known, node).defaults.items()}
    return FuncVal(name, node, m.frame.scope.function_parent(), m.frame.document, defaults, statement=m.frame.statement)


@evaluates(cst.Lambda)
def _lambda(m: Interpreter, node: cst.Lambda) -> Value:
    return make(m, node, "<lambda>")


def call_function(m: Interpreter, func: FuncVal, arguments: Arguments) -> Value:
    """Execute a function's body with the arguments and return the join of what it returns. Where it has no place for an
    argument, the call raises, and the body is not reached."""
    if m.control.depth >= m.options.depth or m.budget.fuel <= 0:
        return m.unknown("fuel" if m.budget.fuel <= 0 else "call-depth", func.name)
    if _recursions(m.frame, func) >= (_UNDECIDED_RECURSION if m.control.undecided else m.options.recursion):
        return m.unknown("recursion", func.name)
    variables, fits = bind(m, func, arguments)
    if not fits:
        return m.unknown("raised", func.name)
    if func.decorators and any(decorator == _MAKES_CONTEXT for decorator in func.decorators):
        return ContextVal(func, variables)
    if func.document is m.frame.document:
        return execute(m, func, variables)
    with installed.spending(m.budget, m.workspace, func.document):
        return execute(m, func, variables)


def _recursions(frame: Frame, func: FuncVal) -> int:
    count, code = 0, func.node
    while frame.parent is not None:
        count += frame.code is code
        frame = frame.parent
    return count


def bind(m: Interpreter, func: FuncVal, arguments: Arguments) -> tuple[dict[str, Value], bool]:
    """The local variables at the start of a call, and whether there is a place for every argument; what does not fit is
    recorded as a ``binding`` event."""
    sig = signature(m.known, func.node)
    variables = Locals(zip(sig.positional, arguments.args, strict=False))
    m.journal.note_created(variables)
    surplus = arguments.args[len(sig.positional) :]
    extra: dict[str, Value] = {}
    for name, value in arguments.kwargs.items():
        if name in sig.names:
            variables[name] = value
        else:
            extra[name] = value
    if sig.star is not None:
        variables[sig.star] = surplus if arguments.star is None else arguments.star
    if sig.double_star is not None:
        m.journal.note_created(extra)
        variables[sig.double_star] = DictVal(extra, arguments.double_star)
    missing = _fill(sig, func, arguments, variables)
    wrong_extra = extra if sig.double_star is None else {}
    wrong_surplus = surplus if sig.star is None else ()
    if missing or wrong_extra or wrong_surplus:
        m.event(
            events.Binding,
            function=func,
            missing=tuple(missing),
            unbound=wrong_extra,
            surplus=wrong_surplus,
            arguments=arguments,
        )
    return variables, not (missing or wrong_extra or wrong_surplus)


def _fill(sig: Signature, func: FuncVal, arguments: Arguments, variables: dict[str, Value]) -> list[str]:
    missing: list[str] = []
    open_ended = arguments.star if arguments.star is not None else arguments.double_star
    for name in [*sig.positional, *sig.keyword]:
        if name in variables:
            continue
        if name in func.defaults:
            variables[name] = func.defaults[name] if open_ended is None else _perhaps_given(func, name)
        elif open_ended is not None:
            variables[name] = Unknown("star-args", name)
        else:
            missing.append(name)
            variables[name] = Unknown("missing-argument", name)
    return missing


def _perhaps_given(func: FuncVal, name: str) -> Value:
    """A parameter that an unknown ``*args`` or ``**kwargs`` may give something: flags and what is left out stay as they are, as
    far as nothing depends on them."""
    default = unwrap(func.defaults[name])
    return Assumed(default, name) if default is None or isinstance(default, bool) else Unknown("parameter", name)


def execute(
    m: Interpreter, func: FuncVal, variables: dict[str, Value], at_yield: Callable[[Value], None] | None = None
) -> Value:
    """Run a function's body in a new frame; ``at_yield`` is done with what it yields first."""
    code = func.node
    m.trail.called[id(func.origin_node)] = func.origin_node
    m.use(func)
    scope: Scope = func.scope
    parent = m.frame
    frame = Frame(Scope(variables, scope, scope.module), func.document, parent, qualified(func), func)
    sig = signature(m.known, code)
    is_method = func.owner is not None and func.kind != "static"
    first = variables.get(sig.positional[0]) if sig.positional and is_method else None
    frame.returned, frame.at_yield = exits.here(m.control, m.journal), at_yield
    frame.yields = ListVal() if sig.yields else None
    frame.owner = first if isinstance(first, InstanceVal) else None if is_method else parent.owner
    body = code.body
    m.frame = frame
    m.control.depth += 1
    try:
        if code.__class__ is cst.Lambda:
            m.budget.fuel -= 1  # it has no statements that count
            frame.statement, frame.node = func.statement, body
            return m.eval(body)
        contexts = [decorator for decorator in func.decorators if duck.context_of(decorator)]
        for context in contexts:
            _enter(m, context)
        ranges.parameters(m, func, variables)
        try:
            flow = m.block(body)
        finally:
            for context in reversed(contexts):
                _leave(m, context)
        exits.leave(m, frame.returned, flow, RETURN)
        result = _result(m, frame, flow)
        _record_return(m, func, variables, result)
        return result
    finally:
        m.frame = parent
        m.control.depth -= 1


def qualified(func: FuncVal) -> str:
    """``Class.method`` or the function's name."""
    return f"{func.owner.name}.{func.name}" if func.owner is not None else func.name


def _enter(m: Interpreter, context: Value) -> None:
    """A context that a decorator has made holds while the function runs."""
    m.event(events.ContextEdge, name=duck.context_of(context), phase="enter")
    _tell(m, context, "__enter__")


def _leave(m: Interpreter, context: Value) -> None:
    _tell(m, context, "__exit__")
    m.event(events.ContextEdge, name=duck.context_of(context), phase="exit")


def _tell(m: Interpreter, context: Value, method: str) -> None:
    """Run what a library's context does at its start or end."""
    handler = HANDLERS.get(f"{duck.context_of(context)}.{method}")
    if isinstance(context, InstanceVal) and handler is not None:
        handler(m, context, Arguments())


def _result(m: Paths, frame: Frame, flow: int) -> Value:
    if frame.yields is not None and frame.at_yield is None:
        if flow == RAISE:
            exceptions.raise_again(m)
        return IterVal(frame.yields.items, frame.yields.rest, result=_returned(m, frame))
    if not frame.returns:
        if flow == RAISE:
            exceptions.raise_again(m)
            return Unknown("raises", frame.name)
        return None
    return _returned(m, frame)


def _returned(m: Joins, frame: Frame) -> Value:
    return reduce(partial(join, m), frame.returns) if frame.returns else None


def _record_return(m: Machine, func: FuncVal, variables: dict[str, Value], result: Value) -> None:
    parts = result.items.values() if type(result) is DictVal else ()
    given = (*variables.values(), *parts)
    if isinstance(result, (TensorVal, tuple)) or any(isinstance(v, TensorVal) for v in given):
        m.event(events.Return, value=result, function=func)
