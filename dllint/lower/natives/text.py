"""``str`` and its methods: evaluated if everything is constant, else an unknown string."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import HANDLERS, handler
from dllint.ir.values import Arguments, ClassVal, FuncVal, ListVal, Value
from dllint.lower.natives.arguments import argument
from dllint.lower.strings import constant

_METHODS = (
    "capitalize", "casefold", "center", "count", "endswith", "expandtabs", "find", "format", "index", "isalnum",
    "isalpha", "isdecimal",
    "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "join", "ljust", "lower", "lstrip",
    "partition", "removeprefix",
    "removesuffix", "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines",
    "startswith",
    "strip", "swapcase", "title", "upper", "zfill",
)  # fmt: skip
_LONGEST = 4000


def _method(name: str) -> Callable[[Any, Value, Arguments], Value]:
    function = getattr(str, name)

    def call(m: Any, receiver: Value, arguments: Arguments) -> Value:
        try:
            args = [constant(_listed(m, value)) for value in arguments.args]
            kwargs = {key: constant(value) for key, value in arguments.kwargs.items()}
            if len(receiver) > _LONGEST or any(isinstance(a, int) and abs(a) > _LONGEST for a in args):
                return Unknown("unknown-string", name)
            result = function(receiver, *args, **kwargs)
        except (TypeError, ValueError, LookupError, AttributeError):
            return Unknown("unknown-string", name)
        return ListVal(result) if isinstance(result, list) else result

    return call


def _listed(m: Any, value: Value) -> Value:
    if isinstance(value, (str, int, float, tuple)) or value is None:
        return value
    found = m.iterate(value)
    return ListVal(found) if isinstance(found, list) else value


for _name in _METHODS:
    HANDLERS[f"builtins.str.{_name}"] = _method(_name)


@handler("builtins.str", "builtins.repr", "builtins.format", "builtins.ascii")
def _str(_m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default="")
    if isinstance(value, (ClassVal, FuncVal)):
        return Unknown("unknown-string")
    try:
        return str(constant(value))
    except (TypeError, ValueError):
        return Unknown("unknown-string")


@handler("builtins.str.encode", "builtins.bytes.decode", "builtins.str.translate", "builtins.str.maketrans")
def _encoded(_m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("unknown-string")


@handler("builtins.chr", "builtins.bin", "builtins.hex", "builtins.oct")
def _chr(_m: Any, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("unknown-string")


@handler("builtins.ord")
def _ord(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    return ord(value) if isinstance(value, str) and len(value) == 1 else m.fresh_size("ord")
