"""Losses that are negated as a whole, so that the optimizer of the model makes them larger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.modules import tree
from dllint.analysis.one_pass import in_one_pass
from dllint.analysis.output_kind import MOVES
from dllint.analysis.said_in_files import any_says, executed
from dllint.analysis.training import is_optimizer
from dllint.analysis.typestate.frozen import parameters_asked
from dllint.analysis.typestate.groups import groups
from dllint.analysis.unknown_calls import givers, is_built_from, is_computed
from dllint.domains.finite import finite
from dllint.domains.lattice import Unknown
from dllint.ir.events import Backward, LibraryCall, Step, ZeroGrad
from dllint.ir.program import Event, Op, TensorVal, tensors_in
from dllint.ir.values import Value, unwrap
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.source.document import Document

_LOSSES: Final = having_any(Trait.CLASS_LOSS | Trait.BINARY_LOSS | Trait.PAIRWISE_LOSS)
_SAME: Final = MOVES | having_any(Trait.SUMS | Trait.AVERAGES)
_DENSE: Final = having(Trait.AFFINE)
#: Words of code that makes a model worse on purpose: attacks, unlearning, opponents.
_ON_PURPOSE: Final = re.compile(
    r"attack|advers|perturb|unlearn|forget|ascent|ascend|maxim|revers|worst|oppon|critic|discrim|generator|diversity|repel"
    r"|confus|mutual|reward|policy|negative|complement",
    re.IGNORECASE,
)
#: The same of texts of whole files, in which the milder ones of these words may be about something else.
_HARMS: Final = re.compile(r"attack|advers|perturb|unlearn|forget|ascent|ascend|maximi|reversal|opponent|confus", re.IGNORECASE)
#: What shows that a text reads or changes gradients itself, or has hooks that may.
_OWN_GRADIENTS: Final = re.compile(r"\.grad\b|register\w*_hook|[\"']grad[\"']")


@dataclass(frozen=True, slots=True)
class Negated:
    """A loss, and where its negative is differentiated."""

    loss: Op
    backward: Backward


def negated_losses(facts: Facts) -> Iterator[Negated]:
    """The losses between what a model predicts and data, of which nothing but the negative is differentiated, where one
    optimizer alone makes its steps by these gradients as they are and has the weights of that model; each place once. Models
    and optimizers that are not known belong together where the one was made of the other, unless the code says that it does
    harm."""
    found = [Negated(loss, one) for one in facts.events(Backward) if (loss := _negated(one, facts)) is not None]
    if not found or _may_ascend(facts) or _has_own_gradients(facts):
        return
    told = set[int]()
    for one in filter(_trusted(facts), found):
        key = id(one.loss.site.node)
        if key not in told and not (_is_weighted(one.backward) or _is_meant(one.loss) or _is_meant(one.backward)):
            told.add(key)
            yield one


def _trusted(facts: Facts) -> Callable[[Negated], bool]:
    """Whether a loss is known to be that of the only optimizer: there is one, or all are made by one line, each for a model."""
    made = groups(facts)
    if not made:
        optimizer = _sole_optimizer(facts)
        alone = _sole_backwards(facts, optimizer)
        return lambda one: id(one.backward) in alone and _is_of_unknown(one.loss, optimizer, facts)
    if len({id(group.construction.site.node) for group in made}) != 1:
        return lambda _: False
    each = [(_sole_backwards(facts, group.construction.result), group.parts()) for group in made]
    return lambda one: any(id(one.backward) in alone and _fits(one.loss, parts, facts) for alone, parts in each)


def _fits(loss: Op, parts: frozenset[int], facts: Facts) -> bool:
    """Whether a loss is that of an optimizer's model, whose scores for classes may not be known."""
    prediction = loss.args.get("x")
    if not isinstance(prediction, Unknown):
        return _is_of(loss, parts, facts)
    by_model = any(id(giver) in parts for giver in givers(prediction, facts))
    return by_model and _is_of_classes(loss, facts) and not _harms(facts)


def _is_of_unknown(loss: Op, optimizer: Value, facts: Facts) -> bool:
    """Whether a loss compares classes of the data with the scores of a model that an optimizer was made of."""
    prediction = loss.args.get("x")
    if not _is_of_classes(loss, facts) or _harms(facts):
        return False
    if isinstance(prediction, Unknown):
        return is_built_from(optimizer, givers(prediction, facts), facts)
    asked = [model for params, model in parameters_asked(facts) if is_built_from(optimizer, [params], facts)]
    return _is_of(loss, frozenset(id(part) for model in asked for part in tree(model)), facts)


