"""Losses that are differentiated twice themselves: whatever has computed them, their graph is gone the second time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.typestate import by_hand, caught, gradients, named, order, reused
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import JOIN, Event, Op, TensorVal
from dllint.lower.lazy import ChoiceVal
from dllint.ops.kinds import does
from dllint.ops.saved import gives_up
from dllint.ops.traits import Trait

#: So many operations are followed backwards.
_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class Twice:
    """``later`` differentiates the loss that ``first`` has differentiated, and given up its graph."""

    first: events.Backward
    later: events.Backward


def twice(facts: Facts) -> Iterator[Twice]:
    """The second backward passes of one loss, each place once, where the first one does not keep the graph."""
    first_of: dict[int, events.Backward] = {}
    seen: set[int] = set()
    for event in facts.events(events.Backward):
        key = id(event.target)
        first = first_of.setdefault(key, event)
        if reused.keeps_graph(first):
            first_of[key] = event
        elif id(event.site.node) not in seen and _raises(first, event, facts):
            seen.add(id(event.site.node))
            yield Twice(first, event)


def _raises(first: events.Backward, later: events.Backward, facts: Facts) -> bool:
    """Whether a backward pass of a loss follows another one of it, and fails where nobody expects that."""
    if first.site.node is later.site.node or later.via is not None or not order.happens_with(first, later):
        return False
    return not caught.is_expected(first, later) and _is_given_up(first, later, facts)


def _is_given_up(first: events.Backward, event: events.Backward, facts: Facts) -> bool:
    """Whether the graph of a loss keeps something that its first backward pass gives up. One of which not all is known does, if
    its loss trains the weights of an optimizer: weights are multiplied, or looked up."""
    loss = event.target
    options = loss.options if isinstance(loss, ChoiceVal) else (loss,)
    losses = [value for value in options if isinstance(value, TensorVal)]
    if not losses:
        return isinstance(loss, Unknown) and _is_one_name(first, event) and _trains(event, facts)
    if any(value.framework != "torch" or value.several for value in losses):
        return False
    if all(_surely_gives_up(value, facts, 0) for value in losses):
        return True
    is_open = any(value.foreign for value in losses) or any(_is_open(op) for op in facts.ancestors(*losses))
    return is_open and _is_one_name(first, event) and _trains(event, facts)


def _is_one_name(first: events.Backward, later: events.Backward) -> bool:
    return named.is_one_object(first, named.receiver(first.site.node), later, named.receiver(later.site.node))


def _surely_gives_up(tensor: TensorVal, facts: Facts, depth: int) -> bool:
    """Whether the graph of a tensor that requires gradients, as the first backward pass has not raised, gives up something
    whichever of the operands it comes from."""
    op = tensor.producer
    if op is None or depth > _MOST or tensor.foreign or tensor.several or not _records(op, facts):
        return False
    if gives_up(op):
        return True
    operands = [value for value in op.inputs if _may_require(value, facts)]
    return bool(operands) and len(operands) <= 2 and all(_surely_gives_up(value, facts, depth + 1) for value in operands)


def _may_require(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor may require gradients: it is none of whole numbers, and was not made where none are recorded."""
    if isinstance(tensor.dtype, DType) and tensor.dtype.kind != "float":
        return False
    op = tensor.producer
    return op is None or (id(op) not in facts.without_gradient and not does(op, Trait.NO_GRADIENT))


def _records(op: Op, facts: Facts) -> bool:
    return op.framework == "torch" and op.kind != JOIN and _may_require(op.output, facts) and id(op) not in facts.own_gradient


def _is_open(op: Op) -> bool:
    """Whether an operation takes what has come from code that is not known."""
    return any(tensor.foreign for tensor in op.inputs) or any(isinstance(value, Unknown) for value in op.args.values())


def _trains(event: events.Backward, facts: Facts) -> bool:
    """Whether an optimizer of torch steps in the loop in which a loss is differentiated."""
    loop = facts.training.innermost(event)
    if loop is None:
        return False
    steps = gradients.steps_of(facts.training.within(loop, Event))
    return bool(steps) and not by_hand.are_handed_back(event, steps[0])
