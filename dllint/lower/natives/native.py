"""How a builtin or a function of the standard library is declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, overload

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, foreign, handler
from dllint.ir.values import Arguments, InstanceVal, Value, unwrap
from dllint.lower import bulk, contents
from dllint.lower.machine import Interpreter

R = TypeVar("R")
S = TypeVar("S")
Method = Callable[[Interpreter, R, Arguments], Value]


@overload
def native(*names: str) -> Callable[[Method[Value]], Method[Value]]: ...


@overload
def native(*names: str, on: type[R]) -> Callable[[Method[R]], Method[R]]: ...


@overload
def native(*names: str, on: tuple[type[R], type[S]]) -> Callable[[Method[R | S]], Method[R | S]]: ...


def native(*names: str, on: type | tuple[type, ...] = object) -> object:
    """Register the implementation of a builtin function or method under its qualified names; a method with the kinds of
    receivers that it takes. It gets the interpreter itself. For receivers of other kinds the result is Unknown."""

    def register(function: Method[Value]) -> Method[Value]:
        for name in names:
            handler(name)(_entered(name, function, on))
        return function

    return register


def _entered(
    name: str, function: Method[Value], kinds: type | tuple[type, ...]
) -> Callable[[Machine, Value, Arguments], Value]:
    def enter(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
        if not isinstance(machine, Interpreter):
            return Unknown("foreign-machine", name)
        if kinds is not object:
            receiver = unwrap(receiver)
            if isinstance(receiver, InstanceVal) and not isinstance(receiver, kinds):
                receiver = contents.plain(machine, receiver)
            if not isinstance(receiver, kinds):
                return foreign(machine, receiver, name)
        return bulk.limited(function(machine, receiver, arguments))

    return enter
