"""Whether code is executed in every pass of a loop, as it is written.

A test such as ``number % 50 == 0`` is decided in a pass that is followed, so that what stands under it has no condition in the
trace; hence the source is asked.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop
from dllint.ir.program import Site
from dllint.source.walk import walk

#: Statements whose parts are not executed each time.
_DECIDING: Final = (cst.If, cst.While, cst.Match)


def is_in_every_pass(site: Site, loop: Loop) -> bool:
    """Whether no test and no handler of errors stands between a loop and a place in it, in the functions that lead there."""
    for place in site.stack():
        around = enclosing(place)
        starts = [number for number, part in enumerate(around) if part is loop.edge.node]
        own = around[starts[0] + 1 :] if starts else _in_function(around)
        if any(isinstance(part, _DECIDING) or _is_in_handler(part, place) for part in own):
            return False
        if starts:
            return True
    return False


def place_in(site: Site, loop: Loop) -> Site:
    """The place in the body of a loop from which another place is reached: that place itself, or a call that leads there."""
    for place in site.stack():
        if any(part is loop.edge.node for part in enclosing(place)):
            return place
    return site


def _in_function(around: list[cst.CSTNode]) -> list[cst.CSTNode]:
    """The statements within the innermost function."""
    starts = [number for number, part in enumerate(around) if isinstance(part, cst.FunctionDef)]
    return around[starts[-1] + 1 :] if starts else around


def _is_in_handler(part: cst.CSTNode, site: Site) -> bool:
    if not isinstance(part, cst.Try):
        return False
    return not any(node is site.statement for node in walk(part.body))
