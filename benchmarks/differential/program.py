"""Programs as they are written: statements that are tried as soon as they are written down."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.differential.calls import Argument, Call, Code, Row
from benchmarks.differential.tensors import Tensor, written

#: Results with more elements are not kept.
_LARGEST: Final = 4096


@dataclass(frozen=True, slots=True)
class Program:
    """Source text, and the name of what it is mainly about."""

    text: str
    subject: str


class Writer:
    """Writes one program. What a statement makes is kept in ``values``, so that the next ones can be chosen to fit."""

    def __init__(self, header: tuple[str, ...], made: Callable[[Tensor], str], source: random.Random) -> None:
        self.source = source
        self.values: dict[str, Any] = {"__name__": "__main__"}
        self._made = made
        self._lines: list[str] = []
        self._count = 0
        for line in header:
            self.attempt(line)

    @property
    def text(self) -> str:
        """The program so far."""
        return "\n".join(self._lines) + "\n"

    @property
    def length(self) -> int:
        """The number of its lines."""
        return len(self._lines)

    def fresh(self, prefix: str = "y") -> str:
        """A name that is not taken."""
        self._count += 1
        return f"{prefix}{self._count}"

    def names(self, wanted: Callable[[Any], bool]) -> list[str]:
        """The names that hold values of a kind, in the order in which they were bound."""
        return [name for name, value in self.values.items() if not name.startswith("_") and wanted(value)]

    def attempt(self, line: str, keep: bool = False) -> bool:
        """Add a statement if it runs (with ``keep``, in any case); whether it has run."""
        before = dict(self.values)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                exec(line, self.values)
        except Exception:
            ran = False
        else:
            ran = all(_small(self.values[name]) for name in self.values if self.values[name] is not before.get(name))
            keep = keep and ran
        if not ran:
            self.values = before
        if ran or keep:
            self._lines.append(line)
        return ran

    def make(self, tensor: Tensor) -> str:
        """The name of a tensor, made by a statement of its own or found among what there is."""
        name = self.fresh("x")
        return name if self.attempt(f"{name} = {self._made(tensor)}") else "None"

    def written(self, argument: Argument) -> str:
        """An argument as source text; tensors are made before."""
        if isinstance(argument, Tensor):
            return self.make(argument)
        if isinstance(argument, Code):
            return argument.text
        if isinstance(argument, Row):
            items = ", ".join(self.written(item) for item in argument.items)
            left, right = argument.brackets
            return f"{left}{items}{',' if left == '(' and len(argument.items) == 1 else ''}{right}"
        return written(argument)

    def arguments(self, call: Call) -> list[str]:
        """The arguments of a call, some of them by keyword."""
        args = [self.written(argument) for argument in call.args]
        first = self._first_keyword(call, len(args))
        named = [f"{call.keywords[at]}={text}" for at, text in enumerate(args) if at >= first]
        return [*args[:first], *named, *(f"{name}={self.written(value)}" for name, value in call.kwargs.items())]

    def _first_keyword(self, call: Call, count: int) -> int:
        """The position from which arguments are given by keyword."""
        if len(call.keywords) < count or self.source.random() < 0.7:
            return count
        return self.source.randint(min(1, count), count)


def _small(value: Any) -> bool:
    """Whether a value is small enough to go on with."""
    return all(part.size <= _LARGEST if isinstance(part, np.ndarray) else _count(part) <= _LARGEST for part in _parts(value))


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _parts(item)
    elif hasattr(value, "shape"):
        yield value


def _count(value: Any) -> int:
    try:
        return int(np.prod([size or 1 for size in value.shape]))
    except (TypeError, ValueError):
        return 0
