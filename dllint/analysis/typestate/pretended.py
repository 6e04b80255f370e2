"""Losses whose graph ends before the weights, made to look differentiable by ``requires_grad``.

``backward`` raises for a tensor that nothing differentiable leads to. Who asks such a tensor for its gradient afterwards
(``loss.requires_grad_()``, ``Variable(loss.data, requires_grad=True)``, ``torch.tensor(loss.item(), requires_grad=True)``)
makes it a leaf: ``backward`` runs, gives the leaf a gradient, and reaches no weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.data_parts import DataParts
from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_weighted
from dllint.analysis.ranges.uses import is_weight
from dllint.analysis.typestate.leaves import COPYING, Asking, asking
from dllint.analysis.typestate.recording import may_have_weights
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: What ends a graph: operations that pass no gradient back, or whose result is truth or a place.
_ENDS: Final = (Trait.NO_GRADIENT, Trait.TRUTH, Trait.POSITIONS)
#: So many operations are followed back from a loss.
_MOST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Pretended:
    """``backward`` goes no further than the tensor that was asked for its gradient; ``end``: what ends the graph before it."""

    backward: events.Backward
    asking: Asking
    end: Op | None


def pretended(facts: Facts) -> Iterator[Pretended]:
    """The backward passes that reach no weight, because a tensor on their way was made a leaf."""
    passes = facts.events(events.Backward)
    leaves = list(asking(facts)) if passes else []
    if not leaves or any(call.name.startswith("torch.autograd.grad") for call in facts.events(events.LibraryCall)):
        return
    flow, seen = DataParts(facts), set[int]()
    for event in passes:
        if id(event.site.node) in seen:
            continue
        for ask, tensor in leaves:
            end = _ended_at(event.target, ask, tensor, flow, facts)
            if end is not False:
                seen.add(id(event.site.node))
                yield Pretended(event, ask, end if isinstance(end, Op) else None)
                break


def _ended_at(loss: Value, ask: Asking, tensor: Value, flow: DataParts, facts: Facts) -> Op | bool:
    """The operation that ends the graph of a loss, if all of it ends before the weights and ``tensor`` is on its way; true if
    the call that asks copies the numbers alone; else false."""
    copies = isinstance(ask, events.LibraryCall) and ask.name in COPYING
    if copies and not _is_computed(ask, flow):
        return False
    if isinstance(loss, Unknown) or isinstance(tensor, Unknown):
        return copies and loss is tensor
    if not isinstance(loss, TensorVal) or not isinstance(tensor, TensorVal) or loss.framework != "torch":
        return False
    met = False
    todo, seen = [loss], set[int]()
    while todo:
        current = todo.pop()
        if current.id in seen:
            continue
        seen.add(current.id)
        if current.is_same_object(tensor):
            met = True
        elif len(seen) > _MOST or _may_lead_to_weights(current, facts):
            return False
        elif current.producer is not None and not _is_end(current.producer, facts):
            todo.extend(current.producer.inputs)
    return met and (copies or _end_before(tensor, facts))


def _end_before(leaf: TensorVal, facts: Facts) -> Op | bool:
    """The operation that cuts a tensor off from the weights it was computed with; false if it was not computed by any, or is
    not cut off from all of them."""
    end: Op | bool = False
    todo, seen = [leaf], set[int]()
    while todo:
        current = todo.pop()
        if current.id in seen:
            continue
        seen.add(current.id)
        maker = current.producer
        if len(seen) > _MOST or _may_lead_to_weights(current, facts):
            return False
        if maker is not None and _is_end(maker, facts):
            end = maker if end is False and _comes_from_weights(maker, facts) else end
        elif maker is not None:
            todo.extend(maker.inputs)
    return end


def _is_end(op: Op, facts: Facts) -> bool:
    """Whether an operation passes no gradient back."""
    return any(does(op, trait) for trait in _ENDS) and id(op) not in facts.own_gradient


def _is_computed(ask: Asking, flow: DataParts) -> bool:
    """Whether the numbers that are copied are what a model with weights has computed."""
    givens = ask.given if isinstance(ask, events.LibraryCall) else ()
    return any(
        isinstance(value, TensorVal) and value.producer is not None and is_weighted(value.producer)
        for given in givens
        for value in flow.sources(given)
    ) or any(isinstance(given, Unknown) and given.reason == "unknown-callee" for given in givens)


def _comes_from_weights(op: Op, facts: Facts) -> bool:
    """Whether what an operation cuts off is what a model has computed: that was to be differentiated."""
    return any(is_weighted(other) or any(map(is_weight, other.inputs)) for other in facts.ancestors(*op.inputs))


def _may_lead_to_weights(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor is a weight, or comes from an operation that has weights or takes something that is not known."""
    op = tensor.producer
    if op is None:
        return tensor.foreign or is_weight(tensor)
    if _is_end(op, facts):
        return False
    return may_have_weights(op.layer) or does(op, Trait.VARIABLE) or any(isinstance(v, Unknown) for v in op.args.values())
