"""Tensors that certainly require gradients: computed from trained weights while gradients are recorded, and not detached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.gradients import has_own_gradient
from dllint.analysis.own_statements import enclosing
from dllint.analysis.weights import trainable_count
from dllint.domains.dtype import DType
from dllint.ir import events
from dllint.ir.program import SCRIPT, Op, Site, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

_PARAMETER: Final = "torch.nn.Parameter"
#: What switches gradients off for weights or for all code, by the end of a qualified name.
_SWITCHES: Final = ("requires_grad_", "set_grad_enabled")
_ATTRIBUTE: Final = "requires_grad"
#: What contexts are named after that may switch gradients off.
_QUIET: Final = re.compile(r"grad|infer|eval|ctx|context|disable|freez", re.I)
#: So many operations are followed backwards.
_MOST: Final = 2000


def requires_gradient(value: TensorVal, site: Site, facts: Facts) -> bool:
    """Whether a tensor requires gradients in every run that comes to ``site``. Who calls an entry that is not the script itself
    may have switched gradients off, unless the entry differentiates what comes from the tensor."""
    if may_be_switched_off(site, facts):
        return False
    made = list(_recorded(value, facts))
    if not any(starts(op, facts) for op in made):
        return False
    return facts.program.entry == SCRIPT or facts.program.takes_nothing or _is_differentiated(made, facts)


def may_be_switched_off(site: Site, facts: Facts) -> bool:
    """Whether the program freezes weights or switches gradients off otherwise than by a context that is known."""
    if any(write.name == _ATTRIBUTE for write in facts.events(events.AttributeWrite)):
        return True
    if any(call.name.endswith(_SWITCHES) for call in facts.events(events.LibraryCall)):
        return True
    frames = (frame for frame in site.stack() if frame.document is not None and frame.statement is not None)
    return any(_is_quiet(part) for frame in frames for part in enclosing(frame))


def _is_quiet(part: cst.CSTNode) -> bool:
    code = cst.Module([]).code_for_node
    return isinstance(part, cst.With) and any(_QUIET.search(code(item.item)) for item in part.items)


def _recorded(value: TensorVal, facts: Facts) -> Iterator[Op]:
    """The operations through which gradients flow back from a tensor."""
    seen: set[int] = set()
    waiting = [value]
    while waiting and len(seen) < _MOST:
        current = waiting.pop()
        op = current.producer
        if op is None or id(op) in seen or current.modified or current.foreign or not _may_require(current):
            continue
        if not _records(op, facts):
            continue
        seen.add(id(op))
        yield op
        waiting += op.inputs


def _records(op: Op, facts: Facts) -> bool:
    ends = id(op) in facts.without_gradient or does(op, Trait.NO_GRADIENT) or has_own_gradient(op)
    return op.framework == "torch" and not ends


def _may_require(value: TensorVal) -> bool:
    """Whether a tensor has a type that gradients exist for: of several results of an operation, places have not."""
    return isinstance(value.dtype, DType) and value.dtype.kind == "float"


def starts(op: Op, facts: Facts) -> bool:
    """Whether an operation has trained weights, or makes a tensor that requires gradients."""
    config = op.layer.layer if op.layer is not None else None
    if config is not None and config.row.framework == "torch" and config.row.trainable and _has_weights(op):
        return True
    if op.args.get(_ATTRIBUTE) is True:
        return True
    return any(_is_parameter(tensor, facts) for tensor in op.inputs)


def _has_weights(op: Op) -> bool:
    """Whether the layer of an operation has trained weights; a normalisation may have been built without any."""
    count = trainable_count(op)
    return not does(op, Trait.STANDARDISES) if count is None else count > 0


def _is_parameter(tensor: TensorVal, facts: Facts) -> bool:
    made = (call for call in facts.events(events.LibraryCall) if call.name == _PARAMETER)
    return any(call.result is tensor and call.bound.get(_ATTRIBUTE, True) is True for call in made)


def _is_differentiated(made: list[Op], facts: Facts) -> bool:
    """Whether a loss is differentiated that comes through the operations that make a tensor."""
    targets = [event.target for event in facts.events(events.Backward) if isinstance(event.target, TensorVal)]
    behind = {id(op) for op in facts.ancestors(*targets)}
    return any(id(op) in behind for op in made[:1])
