"""Widths of layers in terms of those of the layers beside them, and arguments that stand in each other's place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.domains.dim import Dim, DimExpr, add, bounds, exact_quotient, mul, same
from dllint.domains.lattice import Unknown
from dllint.fixes.arguments import positional_arguments, replace_value
from dllint.fixes.operations import constructor, constructor_argument, is_constant
from dllint.fixes.repairs.flow import Candidate, Faulty, function_around, text_of
from dllint.ir.program import Fault, Site
from dllint.ir.values import InstanceVal, Value
from dllint.source.walk import walk

#: Parameters of layers that say what they take, and what they give.
_TAKES: Final = ("in_features", "in_channels", "num_features", "input_size", "normalized_shape", "num_channels")
_GIVES: Final = ("out_features", "out_channels", "hidden_size", "embedding_dim")
#: Layers whose arguments are looked at.
_LAYERS: Final = 5
#: A width is written as so many times another one, or as such a part of it, at most.
_TIMES: Final = 16


@dataclass(frozen=True, slots=True)
class _Width:
    """A width as it is written in the construction of a layer."""

    cost: int
    name: str
    size: Dim
    site: Site
    arg: cst.Arg
    text: str


def widths(found: Faulty) -> Iterator[Candidate]:
    """A width becomes the expression of another one that has the size which is asked for, a multiple of one, or that number."""
    built = [layer for layer in found.layers if any(_size(layer, name, found) is not None for name in (*_TAKES, *_GIVES))]
    known = [width for distance, layer in enumerate(built[:_LAYERS]) for width in _widths(layer, distance, found)]
    for width in known:
        texts = dict[str, int]()
        for size, doubt in _wanted(width, found.fault):
            for text, further in _spelled(size, width, known):
                texts.setdefault(text, doubt + further)
        for text in _parts(width):
            texts.setdefault(text, 0)
        for text, doubt in texts.items():
            edits = replace_value(width.site, width.arg, text)
            yield Candidate(f"Set {width.name} to {text}", edits, width.cost + (doubt or _doubt(width, text)))


def _wanted(width: _Width, fault: Fault) -> Iterator[tuple[Dim, int]]:
    """The sizes that a width may have to be, with how doubtful each is: one of the two that differ; of a layer that makes a
    part of what is joined, as much less or more as is too much or missing; of one whose result is repeated, folded or split,
    in the ratio of the two."""
    expected, actual, size = fault.expected, fault.actual, width.size
    both = [one for one in (expected, actual) if isinstance(one, (int, DimExpr))]
    yield from ((one, 0) for one in both if not same(one, size))
    if width.name in _GIVES and len(both) == 2 and not any(same(one, size) for one in both):
        rest = add(both[0], mul(-1, both[1]))
        part = add(size, rest)
        if (bounds(part)[0] or 0) > 0:
            yield part, 1
        ratio = exact_quotient(mul(size, both[0]), both[1])
        if ratio is not None and not same(ratio, size):
            yield ratio, 1


def _spelled(size: Dim, width: _Width, known: Sequence[_Width]) -> Iterator[tuple[str, int]]:
    """How a size may be written in the place of a width, with how doubtful each is."""
    beside = [other for other in known if _in_one_function(width, other)]
    exact = [other.text for other in beside if other.text != width.text and same(other.size, size)]
    yield from ((text, 0) for text in exact)
    if is_constant(width.arg.value) and isinstance(size, int):
        yield str(size), 0
    names = {other.text: other for other in beside if isinstance(other.arg.value, (cst.Name, cst.Attribute))}
    for other in () if exact else names.values():
        times = exact_quotient(size, other.size)
        parts = exact_quotient(other.size, size)
        if isinstance(times, int) and 1 < times <= _TIMES:
            yield f"{other.text} * {times}", 1
        elif isinstance(parts, int) and 1 < parts <= _TIMES:
            yield f"{other.text} // {parts}", 1


def _parts(width: _Width) -> list[str]:
    """The names in the sum or product that a width is written as: ``dim`` of ``dim * 2``."""
    if not isinstance(width.arg.value, cst.BinaryOperation):
        return []
    sides = (width.arg.value.left, width.arg.value.right)
    return [text_of(width.site, side) for side in sides if isinstance(side, (cst.Name, cst.Attribute))]


def _doubt(width: _Width, text: str) -> int:
    """How little speaks for an expression in the place of another: what fewer layers of the function are written with is not
    what most of them mean, and a number says less than an expression does."""
    around = function_around(width.site)
    arguments = [part for part in walk(around) if isinstance(part, cst.Arg)] if around is not None else []
    count = Counter(cst.Module([]).code_for_node(part.value) for part in arguments)
    return 3 * (count[text] < count[width.text]) + (text.isdigit() and not width.text.isdigit())


def swapped(found: Faulty) -> Iterator[Candidate]:
    """The first two arguments of a layer exchange their places."""
    for distance, layer in enumerate(found.layers[:_LAYERS]):
        built = constructor(layer)
        given = positional_arguments(built[1]) if built is not None else []
        if built is None or len(given) < 2 or text_of(built[0], given[0].value) == text_of(built[0], given[1].value):
            continue
        site, (first, second) = built[0], given[:2]
        edits = (
            *replace_value(site, first, text_of(site, second.value)),
            *replace_value(site, second, text_of(site, first.value)),
        )
        yield Candidate("Exchange the first two arguments", edits, (1 if _fits(layer, found) else 5) + distance)


def _fits(layer: InstanceVal, found: Faulty) -> bool:
    """Whether what a layer is declared to give is what it is given."""
    gives = [size for name in _GIVES if (size := _size(layer, name, found)) is not None]
    takes = [size for name in _TAKES if (size := _size(layer, name, found)) is not None]
    needed = (found.fault.actual, found.fault.expected)
    return any(isinstance(size, (int, DimExpr)) and same(size, own) for size in needed for own in gives) and any(
        isinstance(size, (int, DimExpr)) and same(size, own) for size in needed for own in takes
    )


def _widths(layer: InstanceVal, distance: int, found: Faulty) -> Iterator[_Width]:
    for name in (*_TAKES, *_GIVES):
        size, written = _size(layer, name, found), constructor_argument(layer, name)
        if size is not None and written is not None:
            site, arg = written
            yield _Width(_cost(name, distance, found), name, size, site, arg, text_of(site, arg.value))


def _cost(name: str, distance: int, found: Faulty) -> int:
    """How far-fetched another width is: what the failing layer takes is as likely wrong as what the layer before it gives, and
    what it gives itself is not looked at by its operation."""
    if found.op.layer is None or name in _TAKES:
        return 2 + min(distance, 2)
    return 2 + min(distance - 1, 2) if distance else 5


def _size(layer: InstanceVal, name: str, found: Faulty) -> Dim | None:
    """The size that a layer was built with, or, of a parameter that anybody may give, what it stands for where the layer is
    applied."""
    value: Value = layer.layer.args.get(name) if layer.layer is not None else None
    if isinstance(value, Unknown):
        value = next((op.args[name] for op in found.flow if op.layer is layer and name in op.args), None)
    return value if isinstance(value, (int, DimExpr)) else None


def _in_one_function(one: _Width, other: _Width) -> bool:
    return one.site.document is other.site.document and function_around(one.site) is function_around(other.site)
