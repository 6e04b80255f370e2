"""Where gradients are recorded, and losses that were computed where they are not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import has_weights
from dllint.analysis.ranges.uses import NO_GRADIENT, is_weight
from dllint.analysis.typestate import named, order
from dllint.analysis.typestate.leaves import COPYING, asking
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import SCRIPT, Event, Op, TensorVal
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: Contexts that record gradients, or do so by their argument.
_OTHER: Final = frozenset({"torch.enable_grad", "torch.set_grad_enabled"})
#: What asks for the gradients of tensors that are no weights, perhaps.
_ASKS: Final = re.compile(r"requires_grad(?!\s*=\s*False\b|_\(\s*(?:requires_grad\s*=\s*)?False\b)")
#: What operations do whose result never carries gradients: those that cut it off, and those that give truth or places.
_ENDS: Final = (Trait.NO_GRADIENT | Trait.VIEW, Trait.TRUTH, Trait.POSITIONS)
#: A method that cuts a tensor off from its graph, whatever it is called on.
_CUTS: Final = "detach"
#: Why no gradients are recorded: the context, the operation that cuts the graph, or the call of it on an unknown tensor.
Cause = events.ContextEdge | events.LibraryCall | Op | events.OpaqueCall
#: What switches the recording off: a context, or a call that does so for all that follows.
Switch = events.ContextEdge | events.LibraryCall
_SETS: Final = "torch.set_grad_enabled"


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """``backward`` differentiates a loss to which no gradient was recorded on any way, because of ``cause`` on one of them."""

    backward: events.Backward
    cause: Cause


def unrecorded(facts: Facts) -> Iterator[Unrecorded]:
    """The backward passes that raise, because no gradient was recorded on any way from the weights to the loss, each once."""
    backward = facts.events(events.Backward)
    if not backward:
        return
    off, seen = without_recording(facts), set[int]()
    switches = any(call.name == _SETS and _sets(call) is None for call in facts.events(events.LibraryCall))
    is_script = facts.program.entry == SCRIPT and facts.training.is_whole
    leaves = [tensor for _, tensor in asking(facts)] if is_script else []
    for event in backward:
        if event.via is not None or id(event.site.node) in seen:
            continue
        cause = _cut_in_place(event, facts)
        if cause is None and (switches or (not is_script and _asks_for_gradients(event))):
            continue
        cause = cause or _cause_of(event, off, leaves, facts)
        if cause is not None:
            seen.add(id(event.site.node))
            yield Unrecorded(event, cause)


def without_recording(facts: Facts) -> dict[int, Switch]:
    """The operations and events (by ``id``) for which no gradients are recorded, with the beginning of that: their innermost
    context, or the call that has switched gradients off for all that follows."""
    around: list[tuple[events.ContextEdge, events.LibraryCall | None]] = []
    switched: events.LibraryCall | None = None
    found: dict[int, Switch] = {}
    for item in facts.program.trace:
        if isinstance(item, events.ContextEdge) and (item.name in NO_GRADIENT or item.name in _OTHER):
            if item.phase == "enter":
                around.append((item, switched))
                switched = None
            elif around:
                _, switched = around.pop()
        elif isinstance(item, events.LibraryCall) and item.name == _SETS and _is_statement(item):
            switched = item if _sets(item) is False else None
        elif around and around[-1][0].name in NO_GRADIENT and not _has_argument(around[-1][0]):
            found[id(item)] = around[-1][0]
        elif switched is not None and order.happens_with(switched, item):
            found[id(item)] = switched
    return found


def _is_statement(call: events.LibraryCall) -> bool:
    """Whether a call is a statement of its own, not the context of a ``with``."""
    parts = getattr(call.site.statement, "body", ())
    return isinstance(parts, Sequence) and any(isinstance(part, cst.Expr) and part.value is call.site.node for part in parts)


def _sets(call: events.LibraryCall) -> bool | None:
    """Whether a statement switches gradients on or off for all that follows; ``None`` if that is not known."""
    value = unwrap(call.given[0] if call.given else call.bound.get("mode"))
    return value if isinstance(value, bool) and _is_statement(call) else None


def _has_argument(edge: events.ContextEdge) -> bool:
    """Whether a context is given something that may switch it off (``inference_mode(mode)``)."""
    return isinstance(edge.site.node, cst.Call) and bool(edge.site.node.args)


def _asks_for_gradients(event: Event) -> bool:
    frames = (frame for frame in event.site.stack() if frame.document is not None)
    return any(_ASKS.search(frame.document.text) for frame in frames)


def _cut_in_place(backward: events.Backward, facts: Facts) -> Cause | None:
    """What cuts off the very expression that is differentiated: ``loss.detach().backward()``, whatever else asks for
    gradients."""
    loss, node = backward.target, named.receiver(backward.site.node)
    if isinstance(loss, Unknown):
        cause = _cut_of_unknown(loss, facts)
        return cause if cause is not None and cause.site.node is node else None
    op = loss.producer if isinstance(loss, TensorVal) and loss.framework == "torch" else None
    is_cut = op is not None and op.site.node is node and does(op, Trait.NO_GRADIENT | Trait.VIEW) and op.layer is None
    return op if is_cut else None


def _cause_of(backward: events.Backward, off: dict[int, Switch], leaves: Sequence[Value], facts: Facts) -> Cause | None:
    """Why all of a loss that could carry a gradient carries none; ``None`` if there may be another part, such as one of the
    tensors that the program asks for their gradients."""
    loss = backward.target
    if isinstance(loss, Unknown):
        return _cut_of_unknown(loss, facts) or _context_of_unknown(loss, off, facts)
    if not isinstance(loss, TensorVal) or loss.framework != "torch":
        return None
    causes: list[Cause] = []
    todo, seen = [loss], set[int]()
    while todo:
        tensor = todo.pop()
        if tensor.id in seen:
            continue
        seen.add(tensor.id)
        op = tensor.producer
        if any(isinstance(leaf, TensorVal) and leaf.is_same_object(tensor) for leaf in leaves):
            return None
        if op is None:
            if tensor.foreign or is_weight(tensor):
                return None
        elif id(op) in off and id(op) not in facts.own_gradient:
            causes.append(off[id(op)])
        elif _cuts_graph(op, facts):
            if _comes_from_weights(op, facts):
                causes.append(op)
        elif _may_start_gradients(op):
            return None
        else:
            todo.extend(op.inputs)
    return causes[0] if causes else None


def _cuts_graph(op: Op, facts: Facts) -> bool:
    """Whether an operation never hands a gradient on: by what it does, or as it copies the numbers of tensors to a new one."""
    copies = op.spelled in COPYING and does(op, Trait.TAKES_DATA) and op.args.get("requires_grad") is not True
    return copies or (any(does(op, traits) for traits in _ENDS) and id(op) not in facts.own_gradient)


def _comes_from_weights(op: Op, facts: Facts) -> bool:
    """Whether what an operation cuts off is what a model has computed: that was to be differentiated."""
    return any(other.layer is not None or any(map(is_weight, other.inputs)) for other in facts.ancestors(*op.inputs))


def _may_start_gradients(op: Op) -> bool:
    """Whether an operation outside of such contexts has weights, or takes something that is not known."""
    return may_have_weights(op.layer) or does(op, Trait.VARIABLE) or any(_is_open(value) for value in op.args.values())


def may_have_weights(layer: InstanceVal | None) -> bool:
    """Whether the layer that performs an operation has weights, or is none of a library: activations and losses have none."""
    return layer is not None and (layer.layer is None or has_weights(layer))


def _is_open(value: Value) -> bool:
    if isinstance(value, tuple):
        return any(map(_is_open, value))
    return isinstance(value, Unknown) or (isinstance(value, TensorVal) and is_weight(value))


def _cut_of_unknown(loss: Unknown, facts: Facts) -> events.OpaqueCall | None:
    """The call ``x.detach()`` that an unknown loss is the result of."""
    calls = (call for call in facts.events(events.OpaqueCall) if call.result is loss and call.name == _CUTS)
    return next((call for call in calls if len(call.values) == 1 and "torch" in call.site.document.text), None)


def _context_of_unknown(loss: Unknown, off: dict[int, Switch], facts: Facts) -> Switch | None:
    """The context in which the only calls stand of which an unknown loss can be the result."""
    if loss.reason != "unknown-callee":
        return None
    calls = facts.events(events.OpaqueCall)
    made = [call for call in calls if call.result is loss] or [
        call for call in calls if isinstance(call.callee, Unknown) and call.callee.detail == loss.detail
    ]
    contexts = [off.get(id(call)) for call in made]
    return contexts[0] if contexts and all(context is not None for context in contexts) else None
