"""Tensors that are changed in place where autograd does not allow it, and weights that are replaced by what is no weight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.recorded import is_trained_weight, may_be_switched_off
from dllint.analysis.typestate import graphs, order
from dllint.analysis.typestate.leaves import asking
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import SCRIPT, Op, Site, TensorVal, tensors_in
from dllint.ir.values import unwrap
from dllint.ops.aliases import is_in_place, shares, surely_shares, viewed
from dllint.ops.kinds import does
from dllint.ops.saved import keeps
from dllint.ops.traits import Trait
from dllint.source.memo import of_node
from dllint.source.walk import walk

_PARAMETER: Final = "torch.nn.Parameter"
#: Functions that change weights without autograd.
_INITIALISING: Final = "torch.nn.init."
#: Changes that autograd does not see, or that are not of the tensor itself.
_HIDDEN: Final = re.compile(r"\.(?:data|grad)\b")
#: Code that makes a weight of a replaced one again.
_RENEWS: Final = re.compile(r"requires_grad|detach|retain_grad|Variable\(|Parameter\(|no_grad|\.data\b")


@dataclass(frozen=True, slots=True)
class Overwritten:
    """``change`` changes what ``keeper`` keeps for ``backward``, which raises."""

    change: Op
    keeper: Op
    backward: events.Backward


def overwritten(facts: Facts) -> Iterator[Overwritten]:
    """The changes in place of what a later backward pass needs, each place once."""
    backward = graphs.passes(facts)
    changes = [(number, op) for number, op in facts.changes if backward and number < backward[-1][0]]
    if not changes:
        return
    kept = _kept(facts, {id(_memory(op)) for _, op in changes})
    through: dict[int, frozenset[int]] = {}
    seen: set[int] = set()
    for number, op in changes:
        keepers = [keeper for keeper in kept.get(id(_memory(op)), ()) if keeper[0] < number]
        if id(op.site.node) in seen or not keepers:
            continue
        for place, event, loss in backward:
            if place < number or not order.happens_with(event, op):
                continue
            if id(event) not in through:
                through[id(event)] = frozenset(id(made) for made in graphs.differentiated(loss, facts))
            found = next(
                (keeper for _, keeper, other in reversed(keepers) if _needs(keeper, other, op, through[id(event)], facts)), None
            )
            if found is not None:
                seen.add(id(op.site.node))
                yield Overwritten(op, found, event)
                break


def in_forwards(facts: Facts) -> Iterator[tuple[Op, Op]]:
    """The changes in place in the ``forward`` of a module that is trained in its file, of what the gradients of its own weights
    are computed from, each place once, with the operation that keeps it: whoever differentiates its result meets an error."""
    program = facts.program
    if not program.entry.endswith(".forward") or facts.events(events.Backward):
        return
    changes = [(number, op) for number, op in facts.changes if not op.path or all(part.certain for part in op.path)]
    changes = [(number, op) for number, op in changes if _is_trained_beside(op)]
    if not changes:
        return
    through = frozenset(id(op) for result in tensors_in(program.results) for op in graphs.differentiated(result, facts))
    kept = _kept(facts, {id(_memory(op)) for _, op in changes})
    seen: set[int] = set()
    for number, op in changes:
        keepers = [keeper for keeper in kept.get(id(_memory(op)), ()) if keeper[0] < number]
        found = next(
            (keeper for _, keeper, other in reversed(keepers) if _needs(keeper, other, op, frozenset(through), facts)), None
        )
        if found is not None and id(op.site.node) not in seen:
            seen.add(id(op.site.node))
            yield op, found


def _is_trained_beside(op: Op) -> bool:
    """Whether the file in which something is changed differentiates losses and steps optimizers."""
    text = op.site.document.text if op.site.document is not None else ""
    return ".backward(" in text and ".step(" in text


def _needs(keeper: Op, other: TensorVal | None, change: Op, through: frozenset[int], facts: Facts) -> bool:
    """Whether a backward pass through some operations needs what one keeps, whenever a change happens."""
    if id(keeper) not in through or not order.happens_with(keeper, change):
        return False
    return graphs.requires_gradient(keeper.output if other is None else other, keeper.site, facts)


def _kept(facts: Facts, wanted: set[int]) -> Mapping[int, list[tuple[int, Op, TensorVal | None]]]:
    """What operations keep in some memories: the place of each, and the tensor that has to require gradients for that."""
    found: dict[int, list[tuple[int, Op, TensorVal | None]]] = {}
    for number, op in enumerate(facts.program.trace):
        if not isinstance(op, Op) or op.framework != "torch" or _is_unseen(op, facts):
            continue
        if is_in_place(op) and not does(op, Trait.NEEDS_RESULT):
            continue
        for tensor, other in keeps(op):
            memory = id(_base(tensor))
            if memory in wanted:
                found.setdefault(memory, []).append((number, op, other))
    return found


def _is_unseen(op: Op, facts: Facts) -> bool:
    """Whether autograd does not record an operation."""
    return id(op) in facts.without_gradient or id(op) in facts.own_gradient


def changes(facts: Facts) -> list[tuple[int, Op]]:
    """The operations that change the elements of a tensor of torch, with their places, where autograd sees it."""
    found: list[tuple[int, Op]] = []
    evaluates = False
    for number, item in enumerate(facts.program.trace):
        if isinstance(item, (events.Train, events.Eval)):
            evaluates = isinstance(item, events.Eval)
        if not isinstance(item, Op) or item.framework != "torch" or not is_in_place(item):
            continue
        if item.spelled.startswith(_INITIALISING) or does(item, Trait.KEEPS_VALUES):
            continue
        if does(item, Trait.DROPS) and (evaluates or not _drops(item)):
            continue
        if isinstance(item.args.get("x"), TensorVal) and not _is_hidden(item.site):
            found.append((number, item))
    return found


def _drops(op: Op) -> bool:
    """Whether a dropout that trains surely drops something: otherwise it leaves its operand alone."""
    rate = unwrap(op.args.get("p"))
    is_on = unwrap(op.args.get("training", True)) is True
    return is_on and isinstance(rate, (int, float)) and rate > 0


def _is_hidden(site: Site) -> bool:
    """Whether a statement changes what autograd does not see."""
    return site.statement is None or _says_hidden(site.node)


@of_node
def _says_hidden(node: cst.CSTNode) -> bool:
    return _HIDDEN.search(cst.Module([]).code_for_node(_changed(node))) is not None


def _changed(node: cst.CSTNode) -> cst.CSTNode:
    """The expression that is changed, of a call or an assignment."""
    if isinstance(node, cst.AugAssign):
        return node.target
    if isinstance(node, cst.Assign):
        return node.targets[0].target
    return node.func if isinstance(node, cst.Call) else node


def _memory(change: Op) -> TensorVal | None:
    x = change.args.get("x")
    return _base(x) if isinstance(x, TensorVal) else None


def _base(tensor: TensorVal) -> TensorVal:
    """The tensor whose memory another one surely has: it is a view of it, or it has become of it by changes."""
    while (maker := tensor.producer) is not None and maker.framework == "torch":
        if not is_in_place(maker) and not (shares(maker) and surely_shares(maker, tensor.index)):
            break
        x = viewed(maker, tensor.index)
        if not isinstance(x, TensorVal) or maker.spelled.endswith(".data"):
            break
        tensor = x
    return tensor


# --- weights --------------------------------------------------------------------------------------------------------------


def changed_weights(facts: Facts) -> Iterator[Op]:
    """The changes in place of tensors that were made to require gradients, where gradients are recorded, each place once."""
    seen: set[int] = set()
    made = {id(call.result) for call in facts.events(events.LibraryCall) if call.name == _PARAMETER and _requires(call)}
    made |= _asked_leaves(facts)
    for _, op in facts.changes:
        x = op.args.get("x")
        if _is_unseen(op, facts) or id(op.site.node) in seen or not isinstance(x, TensorVal):
            continue
        if not (_is_leaf(x, made) or is_trained_weight(x, facts)) or may_be_switched_off(op.site, facts):
            continue
        if facts.program.entry == SCRIPT or facts.program.takes_nothing or facts.events(events.Backward):
            seen.add(id(op.site.node))
            yield op


def _asked_leaves(facts: Facts) -> frozenset[int]:
    """The tensors, by ``id``, that the program asks for gradients and that are computed from none which has some."""
    asked = [(item, tensor) for item, tensor in asking(facts) if isinstance(tensor, TensorVal)]
    leaves = [(item, tensor) for item, tensor in asked if not _may_have_graph(tensor, facts)]
    results = {id(item.result) for item, _ in leaves if isinstance(item, events.LibraryCall)}
    return frozenset(id(tensor) for _, tensor in leaves) | results


def _may_have_graph(tensor: TensorVal, facts: Facts) -> bool:
    """Whether a tensor may have been computed from what requires gradients."""
    if tensor.producer is None or tensor.foreign or tensor.varies:
        return True
    makers = [tensor.producer, *facts.ancestors(tensor)]
    return any(
        maker.framework != "torch"
        or maker.layer is not None
        or does(maker, Trait.VARIABLE)
        or maker.args.get("requires_grad") not in (None, False)
        or any(part.producer is None for part in maker.inputs)
        or any(isinstance(value, Unknown) for value in maker.args.values())
        for maker in makers
    )


def _requires(call: events.LibraryCall) -> bool:
    return call.bound.get("requires_grad", True) is True


def _is_leaf(tensor: TensorVal, parameters: set[int]) -> bool:
    """Whether a tensor is a weight, or a view of one."""
    while True:
        if id(tensor) in parameters:
            return True
        maker = tensor.producer
        if maker is None or maker.framework != "torch" or does(maker, Trait.NO_GRADIENT):
            return False
        if maker.args.get("requires_grad") is True and not does(maker, Trait.KEEPS_PLACES):
            return True
        x = viewed(maker, tensor.index)
        if is_in_place(maker) or not shares(maker) or not surely_shares(maker, tensor.index) or not isinstance(x, TensorVal):
            return False
        tensor = x


def replaced_weights(facts: Facts) -> Iterator[tuple[events.Rebind, events.Backward]]:
    """The assignments in a loop that put a result in the place of a weight whose gradient it is computed of: the next pass has
    no gradient there."""
    seen: set[int] = set()
    for rebind in facts.events(events.Rebind):
        old, new = rebind.old, rebind.new
        if not isinstance(old, TensorVal) or not isinstance(new, TensorVal) or new.producer is None:
            continue
        loop = facts.training.innermost(rebind)
        if id(rebind.node) in seen or loop is None or id(new.producer) in facts.without_gradient or is_in_place(new.producer):
            continue
        if not any(part is old for part in new.producer.inputs) or not _is_leaf(old, set()):
            continue
        code = cst.Module([]).code_for_node
        statement = code(rebind.site.statement) if rebind.site.statement is not None else ""
        if f"{rebind.name}.grad" not in statement or _RENEWS.search(code(loop.edge.node)):
            continue
        backward = facts.training.within(loop, events.Backward)
        if backward and any(part is rebind.site.statement for part in walk(loop.edge.node.body)):
            seen.add(id(rebind.node))
            yield rebind, backward[0]
