"""Expressions that are statements of their own, so that what they give is lost: where they stand, and who looks at it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import libcst as cst

from dllint.ir.program import Site
from dllint.source.document import Document
from dllint.source.notebook_names import SUFFIX as NOTEBOOK
from dllint.source.walk import children, small_statements, walk

#: How scripts that are made from notebooks, or are run part by part, mark the beginning of a part.
_PART: Final = re.compile(r"[ \t]*#[ \t]*(?:%%|In ?\[|dllint: cell)")
#: What contexts are named after that expect an error, measure or record what is done in them.
_WATCHING: Final = re.compile(r"raises|assert|warns|suppress|time|profil|bench|record|trace|count|graph|scope|control", re.I)

#: How code asks for the time.
_CLOCK: Final = re.compile(r"\btime\.|perf_counter|process_time|synchronize|\btimer?\b|%time", re.I)


def is_own_statement(site: Site) -> bool:
    """Whether the expression at a site is a whole statement."""
    return any(isinstance(part, cst.Expr) and part.value is site.node for part in small_statements(site.statement))


def is_displayed(site: Site) -> bool:
    """Whether the result of an expression is shown: it ends a cell of a notebook, or a part of a script that is made like one.
    A module that has such marks at all shows what stands last."""
    document = site.document
    if not any(top is site.statement for top in document.body):
        return False
    lines = document.text.splitlines()
    following = document.extent(site.statement).last.line
    for line in lines[following:]:
        if line.strip():
            return _PART.match(line) is not None
    return document.path.suffix == NOTEBOOK or any(map(_PART.match, lines))


def is_watched(site: Site) -> bool:
    """Whether a statement stands where an error is expected, or where what is done is measured or recorded."""
    around = enclosing(site)
    return any(_watches(part, site) for part in around) or any(
        _CLOCK.search(_code(other)) for node in _repeated(site, around) for other in _beside(site, around, node)
    )


def _repeated(site: Site, around: list[Any]) -> Iterator[cst.CSTNode]:
    """A statement, and the loops of which it is all that they do."""
    node: Any = site.statement
    yield node
    for part in reversed(around):
        if not isinstance(part, (cst.For, cst.While)) or list(part.body.body) != [node]:
            return
        yield part
        node = part


def _beside(site: Site, around: list[Any], node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statements directly before and after one."""
    suites = [list(site.document.body), *(list(suite.body) for part in around if (suite := getattr(part, "body", None)))]
    for block in suites:
        place = next((number for number, member in enumerate(block) if member is node), None)
        if place is not None:
            yield from (*block[max(place - 1, 0) : place], *block[place + 1 : place + 2])


def _watches(part: cst.CSTNode, site: Site) -> bool:
    if isinstance(part, cst.Try):
        return bool(part.handlers) and any(node is site.statement for node in walk(part.body))
    if isinstance(part, cst.With):
        return any(_WATCHING.search(_code(item.item)) for item in part.items)
    return False


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def enclosing(site: Site) -> list[Any]:
    """The compound statements around a site's statement, outermost first."""
    document: Document = site.document
    for top in document.chunk_of(site.statement).statements:
        if (found := _path(top, site.statement)) is not None:
            return found
    return []


def tests_within(site: Site, loop: cst.CSTNode) -> Iterator[tuple[cst.If, cst.CSTNode]]:
    """The tests around a statement within a loop, or in the functions through which the loop comes to it, innermost first, each
    with the statement in it that is the statement, or calls what comes to it."""
    for frame in site.stack():
        around = enclosing(frame)
        inside = next((number for number, part in enumerate(around) if part is loop), None)
        functions = [number for number, part in enumerate(around) if isinstance(part, cst.FunctionDef)]
        first = inside if inside is not None else functions[-1] if functions else len(around)
        yield from ((part, frame.statement) for part in reversed(around[first + 1 :]) if isinstance(part, cst.If))
        if inside is not None:
            return


def is_in_comprehension(site: Site, loop: cst.CSTNode) -> bool:
    """Whether a comprehension in a loop, or in the functions through which the loop comes to a place, performs it: more often
    than the loop goes round."""
    for frame in site.stack():
        if any(part is loop for part in enclosing(frame)):
            return stands_in_comprehension(frame)
        if stands_in_comprehension(frame):
            return True
    return False