def _is_of_classes(loss: Op, facts: Facts) -> bool:
    return does(loss, Trait.CLASS_LOSS) and _is_data(loss.args.get("target"), loss, facts)


def _harms(facts: Facts) -> bool:
    """Whether the code that was followed says that a model is to become worse."""
    return any_says(_places(facts), _HARMS)


def _may_ascend(facts: Facts) -> bool:
    """Whether an optimizer may make losses larger."""
    return any(unwrap(call.bound.get("maximize")) not in (None, False) for call in facts.events(LibraryCall))


def _has_own_gradients(facts: Facts) -> bool:
    """Whether the code that was followed handles gradients itself: it may turn their signs."""
    return any_says(_places(facts), _OWN_GRADIENTS)


def _places(facts: Facts) -> Iterator[Document]:
    """The places that were executed."""
    items: tuple[Op | Event, ...] = (*facts.ops, *facts.program.events)
    return executed(item.site for item in items)


def _sole_optimizer(facts: Facts) -> Value:
    """The only object that makes steps, but for those that were made of it, as schedulers are; ``None`` if there are more."""
    stepped = list({id(step.target): step.target for step in facts.events(Step)}.values())
    made = [call.result for call in facts.events(LibraryCall) if call.receiver is None and is_optimizer(call.result)]
    first = [one for one in stepped if not is_built_from(one, [other for other in stepped if other is not one], facts)]
    return first[0] if len(first) == 1 and all(one is first[0] for one in made) else None


def _sole_backwards(facts: Facts, optimizer: Value) -> set[int]:
    """The backwards, by ``id``, whose gradients alone a step of the optimizer uses before they are cleared."""
    found, waiting = set[int](), list[Backward]()
    for event in facts.program.events:
        if isinstance(event, Backward):
            waiting.append(event)
        elif isinstance(event, ZeroGrad):
            waiting.clear()
        elif isinstance(event, Step) and len({id(one.site.node) for one in waiting}) == 1:
            found.update(map(id, waiting) if event.target is optimizer else ())
    return found


def _is_weighted(backward: Backward) -> bool:
    """Whether a backward is given what the gradients are multiplied by."""
    call = backward.site.node
    if not isinstance(call, cst.Call):
        return True
    named = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    is_own = backward.via is None and any(arg.keyword is None for arg in call.args)
    return is_own or any(arg.star for arg in call.args) or bool(named & {"gradient", "grad_tensors"})


def _negated(backward: Backward, facts: Facts) -> Op | None:
    """The loss whose negative is differentiated, up to a positive factor."""
    sign, value = 1, backward.target
    while isinstance(value, TensorVal) and value.producer is not None and not value.modified:
        op = value.producer
        if value.varies and not in_one_pass(facts.program.trace, op, backward):
            return None
        if op.kind in _LOSSES:
            return op if sign < 0 else None
        if does(op, Trait.NEGATES):
            sign = -sign
        elif does(op, Trait.MULTIPLIES) or does(op, Trait.DIVIDES):
            numbers = [finite(unwrap(op.args.get(name))) for name in ("x", "y")]
            number = next((one for one in numbers if one), None)
            if number is None or len(op.inputs) != 1:
                return None
            sign = sign if number > 0 else -sign
        elif op.kind not in _SAME:
            return None
        value = op.inputs[0] if op.inputs else None
    return None


def _is_of(loss: Op, parts: frozenset[int], facts: Facts) -> bool:
    """Whether the optimizer's model predicts one operand of a loss, and the other is data that no weights decide."""
    target = loss.args.get("target")
    prediction = loss.args.get("x")
    if not isinstance(prediction, TensorVal) or not _is_data(target, loss, facts):
        return False
    layers = [op.layer for op in facts.ancestors(*tensors_in(prediction)) if op.kind in _DENSE]
    return bool(layers) and all(layer is not None and id(layer) in parts for layer in layers)


def _is_data(target: Value, loss: Op, facts: Facts) -> bool:
    """Whether no weights and no constants decide a target; of classes, one that is not known is taken for the data's, unless an
    object was called for it, as a model is."""
    if isinstance(target, Unknown):
        return does(loss, Trait.CLASS_LOSS) and not is_computed(target, facts)
    if not isinstance(target, TensorVal):
        return False
    return not any(op.kind in _DENSE or does(op, Trait.FILLS) for op in facts.ancestors(target))


def _is_meant(item: Op | Event) -> bool:
    """Whether the code around says that the model is to become worse."""
    places = [item.scope]
    for site in item.site.stack():
        node = site.statement
        places.append(cst.Module([]).code_for_node(node) if isinstance(node, cst.SimpleStatementLine) else "")
    return any(map(_ON_PURPOSE.search, places))
