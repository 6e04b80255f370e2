"""``for`` and ``while`` loops: unrolled if the trip count is known, otherwise executed to a fixpoint.

The trace shows the first pass; effects of later passes alone (a dict that is filled from the second pass on) are joined into
the state after the loop (``states.join_places``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import libcst as cst

from dllint.domains.dim import FALLING, Dim, DimExpr, bounds, counted, is_fixed, same
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event, Op, TensorVal, next_id
from dllint.ir.values import InstanceVal, IterVal, ListVal, RangeVal, Value, moment, unwrap
from dllint.lower import branches, exits, installed, literals, repeats, stability, states
from dllint.lower.assignment import assign
from dllint.lower.batches import look_at_cases
from dllint.lower.boundary import bound_ahead
from dllint.lower.catching import RaisedError
from dllint.lower.dispatch import executes
from dllint.lower.documented import ranges
from dllint.lower.ends import LoopExits
from dllint.lower.iteration import element, iterator, one_by_one
from dllint.lower.joining import alike, join
from dllint.lower.journal import ORDER, Entry, Writes, read_place
from dllint.lower.lazy import ChoiceVal
from dllint.lower.renewal import renew, renew_ahead
from dllint.lower.scopes import BREAK, CONTINUE, MISSING, NORMAL, RAISE, RETURN
from dllint.lower.widening import widened
from dllint.ops.sizes import is_dim
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.ir.program import Program
    from dllint.lower.journal import Journal
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Joins, Paths


#: Tuples in tuples are looked into so deep.
_DEEPEST: Final = 3


@executes(cst.For)
def _for(m: Interpreter, node: cst.For) -> int:
    iterable = unwrap(m.eval(node.iter))
    m.frame.node = node.iter
    iterable = iterator(m, iterable)
    items = m.iterate(iterable)
    iterable = unwrap(iterable)
    if isinstance(iterable, IterVal) and iterable.counter is not None:
        return _looped(m, node, partial(_repeated, m, node, partial(_counting, m, node, iterable), iterable))
    if isinstance(items, list) and len(items) <= installed.unroll(m.options, m.budget):
        run = partial(_unrolled, m, node, items, iterable)
        return _looped(m, node, partial(_repeated, m, node, run, iterable) if len(items) > 1 else run)
    return _looped(m, node, partial(_over_any, m, node, iterable))


def _counting(m: Interpreter, node: cst.For, iterable: IterVal) -> int:
    """Execute a loop over an infinite counter, pass by pass, as long as the end of each pass is known."""
    for number, item in zip(range(installed.unroll(m.options, m.budget)), one_by_one(m.journal, iterable, []), strict=False):
        trace, forks = len(m.program.trace), m.budget.forks
        m.journal.open()
        m.frame.statement = node
        _next(m, node, item)
        flow = _one_pass(m, partial(m.block, node.body))
        known = m.budget.forks == forks and m.budget.fuel > 0 and (number < stability.MANY or len(m.program.trace) == trace)
        m.journal.keep()
        if flow in (BREAK, RETURN, RAISE):
            return flow
        if not known:
            break
    return fixpoint(m, node, _body(m, node, iterable))


def _over_any(m: Interpreter, node: cst.For, iterable: Value) -> int:
    """A loop over an iterable whose number of elements is not known."""
    body, start = _body(m, node, iterable), len(m.program.trace)
    counted = _counted(m, node, iterable)
    run = partial(fixpoint, m, node, body) if counted is None else partial(_from_first, m, node, body, *counted)
    flow = _repeated(m, node, run, iterable)
    if flow == NORMAL:
        look_at_cases(m, node, iterable, body, start)
    return flow


def _counted(m: Interpreter, node: cst.For, iterable: Value) -> tuple[Value, Value] | None:
    """The first item, then any later one, of a loop that counts and tests for the first iteration (``if i == 0``)."""
    target: cst.BaseExpression = node.target
    value = element(m, iterable)
    if isinstance(iterable, RangeVal) and iterable.step == 1 and isinstance(iterable.start, int):
        start, more = iterable.start, None
    elif _is_enumeration(node) and isinstance(value, tuple) and isinstance(target, cst.Tuple):
        start, more, target = 0, value[1:], target.elements[0].value
    else:
        return None
    if not isinstance(target, cst.Name) or not _compares(node, target.value, str(start)):
        return None
    later = counted("i", start + 1)
    return (start, later) if more is None else ((start, *more), (later, *more))


def _is_enumeration(node: cst.For) -> bool:
    call = node.iter
    return (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Name)
        and call.func.value == "enumerate"
        and len(call.args) == 1
    )


def _compares(node: cst.For, name: str, number: str) -> bool:
    """Whether the body of a loop compares a variable with a number."""
    comparisons = (part for part in walk(node.body) if isinstance(part, cst.Comparison))
    return any(
        isinstance(part.left, cst.Name)
        and part.left.value == name
        and any(isinstance(other.comparator, cst.Integer) and other.comparator.value == number for other in part.comparisons)
        for part in comparisons
    )


def _from_first(m: Interpreter, node: cst.For, body: Callable[..., int], first: Value, later: Value) -> int:
    """Execute the first iteration, then any later one: state that the first one sets up is available to the others."""
    flow = _unrolled(m, node, [first], first)
    return flow if flow in (BREAK, RETURN, RAISE) else fixpoint(m, node, partial(body, later))


def _looped(m: Interpreter, node: cst.For | cst.While, run: Callable[[], int]) -> int:
    """Execute a loop and its ``else``; the paths that break out of it are joined after both."""
    outer = m.frame.loop
    loop = m.frame.loop = LoopExits(exits.here(m.control, m.journal), exits.here(m.control, m.journal))
    try:
        flow = run()
    finally:
        m.frame.loop = outer
    if flow == NORMAL and node.orelse is not None:
        flow = m.block(node.orelse.body)
    elif flow not in (RETURN, RAISE):
        flow = NORMAL
    return exits.leave(m, loop.broken, flow)


def _one_pass(m: Paths, run: Callable[[], int]) -> int:
    """Execute an iteration; the paths that ``continue`` are joined at its end."""
    loop = m.frame.loop
    if loop is None:
        return run()
    loop.continued = exits.here(m.control, m.journal)
    return exits.leave(m, loop.continued, run(), CONTINUE)


def _body(m: Interpreter, node: cst.For, iterable: Value) -> Callable[..., int]:
    """An iteration with any element of an iterable, or with the one that is given."""
    value = element(m, iterable)

    def body(item: Value = value) -> int:
        _next(m, node, item)
        return m.block(node.body)

    return body


def _next(m: Interpreter, node: cst.For, item: Value) -> None:
    """Give a loop's target what the next iteration has there."""
    assign(m, node.target, item)
    ranges.after(m, node, ranges.remarks(m.known, node))


