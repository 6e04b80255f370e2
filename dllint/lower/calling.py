"""Calls: which kind of value is called, and what happens then."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
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
)
from dllint.lower import branches, classes, exceptions, functions, handing, library, roles
from dllint.lower.lazy import ChoiceVal
from dllint.lower.variants import settings

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


def call(m: Interpreter, callee: Value, arguments: Arguments) -> Value:
    """The result of calling a value; Unknown with a reason if it is not known."""
    known = _CALL.get(type(callee))
    if known is None:
        if callee is None:
            exceptions.raise_builtin(m, "TypeError")
        return Unknown("not-callable", type(callee).__name__)
    if m.budget.calls >= m.options.calls:  # objects of libraries may hold themselves
        return m.unknown("call-depth", type(callee).__name__)
    m.budget.calls += 1
    try:
        return known(m, callee, arguments)
    finally:
        m.budget.calls -= 1


def _bound(m: Interpreter, callee: BoundVal, arguments: Arguments) -> Value:
    func = callee.func
    if isinstance(func, LibSymbol):
        return library.call_method(m, func, callee.receiver, arguments)
    return call(m, func, with_receiver(callee.receiver, arguments))


def with_receiver(receiver: Value, arguments: Arguments) -> Arguments:
    """The arguments with a receiver in front."""
    nodes = (
        {(k + 1 if isinstance(k, int) else k): v for k, v in arguments.nodes.items()} if arguments.nodes else arguments.nodes
    )
    return Arguments((receiver, *arguments.args), arguments.kwargs, arguments.star, arguments.double_star, nodes)


def _partial(m: Interpreter, callee: PartialVal, arguments: Arguments) -> Value:
    shift = len(callee.args)
    nodes = {(k + shift if isinstance(k, int) else k): v for k, v in arguments.nodes.items()}
    merged = Arguments(
        (*callee.args, *arguments.args), {**callee.kwargs, **arguments.kwargs}, arguments.star, arguments.double_star, nodes
    )
    return call(m, callee.func, merged)


def _instance(m: Interpreter, callee: InstanceVal, arguments: Arguments) -> Value:
    return classes.call_instance(m, callee, arguments)


def _choice(m: Interpreter, callee: ChoiceVal, arguments: Arguments) -> Value:
    options = settings.usable(m, callee.options, "TypeError")
    return branches.each(m, [partial(call, m, option, arguments) for option in options])


def _unknown(m: Interpreter, callee: Unknown, arguments: Arguments) -> Value:
    """A call of an unknown callee: its result is unknown, and its effects are not tracked, except on tensors that are there to
    be filled, and that what an activation gives is a tensor."""
    handing.hand_over(m, arguments, callee.detail, comes_from=callee.reason == "unmodelled-call")
    if (made := roles.result(m, callee, arguments)) is not None:
        return made
    return m.unknown("unknown-callee", callee.detail or callee.reason)


_CALL: dict[type, Callable[[Any, Any, Arguments], Value]] = {
    FuncVal: lambda m, f, a: functions.call_function(m, f, a),
    BoundVal: _bound,
    ClassVal: lambda m, c, a: classes.instantiate(m, c, a),
    LibSymbol: lambda m, s, a: library.call_symbol(m, s, a),
    InstanceVal: _instance,
    PartialVal: _partial,
    NativeVal: lambda m, n, a: n.call(m, a),
    ChoiceVal: _choice,
    Assumed: lambda m, v, a: call(m, settings.used(m, v, "TypeError"), a),
    Unknown: _unknown,
    TensorVal: lambda m, _t, a: roles.result(m, Unknown("not-callable", "tensor"), a) or m.unknown("not-callable", "tensor"),
}
