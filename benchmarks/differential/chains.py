"""Statements that take what a program has made by then: templates with fields, filled with names and numbers that fit.

``{x}`` and ``{y}`` are floating-point tensors (mostly of one shape), ``{i}`` and ``{j}`` such of whole numbers, ``{b}`` one of
truth values, ``{a}`` and ``{e}`` any tensors, ``{n}`` an array, ``{l}`` a list or tuple of tensors, ``{v}`` a variable. A fresh
name is ``{new}``; ``{c}`` is a number, ``{d}`` a positive one, ``{k}`` a small whole one, ``{axis}`` an axis of the tensor
before it, ``{shape}`` some sizes, ``{same}`` as many sizes as it has elements, ``{dtype}`` an element type.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.differential.program import Writer

NUMBERS: Final = ("0", "1", "2", "-1", "3", "0.5", "1.5", "-0.25", "1e-8", "2.0", "100", "True", "0.1", "1e-46", "-3.7")
POSITIVE: Final = ("1", "0.5", "2", "1e-6", "3.0", "0.1", "7")
SHAPES: Final = ("(2, 3)", "(4,)", "(1, 3)", "(3, 1)", "()", "(2, 2, 2)", "(0, 3)", "(6,)", "(5, 1, 2)")


@dataclass(frozen=True, slots=True)
class Kinds:
    """Which values the fields of a framework's templates stand for."""

    floating: Callable[[Any], bool]
    whole: Callable[[Any], bool]
    truth: Callable[[Any], bool]
    array: Callable[[Any], bool]
    types: tuple[str, ...]
    variable: Callable[[Any], bool] = lambda value: False

    def tensor(self, value: Any) -> bool:
        """Any tensor."""
        return self.floating(value) or self.whole(value) or self.truth(value)

    def row(self, value: Any) -> bool:
        """A list or tuple of tensors."""
        return isinstance(value, list | tuple) and bool(value) and all(map(self.tensor, value))


#: Families of templates with how often each is drawn.
Grammar = Mapping[tuple[str, ...], int]


class Chain:
    """Adds statements to a program."""

    def __init__(self, writer: Writer, grammar: Grammar, kinds: Kinds) -> None:
        self._writer, self._grammar, self._kinds, self._source = writer, grammar, kinds, writer.source

    def go_on(self, statements: int, keep: float) -> None:
        """Add about so many statements that run, and perhaps, in the end, one that does not (with the probability ``keep`` of
        each that is refused)."""
        for _ in range(statements):
            refused = self._statement(keep)
            if refused:
                return

    def _statement(self, keep: float) -> bool:
        """Add a statement; whether one was kept that does not run."""
        for _ in range(4):
            (family,) = self._source.choices(list(self._grammar), weights=list(self._grammar.values()))
            line = self.filled(self._source.choice(family))
            if line is None:
                continue
            kept = self._source.random() < keep
            if self._writer.attempt(line, kept):
                return False
            if kept:
                return True
        return False

    def filled(self, template: str) -> str | None:
        """A template with something for each of its fields, ``None`` if there is nothing for one."""
        fields = [name for _, name, _, _ in string.Formatter().parse(template) if name]
        given: dict[str, str] = {}
        for name in fields:
            if name not in given:
                found = self._field(name, given)
                if found is None:
                    return None
                given[name] = found
        return template.format(**given)

    def _field(self, name: str, given: Mapping[str, str]) -> str | None:
        choice = self._source.choice
        simple = {"c": NUMBERS, "d": POSITIVE, "shape": SHAPES, "dtype": self._kinds.types}
        if name in simple:
            return choice(simple[name])
        if name == "new":
            return self._writer.fresh("z")
        if name == "k":
            return str(self._source.randint(1, 4))
        before = next((given[field] for field in ("x", "i", "b", "a", "n") if field in given), None)
        if name == "axis":
            return self._axis(before)
        if name == "same":
            return self._sizes(before)
        return self._operand(name, before)

    def _operand(self, name: str, before: str | None) -> str | None:
        kinds = self._kinds
        wanted = {
            "x": kinds.floating, "y": kinds.floating, "i": kinds.whole, "j": kinds.whole, "b": kinds.truth, "a": kinds.tensor,
            "e": kinds.tensor, "n": kinds.array, "l": kinds.row, "v": kinds.variable,
        }[name]  # fmt: skip
        names = self._writer.names(wanted)
        if before is not None and self._source.random() < 0.8:
            shape = getattr(self._writer.values.get(before), "shape", None)
            names = [n for n in names if getattr(self._writer.values[n], "shape", None) == shape] or names
        return self._source.choice(names[-6:]) if names else None

    def _axis(self, before: str | None) -> str:
        rank = len(getattr(self._writer.values.get(before or ""), "shape", ()))
        if self._source.random() < 0.06:
            return str(self._source.choice((rank, -rank - 1, rank + 2)))
        return str(self._source.randrange(-rank, rank)) if rank else str(self._source.choice((0, -1)))

    def _sizes(self, before: str | None) -> str:
        """Sizes with as many elements as a tensor has, in most cases."""
        shape = tuple(getattr(self._writer.values.get(before or ""), "shape", ()))
        count = math.prod(size or 0 for size in shape)
        if self._source.random() < 0.08:
            return self._source.choice(SHAPES)
        parts = [d for d in range(1, 9) if count % d == 0] if count else [1]
        first = self._source.choice(parts)
        way = self._source.random()
        if way < 0.4:
            return f"({first}, {count // first})"
        return f"({first}, -1)" if way < 0.8 and count else f"({count},)"
