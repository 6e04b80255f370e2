"""What functions are given for their parameters, concluded from how the traced programs use the names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import libcst

from dllint.ir.events import Read, Rebind, Return
from dllint.ir.program import Event
from dllint.ir.values import Value


@dataclass(slots=True)
class Parameters:
    """Collects, per call of a function, the value that each name has when it is first touched there."""

    _values: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    _touched: set[tuple[str, int, str]] = field(default_factory=set)
    _functions: dict[str, Any] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Take in an event of the document."""
        if isinstance(event, Read):
            self._touch(event, event.name, event.value)
        elif isinstance(event, Rebind):
            self._touch(event, event.name, event.old)
        elif isinstance(event, Return):
            self._functions[event.scope] = event.function.node

    def known(self) -> Iterator[tuple[Any, libcst.Param, Any]]:
        """Function, parameter and value, for every value that was seen."""
        for scope, function in self._functions.items():
            if not isinstance(function, libcst.FunctionDef):
                continue
            for param in (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params):
                for value in self._values.get((scope, param.name.value), ()):
                    yield function, param, value

    def _touch(self, event: Event, name: str, value: Value) -> None:
        key = (event.scope, id(event.site.caller), name)
        if key not in self._touched:
            self._touched.add(key)
            self._values.setdefault((event.scope, name), []).append(value)
