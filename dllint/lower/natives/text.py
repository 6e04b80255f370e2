"""``str`` and its methods: evaluated if everything is constant, else an unknown string."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dllint.domains.dim import opaque
from dllint.domains.lattice import Unknown, UnknownText
from dllint.ir.values import Arguments, InstanceVal, ListVal, Value
from dllint.lower import bulk, exceptions, mro
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
    from dllint.frameworks.machine import Machine
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
            wide = name == "format" and bulk.is_wide(receiver, *args, *kwargs.values())
            if wide or len(receiver) > _LONGEST or bulk.is_long(name, receiver, *args, **kwargs):
                return Unknown("unknown-string", name)
            result = function(receiver, *args, **kwargs)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            if name in ("index", "rindex") and isinstance(error, ValueError):
                exceptions.raise_builtin(m, "ValueError")
            return UnknownText("unknown-string", name, receiver.partition("{")[0] if name == "format" else "")
        return ListVal(list(result)) if isinstance(result, list) else result

    return call


def _listed(m: Interpreter, value: Value) -> Value:
    if isinstance(value, (str, int, float, tuple)) or value is None:
        return value
    found = m.consume(value)
    return ListVal(found) if isinstance(found, list) else value


for _name in _METHODS:
    native(f"builtins.str.{_name}", on=str)(_method(_name))


def _texts(convert: Callable[..., str], *methods: str) -> Method[Value]:
    """What makes text of any value: of an object, the first of some methods that its class has."""

    def text(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
        value = argument(arguments, 0, "object", default="")
        if isinstance(value, InstanceVal):
            found = next((f for method in methods if (f := mro.special(value, method)) is not None), None)
            return Unknown("unknown-string") if found is None else m.call(found, Arguments())
        try:
            plain, *others = map(constant, (value, *arguments.args[1:]))
            if any(isinstance(other, str) and bulk.is_wide(other) for other in others) or bulk.is_long("format", "", plain):
                return Unknown("unknown-string")
            return convert(plain, *others)
        except (TypeError, ValueError, OverflowError):
            return Unknown("unknown-string")

    return text


native("builtins.str")(_texts(str, "__str__", "__repr__"))
native("builtins.repr")(_texts(repr, "__repr__"))
native("builtins.ascii")(_texts(ascii))
native("builtins.format")(_texts(format))
native("builtins.bin")(_texts(bin))
native("builtins.hex")(_texts(hex))
native("builtins.oct")(_texts(oct))
native("builtins.chr")(_texts(chr))


@native("builtins.str.encode")
def _encode(_m: Machine, receiver: Value, arguments: Arguments) -> Value:
    plain = isinstance(receiver, str) and not arguments.args and not arguments.kwargs
    return receiver.encode() if plain and isinstance(receiver, str) else Unknown("unknown-string")


@native("builtins.bytes.decode")
def _decode(_m: Machine, receiver: Value, arguments: Arguments) -> Value:
    plain = isinstance(receiver, bytes) and not arguments.args and not arguments.kwargs
    return receiver.decode(errors="replace") if plain and isinstance(receiver, bytes) else Unknown("unknown-string")


@native("builtins.str.translate", "builtins.str.maketrans")
def _encoded(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("unknown-string")


@native("builtins.ord")
def _ord(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    return ord(value) if isinstance(value, str) and len(value) == 1 else opaque("ord")