def stands_in_comprehension(site: Site) -> bool:
    """Whether an expression is a part of a comprehension in its statement."""
    parts = (part for statement in small_statements(site.statement) for part in walk(statement))
    return any(isinstance(part, cst.BaseComp) and any(inner is site.node for inner in walk(part)) for part in parts)


def repeating(site: Site) -> tuple[Site, cst.BaseComp | None]:
    """The innermost comprehension that performs what happens at a place again and again, with the place in its function that
    stands in it. What it goes over is computed once."""
    for frame in site.stack():
        statements = small_statements(frame.statement)
        found = (part for one in statements for part in walk(one) if isinstance(part, cst.BaseComp))
        around = [part for part in found if _repeats(part, frame.node)]
        if around:
            return frame, min(around, key=lambda part: sum(1 for _ in walk(part)))
    return site, None


def going_over(site: Site) -> cst.BaseComp | None:
    """The comprehension that goes over what an expression gives."""
    for statement in small_statements(site.statement):
        for part in walk(statement):
            if isinstance(part, cst.BaseComp) and any(inner is site.node for inner in walk(part.for_in.iter)):
                return part
    return None


def _repeats(comprehension: cst.BaseComp, node: cst.CSTNode) -> bool:
    once = any(part is node for part in walk(comprehension.for_in.iter))
    return not once and any(part is node for part in walk(comprehension))


def _path(node: cst.CSTNode, wanted: cst.CSTNode) -> list[cst.CSTNode] | None:
    if node is wanted:
        return []
    if isinstance(node, cst.SimpleStatementLine):
        return None
    for child in children(node):
        if isinstance(child, cst.BaseExpression):
            continue
        found = _path(child, wanted)
        if found is not None:
            return [node, *found] if isinstance(node, cst.BaseCompoundStatement) else found
    return None


def texts_after(site: Site) -> Iterator[str]:
    """The code that is executed after a statement with the same local names: what follows in its function but for the other
    arms of conditions that it stands under, and what stands before it in a loop around it."""
    document, text = site.document, site.document.text
    around = enclosing(site)
    places = [number for number, part in enumerate(around) if isinstance(part, (cst.FunctionDef, cst.ClassDef))]
    inside = around[places[-1] :] if places else around
    span = document.extent(site.statement)
    end = document.extent(inside[0]).end if places else len(text)
    others = [
        (document.extent(of_arm).end, document.extent(of_others).end)
        for of_arm, of_others in _last_of_arms([*inside, site.statement])
    ]
    yield _without(text, span.end, end, others)
    loops = (part for part in inside if isinstance(part, (cst.For, cst.While)))
    if (loop := next(loops, None)) is not None:
        yield text[document.extent(loop).start : span.start]


def _last_of_arms(path: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """For each condition on the way to a statement, from the innermost, under whose test it stands: the last statement of that
    arm, and that of the arms behind it."""
    for part, inner in reversed(list(pairwise(path))):
        if not isinstance(part, cst.If) or not any(child is inner for child in part.body.body):
            continue
        last: cst.If | cst.Else = part
        while isinstance(last, cst.If) and last.orelse is not None:
            last = last.orelse
        if last is not part and isinstance(part.body, cst.IndentedBlock) and isinstance(last.body, cst.IndentedBlock):
            yield part.body.body[-1], last.body.body[-1]


def _without(text: str, start: int, end: int, parts: Iterable[tuple[int, int]]) -> str:
    """A piece of a text without some parts of it, which are given by start and end, in order."""
    kept = []
    for first, last in parts:
        kept.append(text[start:first])
        start = max(start, last)
    return "".join([*kept, text[start:end]])


def is_read_after(site: Site, name: str) -> bool:
    """Whether code after a statement speaks of a name or dotted name otherwise than to assign to it first. What is assigned
    under a condition or in a loop that follows may not be."""
    speaks = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    for text in texts_after(site):
        level = len(text)
        for line in filter(str.strip, text.splitlines()):
            indentation = len(line) - len(line.lstrip())
            level = min(level, indentation)
            found = speaks.search(line)
            if found is None:
                continue
            assigned = re.match(r"[ \t]*=(?!=)(.*)", line[found.end() :])
            if assigned is None or speaks.search(assigned[1]) is not None:
                return True
            if indentation == level:
                return False
    return False
