"""``try`` and ``with`` statements: their final parts are executed on every path that leaves the block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Condition
from dllint.ir.values import Arguments, BoundVal, FuncVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.lower import branches, calling, duck, exceptions, exits, functions, mro
from dllint.lower.assignment import assign
from dllint.lower.catching import Catch, Kinds, Raised, RaisedError
from dllint.lower.dispatch import executes
from dllint.lower.documented import ranges
from dllint.lower.ends import LoopExits
from dllint.lower.lazy import ContextVal
from dllint.lower.scopes import BREAK, CONTINUE, NORMAL, RAISE, RETURN
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Paths
    from dllint.lower.state import Control


def _catching(control: Control, catches: Iterable[Catch], run: Callable[[], int]) -> int:
    """Execute a block whose errors are caught; how it ended."""
    outer, control.catching = control.catching, (*control.catching, *catches)
    try:
        return run()
    finally:
        control.catching = outer


# --- with -------------------------------------------------------------------------------------------------------------------


@executes(cst.With)
def _with(m: Interpreter, node: cst.With) -> int:
    return _within(m, node, tuple(node.items))


def _within(m: Interpreter, node: cst.With, items: tuple[cst.WithItem, ...]) -> int:
    """Execute a ``with`` block inside its remaining contexts."""
    if not items:
        ranges.after(m, node, ranges.remarks(m.known, node))
        return m.block(node.body)
    item, inside = items[0], partial(_within, m, node, items[1:])
    manager = unwrap(m.eval(item.item))
    if isinstance(manager, ContextVal):
        return _around_yield(m, manager, item, inside)
    if name := duck.context_of(manager):
        m.event(events.ContextEdge, name=name, phase="enter", manager=manager)
    value: Value = manager
    if isinstance(manager, InstanceVal) and (enter := mro.special(manager, "__enter__")) is not None:
        m.frame.node = item.item
        value = calling.call(m, enter, Arguments())
    if item.asname is not None:
        assign(m, item.asname.name, value)
    leave = mro.find_user_attribute(manager.cls, "__exit__") if isinstance(manager, InstanceVal) else None
    if isinstance(leave, FuncVal):
        return _with_own_exit(m, BoundVal(leave, manager), inside)
    catch = exceptions.catch_of_context(m, item.item)
    try:
        flow = inside() if catch is None else _catching(m.control, (catch,), inside)
    finally:
        _leave(m, node, item.item, manager)
    return flow if catch is None else _suppressed(m, catch, flow)


def _around_yield(m: Interpreter, context: ContextVal, item: cst.WithItem, inside: Callable[[], int]) -> int:
    """Execute a block at the ``yield`` of the generator that makes its context."""
    outer, ends = m.frame, []

    def execute(value: Value) -> None:
        inner, m.frame = m.frame, outer
        try:
            if item.asname is not None:
                assign(m, item.asname.name, value)
            ends.append(inside())
        finally:
            m.frame = inner
        if ends[-1] == RAISE:
            raise RaisedError

    functions.execute(m, context.func, dict(context.variables), execute)
    return ends[0] if ends and (ends[0] != RAISE or m.control.raised is not None) else NORMAL


def _with_own_exit(m: Interpreter, leave: BoundVal, inside: Callable[[], int]) -> int:
    """A block in a context whose class is written in the analysed code: its ``__exit__`` may take exceptions."""

    def end(flow: int) -> bool | None:
        error = [Unknown("exception") if flow == RAISE else None for _ in range(3)]
        return m.truth(calling.call(m, leave, Arguments(tuple(error))))

    if not _may_take(leave.func):

        def final(flow: int) -> int:
            end(flow)
            return NORMAL

        return _finally(m, inside, final)
    catch = exceptions.catch_all(m.control, m.journal, final=False)
    flow = _catching(m.control, (catch,), inside)
    raised = _caught(m.control, catch, flow)
    surely = raised is not None
    kinds = (*catch.arrived, *(raised.kinds if raised is not None else ()))
    flow = exits.leave(m, catch.end, NORMAL if surely else flow)
    taken = end(RAISE if kinds else flow)
    if not kinds or taken:
        return flow
    if taken is None or not surely:
        exceptions.may_raise(m, kinds)
        return flow
    m.control.raised = exceptions.on_its_way(m.control, kinds)
    return RAISE


def _caught(control: Control, catch: Catch, flow: int) -> Raised | None:
    """The exception in which a block has ended, if it is one that a statement stops, which is then no longer on its way."""
    raised = control.raised
    if flow != RAISE or raised is None or raised.catch is not catch:
        return None
    control.raised = None
    return raised


def _may_take(leave: Value) -> bool:
    """Whether an ``__exit__`` may return a true value, which suppresses the exception."""
    returned = (
        [part.value for part in walk(leave.node.body) if isinstance(part, cst.Return)] if isinstance(leave, FuncVal) else []
    )
    never = (value is None or (isinstance(value, cst.Name) and value.value in ("None", "False")) for value in returned)
    return not all(never)


def _suppressed(m: Paths, catch: Catch, flow: int) -> int:
    """The flow behind a context that takes exceptions."""
    raised = _caught(m.control, catch, flow)
    left_over = catch.left_over((*catch.arrived, *(raised.kinds if raised is not None else ())))
    flow = exits.leave(m, catch.end, flow if raised is None else NORMAL)
    if left_over:
        exceptions.may_raise(m, left_over)
    return flow


def _leave(m: Interpreter, node: cst.With, place: cst.BaseExpression, manager: Value) -> None:
    """The end of a ``with`` block in a context that a library protocol may know."""
    m.frame.statement, m.frame.node = node, place
    if isinstance(manager, InstanceVal) and isinstance(manager.cls, LibSymbol):
        leave = mro.special(manager, "__exit__")
        if leave is not None:
            calling.call(m, leave, Arguments())
    if name := duck.context_of(manager):
        m.event(events.ContextEdge, name=name, phase="exit")


# --- try --------------------------------------------------------------------------------------------------------------------


@executes(cst.Try, cst.TryStar)
def _try(m: Interpreter, node: cst.Try | cst.TryStar) -> int:
    if node.finalbody is None:
        return _with_handlers(m, node)
    body = node.finalbody.body
    return _finally(
        m,
        partial(_with_handlers, m, node),
        lambda _flow: m.block(body),
        jumps=any(isinstance(part, (cst.Return, cst.Break, cst.Continue)) for part in walk(body)),
    )


def _with_handlers(m: Interpreter, node: cst.Try | cst.TryStar) -> int:
    """What surely raises in the body goes to the handler that takes it. If only some path raises, body and handlers are
    alternatives; if none does, handlers are executed for what they show, and the body counts."""
    catch = exceptions.catch_of(m, node)
    flow = _catching(m.control, (catch,), partial(m.block, node.body))
    if (raised := _caught(m.control, catch, flow)) is not None:
        return _handled(m, node, catch, raised)
    if flow == NORMAL and node.orelse is not None:
        flow = m.block(node.orelse.body)
    if catch.arrived:
        arms = [branches.Arm(flow, {}, m.control.raised if flow == RAISE else None)]
        arms += _alternatives(m, node, catch, tuple(catch.arrived), partial(exits.after, m, catch.end))
        exits.close(m.journal, catch.end)
        return branches.merge(m, arms)
    if flow == NORMAL and not m.control.contrary:
        for handler in node.handlers:
            _look_at(m, handler)
    return flow


def _handled(m: Interpreter, node: cst.Try | cst.TryStar, catch: Catch, raised: Raised) -> int:
    """The body has raised: the flow of the handlers that take the exception, or on with it."""
    kinds = (*raised.kinds, *catch.arrived)
    exits.resume(m, catch.end, alive=True)
    numbers = catch.handlers_for(kinds)
    if len(numbers) == 1 and not catch.left_over(kinds):
        return _handle(m, node.handlers[numbers[0]])
    return branches.merge(m, _alternatives(m, node, catch, kinds, lambda run: run()))


def _alternatives(
    m: Interpreter,
    node: cst.Try | cst.TryStar,
    catch: Catch,
    kinds: Kinds,
    execute: Callable[[Callable[[], int]], int],
) -> list[branches.Arm]:
    """The handlers of which one is executed for an exception of one of some classes, and the way of one that none takes;
    ``execute`` executes one of these from the state in which it begins."""
    runs = {number: partial(_handle, m, node.handlers[number]) for number in catch.handlers_for(kinds)}
    if left_over := catch.left_over(kinds):
        runs[len(node.handlers)] = partial(_pass_on, m.control, left_over)
    key = m.budget.next_fork()
    return [
        branches.run_arm(m, partial(execute, run), Condition(key, number, "an exception is raised", default=False), None)
        for number, run in runs.items()
    ]


def _pass_on(control: Control, kinds: Kinds) -> int:
    control.raised = exceptions.on_its_way(control, kinds)
    return RAISE


def _handle(m: Interpreter, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> int:
    if handler.name is not None:
        assign(m, handler.name.name, Unknown("exception"))
    return m.block(handler.body)


def _look_at(m: Interpreter, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> None:
    m.control.contrary += 1
    returns = len(m.frame.returns)
    branches.run_arm(
        m, lambda: _handle(m, handler), Condition(m.budget.next_fork(), 1, "an exception is raised", default=False), None
    )
    del m.frame.returns[returns:]
    m.control.contrary -= 1


# --- finally ----------------------------------------------------------------------------------------------------------------


def _finally(m: Interpreter, run: Callable[[], int], final: Callable[[int], int], *, jumps: bool = False) -> int:
    """Execute a block and then a final block on every path, including those that leave early; ``final`` gets
    the flow of each. ``jumps`` says that it may go on elsewhere, so that an exception ends in it."""
    frame = m.frame
    returned, loop, catch = frame.returned, frame.loop, exceptions.catch_all(m.control, m.journal, jumps=jumps)
    frame.returned = exits.here(m.control, m.journal) if returned is not None else None
    frame.loop = LoopExits(exits.here(m.control, m.journal), exits.here(m.control, m.journal)) if loop is not None else None
    ends = {RETURN: frame.returned, RAISE: catch.end}
    if frame.loop is not None:
        ends |= {BREAK: frame.loop.broken, CONTINUE: frame.loop.continued}
    try:
        flow = _catching(m.control, (catch,), run)
    finally:
        frame.returned, frame.loop = returned, loop
    if (raised := _caught(m.control, catch, flow)) is not None:
        raised = exceptions.on_its_way(m.control, raised.kinds)
    else:
        raised = m.control.raised
    waiting = {left: end for left, end in ends.items() if end is not None and end.states is not None}
    if not waiting:
        return _after(m.control, flow, raised, final)
    key, arms = m.budget.next_fork(), [branches.run_arm(m, partial(_after, m.control, flow, raised, final), None, None)]
    for left, end in waiting.items():
        leaving = exceptions.on_its_way(m.control, tuple(catch.arrived)) if left == RAISE else None
        condition = Condition(key, left, "the block is left early", default=False)
        run = partial(_after, m.control, left, leaving, final)
        arms.append(branches.run_arm(m, partial(exits.after, m, end, run), condition, None))
        exits.close(m.journal, end)
    return branches.merge(m, arms)


def _after(control: Control, flow: int, raised: Raised | None, final: Callable[[int], int]) -> int:
    """Execute a final block; returns its own flow, or else the flow that it interrupts."""
    own = final(flow)
    if not own:
        control.raised = raised
    return own or flow
