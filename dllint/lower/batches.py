"""Loops over batches of different sizes: the body is analysed for a full batch and for the smaller last one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from dllint.ir.program import Condition, Op
from dllint.ir.values import IterVal, Value
from dllint.lower import branches
from dllint.lower.scopes import CONTINUE, NORMAL

if TYPE_CHECKING:
    from dllint.ir.program import Program
    from dllint.lower.machine import Interpreter


def look_at_cases(m: Interpreter, node: cst.For, iterable: Value, run: Callable[[Value], int], start: int) -> None:
    """Execute the body once per case of the elements, starting from the state after the loop, and undo the effects.

    Of what that records only operations stay that are wrong in this case and not in every iteration: the trace from
    ``start`` on already tells what the loop does.
    """
    if not isinstance(iterable, IterVal) or not iterable.cases or _may_leave(node.body):
        return
    explored = m.trail.explorations(node)
    if explored >= m.options.arms:
        return
    m.trail.explored[id(node)] = node, explored + 1
    mark, gaps, returns = len(m.program.trace), len(m.program.gaps), len(m.frame.returns)
    m.journal.open()
    key = m.budget.next_fork()
    for number, (text, value) in enumerate(iterable.cases.items()):
        arm = branches.run_arm(m, partial(run, value), Condition(key, number, text, certain=True), None)
        if arm.flow not in (NORMAL, CONTINUE):
            break
        m.journal.redo(arm.writes)
    m.journal.undo()
    del m.program.gaps[gaps:], m.frame.returns[returns:]
    _keep_new_faults(m.program, start, mark)


def _keep_new_faults(program: Program, start: int, mark: int) -> None:
    trace = program.trace
    known = {id(op.site.node) for op in trace[start:mark] if isinstance(op, Op) and op.faults}
    kept: list[Op] = []
    for op in trace[mark:]:
        if isinstance(op, Op) and op.faults and id(op.site.node) not in known:
            known.add(id(op.site.node))
            kept.append(op)
    trace[mark:] = kept


def _may_leave(body: cst.CSTNode) -> bool:
    """Whether a statement in a loop's body can end the loop, so that the last batch may not be reached."""
    pending = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.Break, cst.Return)):
            return True
        if not isinstance(node, (cst.BaseExpression, cst.FunctionDef, cst.ClassDef)):
            pending.extend(node.children)
    return False
