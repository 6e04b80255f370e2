"""Tensors that certainly require gradients: computed from trained weights while gradients are recorded, and not detached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing
from dllint.analysis.weights import trainable_count
from dllint.domains.dtype import DType
from dllint.domains.shape import OpenSequence
from dllint.ir import events
from dllint.ir.program import JOIN, SCRIPT, Op, Site, TensorVal
from dllint.ir.values import IterVal, unwrap
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait

_PARAMETER: Final = "torch.nn.Parameter"
#: What switches gradients off for weights or for all code, by the end of a qualified name.
_SWITCHES: Final = ("requires_grad_", "set_grad_enabled")
_ATTRIBUTE: Final = "requires_grad"
#: How the interpreter names weights of layers, and elements of what :data:`_ASKED` give; buffers have other names.
_OWN: Final = frozenset({"weight", "bias", "parameter"})
_ASKED: Final = frozenset({"torch.nn.Module.parameters", "torch.nn.Module.named_parameters"})
#: The attribute of a tensor, not the packages that have its name.
_DATA: Final = re.compile(r"(?<!utils)(?<!tf)(?<!self)\.data\b")
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
    if not is_trained_weight(value, facts) and not any(starts(op, facts) for op in made):
        return False
    return facts.program.entry == SCRIPT or facts.program.takes_nothing or _is_differentiated(made, facts)


def may_be_switched_off(site: Site, facts: Facts) -> bool:
    """Whether the program freezes weights or switches gradients off otherwise than by a context that is known."""
    written = (write.value for write in facts.events(events.AttributeWrite) if write.name == _ATTRIBUTE)
    if any(unwrap(value) is not True for value in written):
        return True
    if any(call.name.endswith(_SWITCHES) and not _switches_on(call) for call in facts.events(events.LibraryCall)):
        return True
    frames = (frame for frame in site.stack() if frame.document is not None and frame.statement is not None)
    return any(_is_quiet(part) for frame in frames for part in enclosing(frame))


def _switches_on(call: events.LibraryCall) -> bool:
    """Whether a switch of gradients is set so that they are recorded."""
    default = call.name.endswith("requires_grad_") or None
    return unwrap(next(iter(call.given), call.bound.get(_ATTRIBUTE, call.bound.get("mode", default)))) is True


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
        waiting += _joined(op)


def _joined(op: Op) -> Iterator[TensorVal]:
    """What stands for each element of a list of unknown length that an operation joins, if the elements are all made at one
    place."""
    for value in op.args.values():
        parts = value.parts if isinstance(value, OpenSequence) else ()
        only = parts[0] if len(parts) == 1 else None
        if isinstance(only, TensorVal) and (only.producer is None or only.producer.kind != JOIN):
            yield only


def _records(op: Op, facts: Facts) -> bool:
    ends = id(op) in facts.without_gradient or does(op, Trait.NO_GRADIENT) or id(op) in facts.own_gradient
    return op.framework == "torch" and not ends


def _may_require(value: TensorVal) -> bool:
    """Whether a tensor has a type that gradients exist for: of several results of an operation, places have not."""
    return isinstance(value.dtype, DType) and value.dtype.kind == "float"


def starts(op: Op, facts: Facts) -> bool:
    """Whether an operation has trained weights, or makes a tensor that requires gradients."""
    config = op.layer.layer if op.layer is not None else None
    if config is not None and config.row.framework == "torch" and config.row.trainable and _has_weights(op):
        return op.layer is not None and not op.layer.handed  # code that has the layer, or made it, may have frozen it
    if op.args.get(_ATTRIBUTE) is True:
        return True
    return any(_is_parameter(tensor, facts) for tensor in op.inputs)


def _has_weights(op: Op) -> bool:
    """Whether the layer of an operation has trained weights; a normalisation may have been built without any."""
    count = trainable_count(op)
    return not does(op, Trait.STANDARDISES) if count is None else count > 0


def is_trained_weight(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor is itself a trained weight: of a layer of torch, or an element of ``parameters()``."""
    if tensor.name not in _OWN or tensor.producer is not None or tensor.foreign or not _may_require(tensor):
        return False
    return not facts.reads_data and (_is_of_layer(tensor, facts) or _is_element(tensor, facts))


def reads_data(facts: Facts) -> bool:
    """Whether ``.data`` is read anywhere, which is the same value as the weight here, and requires no gradients."""
    documents = {id(event.site.document): event.site.document for event in facts.program.trace}
    return any(_DATA.search(document.text) for document in documents.values())


def _is_of_layer(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor is a weight of a layer that the program has built with trained weights."""
    built = (event.instance for event in facts.events(events.Construction))
    return any(
        one.layer is not None
        and not one.handed
        and one.layer.row.framework == "torch"
        and one.layer.row.trainable
        and one.layer.row.op not in having(Trait.STANDARDISES)
        and any(value is tensor for value in one.attrs.values())
        for one in built
    )


def _is_element(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor stands for the parameters of a module."""
    asked = (call for call in facts.events(events.LibraryCall) if call.name in _ASKED and isinstance(call.result, IterVal))
    elements = (call.result.rest for call in asked if isinstance(call.result, IterVal))
    return any(tensor is one or (isinstance(one, tuple) and any(tensor is part for part in one)) for one in elements)


def _is_parameter(tensor: TensorVal, facts: Facts) -> bool:
    if is_trained_weight(tensor, facts):
        return True
    made = (call for call in facts.events(events.LibraryCall) if call.name == _PARAMETER)
    return any(call.result is tensor and call.bound.get(_ATTRIBUTE, True) is True for call in made)


def _is_differentiated(made: list[Op], facts: Facts) -> bool:
    """Whether a loss is differentiated that comes through the operations that make a tensor."""
    targets = [event.target for event in facts.events(events.Backward) if isinstance(event.target, TensorVal)]
    behind = {id(op) for op in facts.ancestors(*targets)}
    return any(id(op) in behind for op in made[:1])
