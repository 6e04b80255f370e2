"""``dllint summary`` as a table: a row for each module, then totals, then what was not followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from dllint.analysis.architecture.shapes import activations, inputs_of, outputs_of, size_in_bytes
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.weights import Weights
from dllint.domains.dim import Dim, show
from dllint.domains.shape import total_of

HEAD: Final = ("Layer", "Input", "Output", "Parameters", "Trainable", "Mult-adds")
#: Bytes of a parameter: 32-bit floating point.
_BYTES: Final = 4
_MOST_GAPS: Final = 12
_LONGEST: Final = 44
#: So many modules in a row that are alike are one row.
_FEWEST_ALIKE: Final = 3
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")
_FACTOR: Final = 1024


def table(root: Module, title: str, depth: int, asked: Sequence[str] = (), *, unfolded: bool = False) -> Iterator[str]:
    """The lines about a model; ``depth`` is how many levels below it are shown, ``asked`` what its parameters have to
    fulfil. Modules in a row that are alike are one row, unless the table is ``unfolded``."""
    rows = [HEAD, *_rows(root, _titled(root), 0, depth, 1 if unfolded else _FEWEST_ALIKE)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    yield title
    yield rule
    for number, row in enumerate(rows):
        yield _line(row, widths)
        if not number:
            yield rule
    yield rule
    yield from _totals(root)
    if asked:
        yield "Runs only if:"
        yield from (f"  {relation}" for relation in asked)
    yield from _gaps(root)


def _rows(module: Module, name: str, level: int, depth: int, fewest: int) -> Iterator[tuple[str, ...]]:
    """The rows of a module and those below it; ``fewest`` is how many that are alike are one row, 1 for none."""
    yield _row(module, name, level)
    if level < depth:
        for _, alike in groupby(module.children, _what_it_is if fewest > 1 else id):
            children = list(alike)
            if len(children) < max(fewest, 2):
                for child in children:
                    yield from _rows(child, _titled(child), level + 1, depth, fewest)
            else:
                first, last = children[0], children[-1]
                title = f"{first.name} … {last.name}: {first.kind} ({len(children)} alike, each)"
                yield from _rows(first, title, level + 1, depth, fewest)


def _what_it_is(module: Module) -> tuple[object, ...]:
    """The same for modules that are told alike, with all that is in them, but for their own names."""
    below = [(child.name, _what_it_is(child)) for child in module.children]
    return (module.kind, _row(module, "", 0), bool(module.others), *module.gaps, *below)


def _titled(module: Module) -> str:
    return f"{module.name}: {module.kind}" if module.name else module.kind


def _row(module: Module, name: str, level: int) -> tuple[str, ...]:
    label = f"{'  ' * level}{name}"
    if module.is_again:
        return (label, "", "", "(above)", "", "")
    weights, calls = module.weights, module.calls
    times = f" ×{len(calls)}" if len(calls) > 1 else ""
    given = " | ".join(dict.fromkeys(map(inputs_of, calls)))
    cost = _short(number(module.cost, is_open=module.has_open_cost)) if _is_called(module) else ""
    return (label, _short(given), _short(outputs_of(calls) if calls else "") + times, counted(weights), trained(weights), cost)


def _is_called(module: Module) -> bool:
    return any(one.calls for one in module.walk())


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    left, right = row[:3], row[3:]
    cells = [text.ljust(width) for text, width in zip(left, widths, strict=False)]
    cells += [text.rjust(width) for text, width in zip(right, widths[3:], strict=False)]
    return "  ".join(cells).rstrip()


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


def _totals(root: Module) -> Iterator[str]:
    weights = root.weights
    yield f"Parameters: {number(weights.total, is_open=weights.is_open)}"
    yield f"  trainable: {number(weights.trainable, is_open=weights.is_open)}"
    yield f"  not trainable: {number(weights.fixed)}"
    yield f"  memory (32-bit): {memory(weights.total * _BYTES, is_open=weights.is_open)}"
    if not root.calls:
        yield "It is not called: --input 1,3,224,224 gives it a tensor of that shape."
        return
    is_open = root.has_open_cost
    yield f"Mult-adds: {number(root.cost, is_open=is_open)} (two floating-point operations each)"
    given = [size_in_bytes(value) for value in root.calls[-1].inputs]
    known = [size for size in given if size is not None]
    if known and len(known) == len(given):
        yield f"Input: {memory(total_of(*known))}"
    total, may_be_more = activations(root)
    yield f"Activations of the layers: {memory(total, is_open=may_be_more)}"


def _gaps(root: Module) -> Iterator[str]:
    """What was not followed, each thing once."""
    found: dict[str, list[str]] = {}
    for module in root.walk():
        for gap in module.gaps:
            found.setdefault(gap, []).append(module.path or module.kind)
    if found:
        yield "Not followed:"
    for gap, places in list(found.items())[:_MOST_GAPS]:
        yield f"  {places[0]}: {gap}{f' (and {len(places) - 1} more)' if len(places) > 1 else ''}"
    if len(found) > _MOST_GAPS:
        yield f"  … and {len(found) - _MOST_GAPS} more"
