"""Reading the arguments of a native function."""

from __future__ import annotations

from dllint.ir.values import Arguments, Assumed, Value


def plain(value: Value) -> Value:
    """The value without the mark of a default."""
    return value.value if isinstance(value, Assumed) else value


def argument(arguments: Arguments, position: int, name: str = "", default: Value = None) -> Value:
    """The argument at a position or under a name, without the mark of a default; Unknown if unknown ``*args`` or ``**kwargs``
    may give it."""
    if position < len(arguments.args):
        return plain(arguments.args[position])
    if name and name in arguments.kwargs:
        return plain(arguments.kwargs[name])
    if arguments.star is not None:
        return arguments.star
    return default if not name or arguments.double_star is None else arguments.double_star


def given(arguments: Arguments) -> list[Value]:
    """All positional arguments, without the marks of defaults."""
    return [plain(value) for value in arguments.args]
