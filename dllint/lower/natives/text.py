"""``str`` and its methods: evaluated if everything is constant, else an unknown string."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, ClassVal, FuncVal, ListVal, Value
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import Method, native
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

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
_LONGEST = 4000


def _method(name: str) -> Method[str]:
    function = getattr(str, name)

    def call(m: Interpreter, receiver: str, arguments: Arguments) -> Value:
        if arguments.star is not None or arguments.double_star is not None:
            return Unknown("unknown-string", name)
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


def _listed(m: Interpreter, value: Value) -> Value:
    if isinstance(value, (str, int, float, tuple)) or value is None:
        return value
    found = m.iterate(value)
    return ListVal(found) if isinstance(found, list) else value


for _name in _METHODS:
    native(f"builtins.str.{_name}", on=str)(_method(_name))


@native("builtins.str", "builtins.repr", "builtins.format", "builtins.ascii")
def _str(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default="")
    if isinstance(value, (ClassVal, FuncVal)):
        return Unknown("unknown-string")
    try:
        return str(constant(value))
    except (TypeError, ValueError):
        return Unknown("unknown-string")


@native("builtins.str.encode", "builtins.bytes.decode", "builtins.str.translate", "builtins.str.maketrans")
def _encoded(_m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("unknown-string")


@native("builtins.chr", "builtins.bin", "builtins.hex", "builtins.oct")
def _chr(_m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("unknown-string")


@native("builtins.ord")
def _ord(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    return ord(value) if isinstance(value, str) and len(value) == 1 else m.fresh_size("ord")
