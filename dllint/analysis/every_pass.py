"""Whether code is executed in every pass of a loop, as it is written.

A test such as ``number % 50 == 0`` is decided in a pass that is followed, so that what stands under it has no condition in the
trace; hence the source is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop
from dllint.ir.program import Site
from dllint.source.walk import children, walk, walk_for

#: Statements whose parts are not executed each time.
_DECIDING: Final = (cst.If, cst.While, cst.Match)
#: Methods by which a pass has begun to train: what ends the pass before them leaves the whole pass out.
_TRAINS: Final = frozenset({"backward", "manual_backward", "step"})


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


def may_be_left_before(site: Site, loop: Loop) -> bool:
    """Whether a pass of a loop that has begun to train may end before a place in it: by a ``continue``, or a ``return`` of a
    function that leads there, behind a backward pass or a step. A pass that ends before is left out as a whole."""
    frames = []
    for place in site.stack():
        around = enclosing(place)
        starts = [number for number, part in enumerate(around) if part is loop.edge.node]
        frames.append((place, around[starts[0] + 1 :] if starts else _in_function(around)))
        if starts:
            break
    else:
        return False
    outermost, *inner = reversed(frames)
    has_begun = False
    for place, around in (outermost, *inner):
        functions = [part for part in enclosing(place) if isinstance(part, cst.FunctionDef)]
        block = loop.edge.node.body if place is outermost[0] else functions[-1].body if functions else None
        ends = cst.Continue if place is outermost[0] else cst.Return
        for statement in _in_front(block, [*around, place.statement]) if block is not None else ():
            if has_begun and _ends(statement, ends):
                return True
            has_begun = has_begun or _trains(statement)
    return False


def _trains(statement: cst.CSTNode) -> bool:
    """Whether a statement calls, as it is written, a method that differentiates or steps."""
    methods = (part.func.attr.value for part in walk_for(statement, cst.Call) if isinstance(part.func, cst.Attribute))
    return any(method in _TRAINS for method in methods)


def _in_front(suite: cst.BaseSuite, path: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """The statements that are executed before the last of nested ones, in the blocks that lead to it."""
    own = {id(part) for part in path}
    for statement in suite.body:
        if id(statement) not in own:
            yield statement
            continue
        for block in (part for part in children(statement) if isinstance(part, cst.BaseSuite)):
            if any(id(part) in own for part in block.body):
                yield from _in_front(block, path)
        return


def _ends(node: cst.CSTNode, kind: type[cst.Continue | cst.Return]) -> bool:
    """Whether a statement may end the pass of the loop, or the call of the function, that it stands in."""
    others = (cst.FunctionDef, cst.ClassDef, cst.BaseExpression)
    if isinstance(node, others) or (kind is cst.Continue and isinstance(node, (cst.For, cst.While))):
        return False
    return isinstance(node, kind) or any(_ends(part, kind) for part in children(node))


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
