"""Reading the arguments of a native function."""

from __future__ import annotations

from typing import Any

from dllint.ir.values import Arguments, Assumed, Value


def plain(value: Value) -> Value:
    """The value without the mark of a default."""
    return value.value if isinstance(value, Assumed) else value


def argument(arguments: Arguments, position: int, name: str = "", default: Value = None) -> Any:
    """The argument at a position or under a name, without the mark of a default."""
    if position < len(arguments.args):
        return plain(arguments.args[position])
    return plain(arguments.kwargs.get(name, default)) if name else default


def given(arguments: Arguments) -> list[Value]:
    """All positional arguments, without the marks of defaults."""
    return [plain(value) for value in arguments.args]
