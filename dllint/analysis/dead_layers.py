"""Layer outputs that are not used: liveness of names joined with the traced operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dllint.analysis.facts import Facts
from dllint.analysis.liveness import Dead, binding, dead_at_top, dead_in_function
from dllint.analysis.modules import WEIGHTED
from dllint.ir import events
from dllint.ir.program import Op, Program, TensorVal
from dllint.ops.kinds import having
from dllint.ops.traits import Trait
from dllint.source.document import Document
from dllint.source.walk import small_statements, walk


@dataclass(frozen=True, slots=True)
class DeadLayer:
    """The dead output of ``op``, bound to ``name``; ``killer`` is the operation that overwrites it. ``restarts``: the
    killer, another layer, takes an ancestor of the dead value. ``cut`` counts the layers that only fed it, itself included.
    ``bypass`` is the layer that takes a dead pooling's input in its place."""

    name: str
    op: Op
    killer: Op | None
    restarts: bool
    cut: int
    bypass: Op | None = None


def dead_layers(program: Program, facts: Facts, document: Document) -> Iterator[DeadLayer]:
    """The dead outputs of layers in the module's top level and in the functions that were run."""
    bound: dict[int, frozenset[int]] = {}
    unused = [op for op in facts.ops if _is_result(op, facts) and _is_bound(op, bound)]
    found = {id(dead.value): dead for dead in _dead(program, facts, document, {op.scope for op in unused})} if unused else {}
    reported: set[int] = set()
    for op in unused:
        dead = found.get(id(op.site.node))
        if dead is None or dead.name.startswith("_") or id(dead.value) in reported:
            continue
        chain = private_chain(op, facts)
        weighted = [o for o in chain if o.layer is not None and o.kind in WEIGHTED]
        past = bypass(op, facts)
        if op.layer is not None and (weighted or past is not None):
            reported.add(id(dead.value))
            killer = _killer(op, dead, program)
            layers = len({id(o.layer) for o in chain if o.layer is not None})
            yield DeadLayer(dead.name, op, killer, killer is not None and _restarts(killer, chain), layers, past)


#: Layers without weights that shape the data all the same: leaving one out changes the model.
_POOLS = having(Trait.POOLS)


def bypass(op: Op, facts: Facts) -> Op | None:
    """The later layer that a pooling layer's input goes into, past the pooling."""
    x = op.args.get("x")
    if op.kind not in _POOLS or not isinstance(x, TensorVal):
        return None
    users = facts.users(x)
    later = users[users.index(op) + 1 :] if op in users else []
    return next((user for user in later if user.layer is not None and user.site.caller is op.site.caller), None)


def _is_bound(op: Op, bound: dict[int, frozenset[int]]) -> bool:
    """Whether the op makes the whole value of a statement ``name = value``. ``bound`` keeps what a line of statements binds."""
    line = op.site.statement
    known = bound.get(id(line))
    if known is None:
        bindings = map(binding, small_statements(line))
        known = bound[id(line)] = frozenset(id(found[1]) for found in bindings if found is not None)
    return id(op.site.node) in known


def _dead(program: Program, facts: Facts, document: Document, scopes: set[str]) -> Iterator[Dead]:
    """The dead assignments of the top level and of the functions in ``scopes`` that were run."""
    if program.entry == "<module>" and "" in scopes:
        yield from dead_at_top(document)
    seen: set[int] = set()
    for event in facts.events(events.Return):
        node = event.function.node
        if id(node) not in seen and event.scope in scopes:
            seen.add(id(node))
            yield from dead_in_function(node) if hasattr(node, "name") else ()


def _is_result(op: Op, facts: Facts) -> bool:
    """Whether the op makes the value of its expression (an activation may follow the layer at the same node)."""
    return not any(facts.users(output) for output in op.outputs)


def private_chain(op: Op, facts: Facts) -> list[Op]:
    """The op and the operations whose results feed nothing but it."""
    chain, members, todo = [op], {id(op)}, [op]
    while todo:
        for value in todo.pop().inputs:
            maker = value.producer
            if maker is None or id(maker) in members:
                continue
            if all(id(user) in members for output in maker.outputs for user in facts.users(output)):
                members.add(id(maker))
                chain.append(maker)
                todo.append(maker)
    return chain


def _killer(op: Op, dead: Dead, program: Program) -> Op | None:
    if dead.killer is None:
        return None
    nodes = set(map(id, walk(dead.killer)))
    same = (o for o in program.ops if id(o.site.node) in nodes and o.site.caller is op.site.caller)
    return next((o for o in same if o.layer is not None), None)


def _restarts(killer: Op, chain: list[Op]) -> bool:
    if any(op.layer is not None and op.layer is killer.layer for op in chain):
        return False  # the same layer once more: it was called for what a call changes, as the averages of a normalisation
    taken: set[int] = {value.id for op in chain for value in op.inputs}
    return any(isinstance(value, TensorVal) and value.id in taken for value in killer.inputs)
