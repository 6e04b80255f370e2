"""Graphs that are differentiated twice, although the first backward pass gives up what the second one needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.training import Loop
from dllint.analysis.typestate import caught, graphs, order
from dllint.ir import events
from dllint.ir.program import Op, TensorVal
from dllint.ops.saved import gives_up
from dllint.source.walk import small_statements, walk

#: Arguments of a backward pass with which it keeps the graph.
_KEEPS: Final = ("retain_graph", "create_graph", "retain_variables")


@dataclass(frozen=True, slots=True)
class Reused:
    """``later`` goes through ``op``, whose graph ``first`` has given up; they are one where a loop repeats it."""

    first: events.Backward
    later: events.Backward
    op: Op
    loop: Loop | None


def reused(facts: Facts) -> Iterator[Reused]:
    """The backward passes that raise, because an earlier one has gone through a part of their graph, each place once."""
    passes = graphs.passes(facts)
    through = {id(event): _through(loss, facts) for _, event, loss in passes} if passes else {}
    seen: set[int] = set()
    for number, (_, event, _loss) in enumerate(passes):
        if id(event.site.node) in seen or keeps_graph(event):
            continue
        found = _in_next_pass(event, through[id(event)], facts)
        for _, later, _other in passes[number + 1 :]:
            if (
                found is None
                and later is not event
                and order.happens_with(event, later)
                and not caught.is_expected(event, later)
            ):
                op = _shared(through[id(event)], through[id(later)], later, facts)
                found = Reused(event, later, op, None) if op is not None else None
        if found is not None:
            seen.update((id(event.site.node), id(found.later.site.node)))
            yield found


def _follows(event: events.Backward, later: events.Backward) -> bool:
    return order.happens_with(event, later) and not caught.is_expected(event, later)


def _through(loss: TensorVal, facts: Facts) -> dict[int, Op]:
    return {id(op): op for op in graphs.differentiated(loss, facts)}


def keeps_graph(event: events.Backward) -> bool:
    """Whether a backward pass keeps its graph, or may do so."""
    if event.via is not None or not isinstance(event.site.node, cst.Call):
        return True
    for argument in event.site.node.args:
        named = argument.keyword.value if argument.keyword is not None else ""
        is_false = isinstance(argument.value, cst.Name) and argument.value.value == "False"
        if argument.star or (named in _KEEPS and not is_false):
            return True
    return len([argument for argument in event.site.node.args if argument.keyword is None]) > 1


def _shared(first: dict[int, Op], later: dict[int, Op], event: events.Backward, facts: Facts) -> Op | None:
    """An operation in two graphs that gives up something, and that gradients go through."""
    for key, op in later.items():
        if key in first and gives_up(op) and graphs.requires_gradient(op.output, event.site, facts):
            return op
    return None


def _in_next_pass(event: events.Backward, through: dict[int, Op], facts: Facts) -> Reused | None:
    """A part of the graph of a loss in a loop that was made before the loop, or that the pass before has left."""
    loop = facts.training.innermost(event)
    if loop is None or not order.is_unconditional(event, loop) or _ends_at_once(loop):
        return None
    if sum(other.site.node is event.site.node for other in facts.training.within(loop, events.Backward)) > 1:
        return None  # each pass is there with its own loss
    earlier = {id(item) for item in facts.program.trace[: loop.start]}
    before = {key: op for key, op in through.items() if key in earlier}
    op = _shared(before, before, event, facts)
    if op is None:
        op = _carried(through, event, loop, facts)
    return Reused(event, event, op, loop) if op is not None else None


def _carried(through: dict[int, Op], event: events.Backward, loop: Loop, facts: Facts) -> Op | None:
    """An operation of this pass in whose result the graph of the next pass begins."""
    taken = {tensor.id for op in through.values() for tensor in op.inputs}
    nested = [other for other in facts.training.loops if loop.start < other.start and other.end < loop.end]
    inside = [item for number, item in enumerate(facts.program.trace) if loop.contains(number)]
    own = {id(item) for item in inside if isinstance(item, Op)}
    own -= {id(item) for other in nested for item in facts.program.trace[other.start : other.end]}
    for before, after in facts.program.carried.items():
        for tensor in after if before in taken else ():
            if tensor.producer is None or id(tensor.producer) not in own or not _is_handed_over(tensor.producer, loop):
                continue
            op = _shared(_through(tensor, facts), through, event, facts)
            if op is not None:
                return op
    return None


def _is_handed_over(made: Op, loop: Loop) -> bool:
    """Whether the statement in a loop that makes something sets a variable that nothing else in the loop sets, and that it, or
    what stands before it, reads: the value of the pass before."""
    statements = {id(frame.statement) for frame in made.site.stack()}
    before: set[str] = set()
    for statement in loop.edge.node.body.body:
        names = [part for part in walk(statement) if isinstance(part, cst.Name)]
        if id(statement) in statements:
            for small in small_statements(statement):
                if isinstance(small, cst.Assign):
                    read = before | {part.value for part in walk(small.value) if isinstance(part, cst.Name)}
                    targets = {part.value for target in small.targets for part in walk(target) if isinstance(part, cst.Name)}
                    return any(name in read and _bindings(name, loop) == 1 for name in targets)
        before |= {part.value for part in names}
    return False


def _bindings(name: str, loop: Loop) -> int:
    """How often a loop sets a variable."""
    found: list[cst.CSTNode] = []
    for part in walk(loop.edge.node):
        if isinstance(part, cst.Assign):
            found += [target.target for target in part.targets]
        elif isinstance(part, (cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
            found.append(part.target)
    return sum(isinstance(part, cst.Name) and part.value == name for target in found for part in walk(target))


def _ends_at_once(loop: Loop) -> bool:
    """Whether a loop may end in its first pass, behind a backward pass."""
    text = cst.Module([]).code_for_node(loop.edge.node.body)
    return any(word in text for word in ("break", "return"))