def _repeated(m: Interpreter, node: cst.For | cst.While, run: Callable[[], int], over: Value = None) -> int:
    """Execute a loop between the events that mark what happens there as repeated."""
    m.event(events.LoopEdge, node=node, phase="enter", over=over)
    flow = run()
    m.frame.statement = node
    m.event(events.LoopEdge, node=node, phase="exit", is_cut=m.budget.fuel < 0)
    return flow


@executes(cst.While)
def _while(m: Interpreter, node: cst.While) -> int:
    return _looped(m, node, partial(_repeated, m, node, partial(_iterations, m, node)))


def _iterations(m: Interpreter, node: cst.While) -> int:
    for number in range(installed.unroll(m.options, m.budget)):
        test = branches.ask(m, m.eval(node.test))
        if test.value is None or m.budget.fuel <= 0:
            break
        if test.value is False:
            return NORMAL
        start = len(m.program.trace)
        m.journal.open()
        flow = _certain_iteration(m, node) if _is_endless(node) else _iteration(m, node)
        tedious = number >= stability.MANY and stability.lengthens(m.program, start)
        settled = (
            number > 0 and (tedious or stability.trains(m.program, start)) and stability.is_steady(m.frame, m.journal, node)
        )
        settled = settled or (tedious and start > stability.ENDLESS_TRACE)
        m.journal.keep()
        if flow is None or (settled and flow in (NORMAL, CONTINUE)):
            break
        if flow in (BREAK, RETURN, RAISE):
            return flow
    return fixpoint(m, node, lambda: m.block(node.body))


