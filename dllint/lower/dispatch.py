"""Type-dispatch tables: what evaluates or executes each libcst node type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dllint.domains.lattice import Unknown
from dllint.ir.values import Value

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

Evaluator = Callable[["Interpreter", Any], Value]
Executor = Callable[["Interpreter", Any], int]


class _Evaluators(dict[type, Evaluator]):
    def __missing__(self, key: type) -> Evaluator:
        return lambda _m, _node: Unknown("unmodelled-syntax", key.__name__)


class _Executors(dict[type, Executor]):
    def __missing__(self, key: type) -> Executor:
        return lambda _m, _node: 0


EVALUATE: dict[type, Evaluator] = _Evaluators()
EXECUTE: dict[type, Executor] = _Executors()


def evaluates(*types: type) -> Callable[[Evaluator], Evaluator]:
    """Register the evaluator of expression node types."""

    def register(function: Evaluator) -> Evaluator:
        for type_ in types:
            EVALUATE[type_] = function
        return function

    return register


def executes(*types: type) -> Callable[[Executor], Executor]:
    """Register the executor of statement node types; it returns a :mod:`dllint.lower.scopes` flow."""

    def register(function: Executor) -> Executor:
        for type_ in types:
            EXECUTE[type_] = function
        return function

    return register
