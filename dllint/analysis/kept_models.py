"""Models that a loop keeps as the best ones so far under another name, without a copy: the steps that follow change them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module, tree
from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop
from dllint.analysis.typestate.groups import trained_modules
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event, Site
from dllint.ir.values import InstanceVal, Value
from dllint.source.walk import small_statements, walk

_COMPARED: Final = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)


@dataclass(frozen=True, slots=True)
class KeptModel:
    """The assignment ``node`` at ``site`` gives the model ``model`` a second name, ``name``; ``step`` trains it further."""

    site: Site
    node: cst.Assign
    name: cst.BaseExpression
    model: cst.BaseExpression
    step: events.Step


def kept_models(facts: Facts) -> Iterator[KeptModel]:
    """The models that a loop keeps where a comparison holds, trains on, and uses under the second name behind, each once."""
    seen = set[int]()
    for loop in facts.training.loops:
        steps = facts.training.within(loop, events.Step)
        for test, line in _under_comparisons(loop) if steps else ():
            for small in small_statements(line):
                found = _kept(small, test, line, loop, facts)
                if found is not None and id(found.node) not in seen:
                    seen.add(id(found.node))
                    yield found


def _under_comparisons(loop: Loop) -> Iterator[tuple[cst.If, cst.SimpleStatementLine]]:
    """The statements of a loop that stand directly under a test which compares sizes, and that the loop goes on behind."""
    for part in walk(loop.edge.node.body):
        if not isinstance(part, cst.If) or not any(isinstance(inner, _COMPARED) for inner in walk(part.test)):
            continue
        if not any(isinstance(inner, (cst.Break, cst.Return, cst.Raise)) for inner in walk(part.body)):
            yield from ((part, line) for line in part.body.body if isinstance(line, cst.SimpleStatementLine))


def _kept(small: cst.CSTNode, test: cst.If, line: cst.SimpleStatementLine, loop: Loop, facts: Facts) -> KeptModel | None:
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    name, model = small.targets[0].target, small.value
    if not _is_place(name) or not _is_place(model) or name.deep_equals(model) or _binds(loop.edge.node, model):
        return None
    step = _trained_by(model, loop, facts)
    if step is None or not _is_read_behind(name, loop):
        return None
    return KeptModel(Site(loop.edge.site.document, line, small, loop.edge.site.caller), small, name, model, step)


def _is_place(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Name, cst.Attribute))


def _binds(loop: cst.For | cst.While, place: cst.BaseExpression) -> bool:
    """Whether a loop gives a place another value, so that it is a model of this pass alone."""
    targets = [part.target for part in walk(loop.body) if isinstance(part, (cst.AssignTarget, cst.For, cst.NamedExpr))]
    targets += [loop.target] if isinstance(loop, cst.For) else []
    return any(part.deep_equals(place) for target in targets for part in walk(target) if type(part) is type(place))


def _trained_by(model: cst.BaseExpression, loop: Loop, facts: Facts) -> events.Step | None:
    """A step in a loop that trains the model of a place: an optimizer has its parameters, or there is one optimizer only and
    the loop applies the model."""
    value = _applied(model, loop, facts)
    steps = facts.training.within(loop, events.Step)
    if isinstance(value, InstanceVal) and is_module(value):
        owned, parts = trained_modules(facts), {id(part) for part in tree(value)}
        known = [step for step in steps if not parts.isdisjoint(owned.get(id(step.target), frozenset()))]
        if known:
            return known[0]
    elif not isinstance(value, Unknown):
        return None
    passes = facts.training.within(loop, events.Backward)
    return steps[0] if len({id(step.site.node) for step in steps}) == 1 and passes else None


def _applied(model: cst.BaseExpression, loop: Loop, facts: Facts) -> Value:
    """The model that a loop applies, or sets to training mode, under a name in its own function; ``None`` if there is none."""
    kinds = (events.ModuleCall, events.OpaqueCall, events.Train)
    for event in (item for item in facts.training.within(loop, Event) if isinstance(item, kinds)):
        node = event.site.node
        called = node.func if isinstance(node, cst.Call) else None
        if isinstance(event, events.Train):
            called = called.value if isinstance(called, cst.Attribute) else None
        if called is not None and called.deep_equals(model) and event.scope == loop.edge.scope:
            return event.target if isinstance(event, events.Train) else event.callee
    return None


def _is_read_behind(name: cst.BaseExpression, loop: Loop) -> bool:
    """Whether a variable is read behind a loop in its function, or an attribute anywhere else in the file."""
    node, site = loop.edge.node, loop.edge.site
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    own = isinstance(name, cst.Name)
    block = functions[-1].body.body if functions and own else site.document.body
    inside = {id(part) for part in walk(node)}
    parts = [part for top in block for part in walk(top)]
    bound = {id(part.target) for part in parts if isinstance(part, cst.AssignTarget)}
    behind = not own
    for part in parts:
        behind = behind or part is node
        if behind and type(part) is type(name) and id(part) not in inside | bound and part.deep_equals(name):
            return True
    return False