def _certain_iteration(m: Interpreter, node: cst.While) -> int | None:
    """One iteration of an endless loop, undone (``None``) if it does more than compute with known values."""
    trace, forks = len(m.program.trace), m.budget.forks
    m.journal.open()
    flow = _iteration(m, node)
    if len(m.program.trace) == trace and m.budget.forks == forks:
        m.journal.keep()
        return flow
    m.journal.undo()
    del m.program.trace[trace:]
    return None


def _is_endless(node: cst.While) -> bool:
    return isinstance(node.test, (cst.Name, cst.Integer)) and node.test.value in ("True", "1")


def _iteration(m: Interpreter, node: cst.For | cst.While) -> int:
    m.frame.statement = node
    return _one_pass(m, partial(m.block, node.body))


def _unrolled(m: Interpreter, node: cst.For, items: list[Value], iterable: Value) -> int:
    last: Value = None
    began = len(m.program.trace)
    every = ListVal(list(items)) if isinstance(iterable, (IterVal, ListVal)) else iterable
    for number, item in enumerate(one_by_one(m.journal, iterable, items)):
        if m.budget.fuel <= 0:
            return NORMAL
        block = stability.block_of(node, item)
        if last is not None and repeats.same_block(last, block):
            continue
        m.frame.statement = node
        start, own = len(m.program.trace), next_id()
        m.journal.open()
        try:
            _next(m, node, item)
        except RaisedError:
            m.journal.keep()
            raise
        flow = _one_pass(m, partial(m.block, node.body))
        last = block if isinstance(block, InstanceVal) and stability.is_stable(m.frame, m.journal, node, own) else None
        settled = number > 0 and stability.trains(m.program, start) and stability.is_steady(m.frame, m.journal, node)
        tedious = number > 0 and stability.is_tedious(m.program, items[number + 1 :], start)
        tedious = tedious and (start > stability.ENDLESS_TRACE or stability.counts_only(m.frame, m.journal, node, own))
        m.journal.keep()
        if flow in (BREAK, RETURN, RAISE):
            return flow
        if settled and number + 1 < len(items):
            return _remaining(m, node, every, began)
        if tedious:
            return fixpoint(m, node, _body(m, node, every))
    return NORMAL


def _remaining(m: Interpreter, node: cst.For, iterable: Value, began: int) -> int:
    """Execute the remaining iterations of a loop whose iterations repeat each other, traced from ``began`` on. They are
    recorded only if they execute code that earlier ones have not."""
    mark, gaps = len(m.program.trace), len(m.program.gaps)
    known = {id(item.site.node) for item in m.program.trace[began:]}
    flow = fixpoint(m, node, _body(m, node, iterable))
    if all(id(item.site.node) in known for item in m.program.trace[mark:]):
        del m.program.trace[mark:], m.program.gaps[gaps:]
    return flow


def fixpoint(m: Interpreter, node: cst.CSTNode, body: Callable[[], int]) -> int:
    """Execute a body any number of times.

    The first pass is recorded. If it changes what it starts from, further passes from the joined state find types that
    hold in every iteration; their operations are not recorded again. What still changes then is widened.
    """
    outer = m.control.renewed
    renewed = m.control.renewed = {} if outer is None else outer
    renew_ahead(m, node, renewed)
    start, gaps, returns = len(m.program.trace), len(m.program.gaps), len(m.frame.returns)
    first = _pass(m, body)
    m.frame.statement = node
    if renew(m, node, (entry for _, entry in first.carried()), m.program.trace, start, renewed):
        start = len(m.program.trace)
        del m.program.gaps[gaps:], m.frame.returns[returns:]
        first = _pass(m, body)
    bound = bound_ahead(m.frame, node)
    _note_carried(m.journal, m.program, first, bound)
    if first.flow in (NORMAL, CONTINUE) and _changed(first, {}):
        _stabilize(m, body, first, m.program.trace[start:], bound)
    else:
        m.journal.redo(first.writes)
    m.frame.statement = node
    m.control.renewed = outer
    return first.flow


