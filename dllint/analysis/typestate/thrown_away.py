"""Gradients of loops that each pass clears and computes and that no pass applies, of optimizers that the code was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from dllint.analysis.training import Loop, Training, is_optimizer
from dllint.analysis.typestate import by_hand, gradients, named, opaque, order
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event

#: What optimizers are called.
_OPTIMIZER: Final = re.compile(r"opt(?:im|imi[sz]er)?s?(?:_|\b|\d|$)|optim", re.IGNORECASE)
#: Words of code that wants gradients for something else than a step, or steps where nobody sees it.
_OTHERWISE: Final = re.compile(r"\.grad\b|_hook\b|bench|profil|timeit|saliency|grad_?cam", re.IGNORECASE)


def thrown_away(training: Training) -> Iterator[tuple[events.ZeroGrad, events.Backward]]:
    """The loops, followed to their end, that clear the gradients of an optimizer and compute them in every pass, while nothing
    steps it, whatever the caller does with it before and behind."""
    if any(isinstance(event, events.Mention) and event.name == "step" for event in training.events):
        return
    made = {
        id(event.result) for event in training.events if isinstance(event, events.LibraryCall) and is_optimizer(event.result)
    }
    for loop in training.loops:
        happened = training.within(loop, Event)
        passes = [event for event in happened if isinstance(event, events.Backward)]
        if loop.is_cut or len({id(event.site.node) for event in passes}) != 1 or _is_nested(loop, passes[0], training):
            continue
        for cleared in [event for event in happened if isinstance(event, events.ZeroGrad)]:
            if id(cleared.target) not in made and _are_lost(cleared, passes[0], loop, happened, training):
                yield cleared, passes[0]
                break


def _is_nested(loop: Loop, backward: events.Backward, training: Training) -> bool:
    return training.innermost(backward) is not loop


def _are_lost(
    cleared: events.ZeroGrad, backward: events.Backward, loop: Loop, happened: Sequence[Event], training: Training
) -> bool:
    """Whether what a backward pass computes in each pass of a loop is cleared, and is not used before."""
    name = _name(cleared)
    if not name or not _OPTIMIZER.search(name) or not (isinstance(cleared.target, Unknown) or is_optimizer(cleared.target)):
        return False
    if backward.via is not None or not all(order.is_unconditional(event, loop) for event in (cleared, backward)):
        return False
    steps = [event for event in training.events if isinstance(event, events.Step)]
    if gradients.steps_of(happened) or any(opaque.holds(part, cleared.target) for s in steps for part in (s.target, s.via)):
        return False
    if not by_hand.may_add_up(backward.target) or by_hand.are_handed_back(backward, cleared):
        return False
    if any(opaque.may_train(event, cleared.target) for event in happened):
        return False
    code = cst.Module([]).code_for_node(loop.edge.node)
    frames = (frame for event in (cleared, backward) for frame in event.site.stack() if frame.document is not None)
    return f"{name}.step" not in code and not any(_OTHERWISE.search(frame.document.text) for frame in frames)


def _name(cleared: events.ZeroGrad) -> str:
    """The last name of what is cleared."""
    node = named.receiver(cleared.site.node)
    last = node.attr if isinstance(node, cst.Attribute) else node
    return last.value if isinstance(last, cst.Name) else ""
