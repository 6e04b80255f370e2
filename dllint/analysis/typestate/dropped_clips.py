"""Gradients of TensorFlow that are clipped without effect: the clipped ones are new tensors, and nothing takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing, is_own_statement
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Site
from dllint.source.walk import small_statements, walk

#: Functions that give clipped tensors, of which those that are given stay as they are (TensorFlow 2).
_CLIPPING: Final = frozenset({
    "tensorflow.clip_by_norm", "tensorflow.clip_by_value", "tensorflow.clip_by_global_norm", "tensorflow.clip_by_average_norm",
})  # fmt: skip
_GRADIENT: Final = "tensorflow.GradientTape.gradient"
_APPLIED: Final = (".apply_gradients", ".apply")


@dataclass(frozen=True, slots=True)
class DroppedClip:
    """``clip`` gives clipped gradients that nothing takes, and ``applied`` applies others."""

    clip: events.LibraryCall
    applied: events.LibraryCall


def dropped_clips(facts: Facts) -> Iterator[DroppedClip]:
    """The calls that clip gradients of a tape, each place once, whose results are dropped before gradients are applied."""
    calls = facts.events(events.LibraryCall)
    seen, computed = set[int](), list[events.LibraryCall]()
    for number, call in enumerate(calls):
        if call.name == _GRADIENT:
            computed.append(call)
        if call.name not in _CLIPPING or id(call.site.node) in seen or not _takes_gradients(call, computed):
            continue
        applied = next((other for other in calls[number:] if other.name.endswith(_APPLIED)), None)
        if applied is not None and _is_dropped(call.site):
            seen.add(id(call.site.node))
            yield DroppedClip(call, applied)


def _takes_gradients(call: events.LibraryCall, computed: Sequence[events.LibraryCall]) -> bool:
    """Whether a call is given what a tape has computed, or a part of it."""
    value = call.given[0] if call.given else None
    if isinstance(value, Unknown) and (value.reason, value.detail) == ("training-result", "gradient"):
        return bool(computed)
    return any(value is gradient.result for gradient in computed)


def _is_dropped(site: Site) -> bool:
    """Whether the value of an expression is a statement, or goes to a variable that nothing reads."""
    if is_own_statement(site) or _is_listed_for_nothing(site):
        return True
    names = _bound(site)
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    if not names or not functions:
        return False
    parts = list(walk(functions[-1].body))
    unread = {id(inner) for part in parts for inner in _not_reads(part, site)}
    return not any(isinstance(part, cst.Name) and part.value == names[0] and id(part) not in unread for part in parts)


def _is_listed_for_nothing(site: Site) -> bool:
    """Whether a comprehension that is a statement of its own computes an expression."""
    own = (small.value for small in small_statements(site.statement) if isinstance(small, cst.Expr))
    return any(isinstance(value, cst.BaseComp) and any(part is site.node for part in walk(value)) for value in own)


def _bound(site: Site) -> list[str]:
    """The variables that are assigned the value of an expression, or a list of such values."""
    for small in small_statements(site.statement):
        if isinstance(small, cst.Assign) and len(small.targets) == 1 and _is_value(small.value, site.node):
            target = small.targets[0].target
            elements = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
            bound = [element.value for element in elements] or [target]
            return [name.value for name in bound[:1] if isinstance(name, cst.Name)]
    return []


def _is_value(value: cst.BaseExpression, node: cst.CSTNode) -> bool:
    return value is node or (isinstance(value, (cst.ListComp, cst.GeneratorExp)) and value.elt is node)


def _not_reads(part: cst.CSTNode, site: Site) -> Iterator[cst.CSTNode]:
    """The names in a part of the tree that bind a variable or are no variables, and those that the expression itself reads."""
    if isinstance(part, (cst.AssignTarget, cst.For, cst.CompFor)):
        yield from walk(part.target)
    if isinstance(part, cst.Arg) and part.keyword is not None:
        yield part.keyword
    if isinstance(part, cst.Attribute):
        yield part.attr
    if part is site.node:
        yield from walk(part)
