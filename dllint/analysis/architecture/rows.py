"""A model as rows: a module each, with its shapes, parameters and costs in words, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Final

from dllint.analysis.architecture.marking import Mark, Marks
from dllint.analysis.architecture.shapes import activations, inputs_of, outputs_of, size_in_bytes
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.weights import Weights
from dllint.domains.dim import Dim, show
from dllint.domains.shape import total_of

#: What the columns are called.
HEAD: Final = ("Layer", "Input", "Output", "Parameters", "Trainable", "Mult-adds")
#: So many columns from the left have texts, the others numbers.
TEXTS: Final = 3
#: Bytes of a parameter: 32-bit floating point.
_BYTES: Final = 4
_MOST_GAPS: Final = 12
_LONGEST: Final = 44
#: So many modules in a row that are alike are one row.
_FEWEST_ALIKE: Final = 3
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")
_FACTOR: Final = 1024


@dataclass(frozen=True, slots=True)
class Row:
    """A module, or several that are alike in a row; ``cells`` are under the names of ``HEAD``. ``marks`` are what is wrong
    with it, and with parts of it that have no row."""

    module: Module
    level: int
    cells: tuple[str, ...]
    marks: tuple[Mark, ...] = ()

    @property
    def codes(self) -> str:
        """The codes of what is wrong."""
        return ", ".join(dict.fromkeys(mark.code for mark in self.marks))


@dataclass(frozen=True, slots=True)
class Table:
    """How a model becomes rows: ``depth`` levels below it. Modules in a row that are alike are one row, unless the table is
    ``unfolded``."""

    depth: int
    unfolded: bool = False
    marks: Marks = field(default_factory=dict)

    def rows(self, root: Module) -> Iterator[Row]:
        """The rows of a model, holders first."""
        return self._rows(root, _titled(root), 0)

    def _rows(self, module: Module, name: str, level: int) -> Iterator[Row]:
        shown = module.walk() if level == self.depth else (module,)
        found = chain.from_iterable(self.marks.get(id(one), ()) for one in shown)
        yield Row(module, level, (name, *cells_of(module)), tuple(dict.fromkeys(found)))
        if level < self.depth:
            for _, alike in groupby(module.children, id if self.unfolded else self._what_it_is):
                yield from self._alike(list(alike), level + 1)

    def _alike(self, children: Sequence[Module], level: int) -> Iterator[Row]:
        if len(children) < _FEWEST_ALIKE:
            for child in children:
                yield from self._rows(child, _titled(child), level)
        else:
            first, last = children[0], children[-1]
            title = f"{first.name} … {last.name}: {first.kind} ({len(children)} alike, each)"
            yield from self._rows(first, title, level)

    def _what_it_is(self, module: Module) -> tuple[object, ...]:
        """The same for modules that are told alike, with all that is in them, but for their own names."""
        below = [(child.name, self._what_it_is(child)) for child in module.children]
        wrong = tuple(self.marks.get(id(module), ()))
        return (module.kind, cells_of(module), wrong, bool(module.others), *module.gaps, *below)


def _titled(module: Module) -> str:
    return f"{module.name}: {module.kind}" if module.name else module.kind


def cells_of(module: Module) -> tuple[str, ...]:
    """What is told of a module under the names of ``HEAD``, without the first."""
    if module.is_again:
        return ("", "", "(above)", "", "")
    weights, calls = module.weights, module.calls
    times = f" ×{len(calls)}" if len(calls) > 1 else ""
    given = " | ".join(dict.fromkeys(map(inputs_of, calls)))
    cost = _short(number(module.cost, is_open=module.has_open_cost)) if _is_called(module) else ""
    return (_short(given), _short(outputs_of(calls) if calls else "") + times, counted(weights), trained(weights), cost)


def _is_called(module: Module) -> bool:
    return any(one.calls for one in module.walk())


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def counted(weights: Weights) -> str:
    """The number of weights of a module; a dash if it has none."""
    return "–" if weights.total == 0 and not weights.is_open else number(weights.total, is_open=weights.is_open)


def trained(weights: Weights) -> str:
    """Whether the weights are trained."""
    if weights.total == 0:
        return ""
    return "yes" if weights.fixed == 0 else "no" if weights.trainable == 0 else "partly"


def number(value: Dim, *, is_open: bool = False) -> str:
    """A number with separators, or an expression of symbols; ``≥`` in front of a lower bound."""
    text = f"{value:,}" if isinstance(value, int) else show(value)
    return f"≥ {text}" if is_open else text


def memory(size: Dim, *, is_open: bool = False) -> str:
    """An amount of memory in a unit that suits it."""
    if not isinstance(size, int):
        return f"{number(size, is_open=is_open)} bytes"
    amount, unit = float(size), 0
    while amount >= _FACTOR and unit + 1 < len(_UNITS):
        amount, unit = amount / _FACTOR, unit + 1
    text = f"{amount:.2f} {_UNITS[unit]}" if unit else f"{size} bytes"
    return f"≥ {text}" if is_open else text


def totals(root: Module) -> Iterator[tuple[str, str]]:
    """The figures of a whole model with their names, which are indented if a figure is part of the one before."""
    weights = root.weights
    yield "Parameters", number(weights.total, is_open=weights.is_open)
    yield "  trainable", number(weights.trainable, is_open=weights.is_open)
    yield "  not trainable", number(weights.fixed)
    yield "  memory (32-bit)", memory(weights.total * _BYTES, is_open=weights.is_open)
    if not root.calls:
        return
    is_open = root.has_open_cost
    yield "Mult-adds", f"{number(root.cost, is_open=is_open)} (two floating-point operations each)"
    given = [size_in_bytes(value) for value in root.calls[-1].inputs]
    known = [size for size in given if size is not None]
    if known and len(known) == len(given):
        yield "Input", memory(total_of(*known))
    yield "Activations of the layers", activations_text(root)


def activations_text(module: Module) -> str:
    """The memory of what the layers in a module give in its calls; empty if it is not called."""
    if module.is_again or not _is_called(module):
        return ""
    total, may_be_more = activations(module)
    return memory(total, is_open=may_be_more)


def wrongs(root: Module, marks: Marks) -> Iterator[str]:
    """What is wrong with the modules of a model, each thing once."""
    found: dict[str, list[str]] = {}
    for module in root.walk():
        for mark in marks.get(id(module), ()):
            found.setdefault(mark.text, []).append(module.path or module.kind)
    yield from _each_with_places(found)


def gaps(root: Module) -> Iterator[str]:
    """What was not followed, each thing once."""
    found: dict[str, list[str]] = {}
    for module in root.walk():
        for gap in module.gaps:
            found.setdefault(gap, []).append(module.path or module.kind)
    yield from _each_with_places(found)


def _each_with_places(found: dict[str, list[str]]) -> Iterator[str]:
    for what, places in list(found.items())[:_MOST_GAPS]:
        yield f"{places[0]}: {what}{f' (and {len(places) - 1} more)' if len(places) > 1 else ''}"
    if len(found) > _MOST_GAPS:
        yield f"… and {len(found) - _MOST_GAPS} more"
