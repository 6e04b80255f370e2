"""What code asks about functions: ``inspect.signature(function).parameters``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.ir.values import Arguments, BoundVal, DictVal, FuncVal, InstanceVal, LibSymbol, Value
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.signatures import Signature, signature

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

PARAMETER: Final = "inspect.Parameter"
EMPTY: Final = LibSymbol(f"{PARAMETER}.empty")


@native("inspect.signature")
def _signature(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """The parameters of a function by name, without the receiver of a bound method; of a wrapper, those of what it wraps."""
    function = argument(arguments, 0, "obj")
    bound = isinstance(function, BoundVal)
    function = function.func if isinstance(function, BoundVal) else function
    while isinstance(function, FuncVal) and "__wrapped__" in function.attrs:
        function = function.attrs["__wrapped__"]
    if not isinstance(function, FuncVal):
        return m.unknown("unmodelled-call", "inspect.signature")
    kinds = list(_kinds(signature(m.known, function.node)))[1 if bound else 0 :]
    parameters: dict[object, Value] = {name: _parameter(function, name, kind) for name, kind in kinds}
    return InstanceVal(LibSymbol("inspect.Signature"), {"parameters": DictVal(parameters)})


def _kinds(of: Signature) -> list[tuple[str, str]]:
    """The names of parameters in order, each with the name of its kind."""
    plain = [(name, "POSITIONAL_OR_KEYWORD") for name in of.positional]
    star = [(of.star, "VAR_POSITIONAL")] if of.star is not None else []
    double_star = [(of.double_star, "VAR_KEYWORD")] if of.double_star is not None else []
    return [*plain, *star, *((name, "KEYWORD_ONLY") for name in of.keyword), *double_star]


def _parameter(function: FuncVal, name: str, kind: str) -> InstanceVal:
    default = function.defaults.get(name, EMPTY)
    return InstanceVal(LibSymbol(PARAMETER), {"name": name, "kind": LibSymbol(f"{PARAMETER}.{kind}"), "default": default})