def _note_carried(journal: Journal, program: Program, iteration: _Pass, bound: frozenset[tuple[int, str]]) -> None:
    """What an iteration found in a place and what it left there, for those who ask for the values in later iterations."""
    for key, (container, name, value) in iteration.carried():
        for before, after in _tensors_at(read_place(container, name), value, iteration.writes) if key not in bound else ():
            program.carried.setdefault(before.id, []).append(after)
            if before not in after.earlier:
                journal.note_lasting(after, "earlier")
                after.earlier = (*after.earlier, before)
            literals.either(journal, after, before)
            for tensor in (before, after):
                if not tensor.varies:
                    journal.note_lasting(tensor, "varies")
                    tensor.varies = True


def _tensors_at(before: Value, after: Value, writes: Writes, depth: int = _DEEPEST) -> Iterator[tuple[TensorVal, TensorVal]]:
    """The different tensors at the same place of two values, of tuples of one length and of objects of one class, too (a state
    of two tensors). What the pass has made is empty by now: its ``writes`` tell what it held."""
    if isinstance(before, TensorVal) and isinstance(after, TensorVal):
        yield from ((before, after),) if before is not after else ()
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after) and depth:
        for one, other in zip(before, after, strict=True):
            yield from _tensors_at(one, other, writes, depth - 1)
    elif isinstance(before, InstanceVal) and isinstance(after, InstanceVal) and before.cls is after.cls and depth:
        for name, held in before.attrs.items() if before is not after else ():
            _, _, left = writes.get((id(after.attrs), name), (None, None, after.attrs.get(name)))
            yield from _tensors_at(held, left, writes, depth - 1)


class _Pass(NamedTuple):
    """An iteration that was undone: what it had written, how it ended, and by ``id`` the containers that it had made itself
    (the variables of a function that it calls), which the next one makes anew."""

    writes: Writes
    flow: int
    created: dict[int, Any]

    def carried(self) -> Iterator[tuple[tuple[int, Any], Entry]]:
        """The values that it had written to places that were there before."""
        return ((key, entry) for key, entry in self.writes.items() if key[0] not in self.created)


def _pass(m: Paths, body: Callable[[], int]) -> _Pass:
    m.journal.open()
    outside = m.journal.open_pass()
    m.control.passes += 1
    began, m.control.pass_began = m.control.pass_began, moment()
    try:
        flow = _one_pass(m, body)
    finally:
        m.control.passes -= 1
        m.control.pass_began = began
        writes, made = m.journal.undo(), m.journal.close_pass(outside)
    return _Pass(writes, flow, made)


@dataclass(slots=True)
class _Place:
    """A place that an iteration changes: what it held before the loop, and what it may hold in any iteration."""

    container: Any
    name: Any
    before: Value
    joined: Value


def _changed(iteration: _Pass, places: dict[tuple[int, Any], _Place]) -> list[tuple[int, Any]]:
    """The places that existed before the loop and whose content one iteration changes in kind: no join of earlier ones in
    ``places`` stands for it."""
    out = []
    for key, (container, name, value) in iteration.carried():
        if name is ORDER:
            continue
        before = read_place(container, name)
        fresh = before is MISSING or (before is None and not isinstance(container, dict))
        if fresh or type(container) is list or alike(before, value):
            continue
        if (place := places.get(key)) is None or not _covers(place, value):
            out.append(key)
    return out


def _covers(place: _Place, value: Value) -> bool:
    """Whether what the passes so far have left at a place stands for the value, too: its sizes differ from those before only
    where that was found to vary."""
    joined, before = place.joined, place.before
    if isinstance(joined, ChoiceVal):
        return any(alike(option, value) for option in joined.options)
    if isinstance(joined, TensorVal) and isinstance(value, TensorVal) and isinstance(before, TensorVal):
        shapes = [tensor.shape for tensor in (joined, value, before) if not isinstance(tensor.shape, Unknown)]
        if joined.dtype != value.dtype or {len(shape) for shape in shapes} != {joined.type.rank} or len(shapes) < 3:
            return False
        return all(_is_among(new, size, old) for size, new, old in zip(*shapes, strict=True))
    return is_dim(joined) and is_dim(value) and is_dim(before) and _is_among(value, joined, before)


