"""Places of one call of a function of which only one is reached, as the call ends behind the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.ir.program import Site

_LOOPS = (cst.For, cst.While)


def ends_before(one: Site, other: Site) -> bool:
    """Whether the call in which two places are reached ends behind ``one``, in front of ``other``: a branch that ``other`` is
    behind comes to ``one``, and then returns."""
    for own, its in _places_of_one_call(one, other):
        around, around_other = _within_function(own), _within_function(its)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(around, around_other, strict=False)))
        if any(isinstance(part, _LOOPS) for part in around[:shared]):
            return False
        path = [*around[shared:], own.statement]
        return _is_behind(its, own) and any(_returns(block) for part in path[:-1] for block in _blocks_with(part, path))
    return False


def _places_of_one_call(one: Site, other: Site) -> Iterator[tuple[Site, Site]]:
    """The places in the innermost call that leads to both, if there is any."""
    callers = {id(place.caller): place for place in other.stack()}
    for place in one.stack():
        its = callers.get(id(place.caller))
        if its is not None:
            if its.document is place.document:
                yield place, its
            return


def _within_function(site: Site) -> list[cst.CSTNode]:
    """The compound statements around a place in its function."""
    around = enclosing(site)
    starts = [number for number, part in enumerate(around) if isinstance(part, cst.FunctionDef)]
    return around[starts[-1] + 1 :] if starts else []


def _is_behind(site: Site, other: Site) -> bool:
    extent = site.document.extent
    return bool(extent(site.statement).start > extent(other.statement).end)


def _blocks_with(part: cst.CSTNode, path: Sequence[cst.CSTNode]) -> Iterator[cst.BaseSuite]:
    """The blocks of a compound statement that hold one of some statements."""
    own = {id(member) for member in path}
    blocks = (child for child in part.children if isinstance(child, cst.BaseSuite))
    yield from (block for block in blocks if any(id(member) in own for member in block.body))


def _returns(block: cst.BaseSuite) -> bool:
    """Whether a block ends with a ``return``."""
    last = block.body[-1] if block.body else None
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return)
