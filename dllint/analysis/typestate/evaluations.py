"""Evaluations that record gradients which nobody asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import has_weights, library_of
from dllint.analysis.own_statements import enclosing
from dllint.analysis.recorded import may_be_switched_off
from dllint.analysis.training import Loop
from dllint.analysis.typestate import opaque
from dllint.analysis.typestate.modes import EvaluatedInLoop
from dllint.ir import events
from dllint.ir.program import SCRIPT, Event, Op, Site, TensorVal
from dllint.ir.values import InstanceVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: Words of code that asks for gradients of an evaluation, or of releases that switch them off for the inputs.
_ASKS: Final = re.compile(
    r"grad|adversar|attack|fgsm|pgd|perturb|saliency|attribut|captum|jacob|hessian|forces?\b|energ|volatile|inversion|langevin",
    re.IGNORECASE,
)
#: Code that differentiates inside of a model, as potentials do to get forces.
_INSIDE: Final = re.compile(r"autograd\.grad\b|create_graph|enable_grad")
#: Words of code that looks at classes: a model that is not known computes them without gradients.
_CLASSIFIES: Final = re.compile(r"argmax|topk|\.max\(|\bmax\(|softmax|accura|correct|predict|sigmoid", re.IGNORECASE)
#: Code that adds up losses as numbers.
_MEASURES: Final = re.compile(r"\.item\(\)|float\(loss", re.IGNORECASE)
#: Words of code whose models differentiate inside, or may.
_DIFFERENTIAL: Final = re.compile(
    r"autograd\.grad\b|create_graph|enable_grad|requires_grad|forces?\b|energ|hessian|jacob|langevin|physics|derivat|laplac"
    r"|residual_loss|hamilton|lagrang",
    re.IGNORECASE,
)
#: What decorators are named after that may switch gradients off.
_QUIET: Final = re.compile(r"grad|infer|eval|test", re.IGNORECASE)


def with_gradients(facts: Facts) -> Iterator[EvaluatedInLoop]:
    """The loops that evaluate a model and record gradients on every way to them, although nothing asks for those."""
    if facts.events(events.LibraryCall) and not _may_be_called_without(facts):
        for found in facts.modes.evaluated_with_gradients():
            if not _asks(found, facts) and not _is_differentiated(found, facts):
                yield found


def _may_be_called_without(facts: Facts) -> bool:
    """Whether who calls the entry may have switched gradients off: not of a script, nor of what trains by itself."""
    program = facts.program
    return program.entry != SCRIPT and not program.takes_nothing and not facts.events(events.Backward)


def _asks(found: EvaluatedInLoop, facts: Facts) -> bool:
    """Whether gradients are switched off in a way that is not followed, or are wanted."""
    site, model = found.application.site, found.application.callee
    if isinstance(model, InstanceVal) and (library_of(model.cls) == "keras" or not has_weights(model)):
        return True  # what records no gradients by itself, or a loss, whose operands may have no graph
    if may_be_switched_off(site, facts) or _is_decorated_quietly(site):
        return True
    code = _code(found.loop.edge.node)
    if _ASKS.search(code) or _ASKS.search(found.application.scope):
        return True
    if not isinstance(model, InstanceVal) and not _CLASSIFIES.search(code) and not _is_measured(code, site, facts):
        return True
    happened = facts.program.trace[found.loop.start : found.loop.end]
    if any(isinstance(item, Op) and does(item, Trait.GRADIENT) for item in happened):
        return True
    frames = (frame for item in happened for frame in item.site.stack() if frame.document is not None)
    documents = {id(frame.document): frame.document for frame in frames}
    if any(_INSIDE.search(document.text) for document in documents.values()):
        return True
    return opaque.is_handed_on(model, [item for item in happened if isinstance(item, Event)])


def _is_measured(code: str, site: Site, facts: Facts) -> bool:
    """Whether a loop adds up losses as numbers, in a program that trains and in none of whose files a model that is not known
    seems to differentiate inside."""
    if _MEASURES.search(code) is None or not facts.events(events.Backward):
        return False
    frames = (frame for event in (site, *(event.site for event in facts.events(events.Backward))) for frame in event.stack())
    documents = {id(frame.document): frame.document for frame in frames if frame.document is not None}
    return not any(_DIFFERENTIAL.search(document.text) for document in documents.values())


def _is_decorated_quietly(site: Site) -> bool:
    """Whether a function on the way to a place has a decorator that may switch gradients off."""
    frames = (frame for frame in site.stack() if frame.document is not None and frame.statement is not None)
    functions = (part for frame in frames for part in enclosing(frame) if isinstance(part, cst.FunctionDef))
    return any(_QUIET.search(_code(decorator)) for function in functions for decorator in function.decorators)


def _is_differentiated(found: EvaluatedInLoop, facts: Facts) -> bool:
    """Whether something that is differentiated comes, or may come, from what a loop has computed."""
    loop = found.loop
    made = {id(item) for item in facts.program.trace[loop.start : loop.end] if isinstance(item, Op)}
    behind = [event for event in facts.training.after(loop) if isinstance(event, events.Backward)]
    losses = [event.target for event in behind if isinstance(event.target, TensorVal)]
    if any(id(op) in made for op in facts.ancestors(*losses)):
        return True
    unknown = (event for event in behind if not isinstance(event.target, TensorVal))
    return any(not _has_own_data(facts.training.innermost(event), loop) for event in unknown)


def _has_own_data(other: Loop | None, loop: Loop) -> bool:
    """Whether a backward pass stands in a loop over data that begins behind another one."""
    return other is not None and other.start > loop.end and isinstance(other.edge.node, cst.For)


def is_followed(found: EvaluatedInLoop, facts: Facts) -> bool:
    """Whether all that a loop does is known."""
    opaque_calls = facts.training.within(found.loop, events.OpaqueCall)
    return isinstance(found.application.callee, InstanceVal) and not opaque_calls


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