def _is_among(size: Dim, joined: Dim, before: Dim) -> bool:
    """Whether a size is one of those that a join stands for; nothing but its bounds is known of a join of different sizes."""
    if same(size, joined):
        return True
    if not isinstance(joined, DimExpr) or not joined.is_symbol or is_fixed(joined) or same(joined, before):
        return False
    (low, high), (least, _) = bounds(joined), bounds(size)
    return high is None and low is not None and least is not None and low <= least


def _keep_new(program: Program, mark: int, start: int, recorded: list[Op | Event]) -> None:
    """Remove what was traced from ``mark`` on, but for what the last pass, traced from ``start`` on, did where the recorded one
    did nothing: its state allowed for what earlier ones had left, as a flag that the first one sets."""
    known = {id(item.site.node) for item in recorded}
    program.trace[mark:] = [item for item in program.trace[start:] if id(item.site.node) not in known]


def _note_later(program: Program, recorded: list[Op | Event], later: list[Op | Event]) -> None:
    """Record the results of the recorded pass's operations in later passes, if their numeric arguments differ there."""
    found: dict[tuple[Any, ...], list[Op]] = {}
    for item in later:
        if isinstance(item, Op):
            found.setdefault(_place(item), []).append(item)
    for op in recorded:
        if not isinstance(op, Op) or not (same := found.get(_place(op))):
            continue
        again = same.pop(0)
        if not all(alike(value, again.args.get(name)) for name, value in op.args.items()):
            program.later.update((one.id, other) for one, other in zip(op.outputs, again.outputs, strict=False))


def _place(op: Op) -> tuple[Any, ...]:
    """The key by which two executions of the same operation are matched."""
    return op.kind, *(id(site.node) for site in op.site.stack())


def _stabilize(
    m: Interpreter,
    body: Callable[[], int],
    first: _Pass,
    recorded: list[Op | Event],
    bound: frozenset[tuple[int, str]],
) -> None:
    """Join what changes until nothing does, then set the state after the loop."""
    start = mark = len(m.program.trace)
    gaps, returns = len(m.program.gaps), len(m.frame.returns)
    places: dict[tuple[int, Any], _Place] = {}
    latest = first
    m.journal.open()
    for count in range(m.options.passes):
        again = _changed(latest, places)
        if not again:
            break
        for key in again:
            _widen(m, places, key, latest.writes[key], last=count == m.options.passes - 1)
        start = len(m.program.trace)
        latest = _pass(m, body)
    _note_carried(m.journal, m.program, latest, bound)
    _note_later(m.program, recorded, m.program.trace[start:])
    m.journal.undo()
    _keep_new(m.program, mark, start, recorded)
    del m.program.gaps[gaps:], m.frame.returns[returns:]
    m.journal.redo(first.writes)
    for key, place in places.items():
        after = first.writes[key][2] if key in first.writes else place.before
        m.journal.set_place(place.container, place.name, _after(m, place.before, after, place.joined))
    for key, (container, name, value) in latest.carried():
        if key in first.writes and key not in places and type(container) is not list and name is not ORDER:
            early = first.writes[key][2]
            if not alike(early, value):
                m.journal.set_place(container, name, join(m, early, value))
    only_later = (entry for key, entry in latest.carried() if key not in first.writes and key not in places)
    states.join_places(m, [(held, name, [read_place(held, name), value]) for held, name, value in only_later])


def _widen(m: Joins, places: dict[tuple[int, Any], _Place], key: tuple[int, Any], written: Entry, last: bool) -> None:
    container, name, value = written
    place = places.get(key)
    if place is None:
        before = read_place(container, name)
        place = places[key] = _Place(container, name, before, before)
    if type(value) is int and type(place.joined) is int and value < place.joined:  # what falls is no bound
        place.joined = counted("joined", FALLING) if value > 0 else widened(value)
    else:
        place.joined = widened(place.joined, value) if last else join(m, place.joined, value)
    m.journal.set_place(container, name, place.joined)


def _after(m: Joins, before: Value, after: Value, joined: Value) -> Value:
    """The value after the loop: what the first iteration made, with the type that holds for all."""
    if isinstance(joined, TensorVal) and isinstance(after, TensorVal):
        if joined.type == after.type:
            return after
        return m.merge_tensors(before if isinstance(before, TensorVal) else after, after, joined.type)
    return joined
