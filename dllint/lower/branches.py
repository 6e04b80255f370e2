"""Forks and joins: executing several arms from one state, and what conditions imply inside an arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import ONE_OF_SEVERAL, Condition
from dllint.ir.values import Assumed, Value, moment
from dllint.lower import exceptions, exits, narrowing, states, wording
from dllint.lower.boundary import bound
from dllint.lower.catching import Raised, RaisedError, united
from dllint.lower.dispatch import executes
from dllint.lower.joining import join
from dllint.lower.journal import Writes, read_place
from dllint.lower.scopes import NORMAL, RAISE
from dllint.lower.variants import settings
from dllint.lower.variants.variant import Branch
from dllint.source.memo import of_node

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Joins
    from dllint.lower.state import Identities

_MAX_CONTRARY = 1
#: Reason and detail of the gap that alternatives leave which were passed over, and that a branch leaves of which one arm was
#: followed only: an analysis with such a gap is cut short.
LEFT_OUT: Final = ("fuel", "alternatives")
ONE_WAY: Final = ("fuel", "nesting")


class Arm(NamedTuple):
    """The result of one arm of a branch: how it ended and which places it wrote."""

    flow: int
    writes: Writes
    raised: Raised | None = None
    #: When it began.
    began: int = 0


def run_arm(m: Interpreter, run: Callable[[], int], condition: Condition | None, assume: tuple[int, bool] | None) -> Arm:
    """Execute one arm under a condition, if there is one, and undo its writes."""
    path, assumptions = m.control.path, m.control.assumptions
    began = moment()
    m.journal.open()
    m.control.path = path if condition is None else (*path, condition)
    m.control.undecided += 1
    if assume is not None:
        m.control.assumptions = {**assumptions, **_implied(m, *assume)}
    try:
        flow = run()
    except RaisedError:
        flow = RAISE
    finally:
        m.control.undecided -= 1
        writes = m.journal.undo()
        m.control.path, m.control.assumptions = path, assumptions
    return Arm(flow, writes, m.control.raised if flow == RAISE else None, began)


def merge(m: Interpreter, arms: list[Arm]) -> int:
    """Join the states after arms that started from the present state, and set the joined one; returns the flow of the arms that
    can go on."""
    flow = min(arm.flow for arm in arms)
    catch = arms[-1].raised.catch if flow == RAISE and arms[-1].raised is not None else None
    leading = [arm for arm in arms if arm.flow == flow and (arm.raised is None or arm.raised.catch is catch)]
    for arm in arms:
        if not any(arm is other for other in leading):
            exits.park(m, arm.flow, arm.writes, arm.raised)
    _join_states(m, leading)
    if flow == RAISE:
        several = [arm.raised for arm in leading if arm.raised is not None]
        m.control.raised = united(several) if several else None
    return flow


def _join_states(m: Joins, arms: list[Arm]) -> None:
    if len(arms) == 1:
        m.journal.redo(arms[0].writes)
        return
    places: Writes = {}
    for arm in arms:
        places.update(arm.writes)
    contents: list[states.Contents] = []
    for key, (container, name, _) in places.items():
        before = read_place(container, name)
        contents.append((container, name, [arm.writes[key][2] if key in arm.writes else before for arm in arms]))
    outer, m.control.joined_since = m.control.joined_since, min(arm.began for arm in arms)
    states.join_places(m, contents)
    m.control.joined_since = outer


def each(m: Interpreter, thunks: Sequence[Callable[[], Value]]) -> Value:
    """Evaluate alternatives from one state and join their results and effects."""
    key = m.budget.next_fork()
    results: list[Value] = []
    arms: list[Arm] = []
    for number, thunk in enumerate(thunks):

        def run(thunk: Callable[[], Value] = thunk) -> int:
            results.append(thunk())
            return NORMAL

        arms.append(run_arm(m, run, Condition(key, number, ONE_OF_SEVERAL, arms=len(thunks)), None))
    merge(m, arms)
    if not results:
        exceptions.raise_again(m)
        return Unknown("raises", "every alternative")
    out = results[0]
    for result in results[1:]:
        out = join(m, out, result)
    return out


class Test(NamedTuple):
    """A condition evaluated: ``value`` decided truth or ``None``; ``assumed`` if a default decides it; ``key`` and
    ``polarity`` identify the question if it is undecided."""

    value: bool | None
    assumed: bool
    key: int
    polarity: bool


def ask(m: Interpreter, value: Value) -> Test:
    """What is known about a condition's value on the present path."""
    if isinstance(value, Assumed):
        return Test(m.truth(value), True, id(value), True)
    decided = m.truth(value)
    negations, polarity = m.known.negations, True
    while value in negations:
        value, polarity = negations.get(value), not polarity
    if decided is None and id(value) in m.control.assumptions:
        decided = m.control.assumptions[id(value)] is polarity
    return Test(decided, False, id(value), polarity)


def fork(
    m: Interpreter,
    test_node: cst.CSTNode,
    value: Value,
    then: Callable[[], int],
    other: Callable[[], int],
    *,
    nothing_else: bool = False,
) -> int:
    """Execute what a condition selects: one arm if it is decided, else both, or the first one only, deep inside undecided
    branches, unless the other one does nothing (``nothing_else``)."""
    test = ask(m, value)
    if test.value is not None and not test.assumed:
        return then() if test.value else other()
    m.known.keep(value)
    if id(test_node) in m.run.arms and test.value is None:
        return _take_arm(m, test_node, test, then, other)
    if test.value is not None and isinstance(value, Assumed):
        return _fork_default(m, test_node, value.source, test.value, then, other)
    return _fork_unknown(m, test_node, test, then, other, nothing_else=nothing_else)


def _fork_default(
    m: Interpreter, test_node: cst.CSTNode, source: str, default: bool, then: Callable[[], int], other: Callable[[], int]
) -> int:
    """Continue with the arm that a default selects; the other arm is executed for its findings and then undone.

    That is done at the first branch on a default only: what a later one finds has been made under the default, so the
    other setting cannot be judged there. A default under which the code raises an exception that nothing takes is not what it
    is run with: then the other arm is what goes on.
    """
    chosen, contrary = (then, other) if default else (other, then)
    first = m.trail.is_first_branch(source, test_node)
    explored = m.trail.explorations(test_node)
    key, text = m.budget.next_fork(), m.known.text_of(test_node)
    arms = (text, wording.negated(test_node, text))
    m.run.branches[key] = Branch(test_node, arms[default], source)
    if first and m.control.contrary < _MAX_CONTRARY and explored < m.options.arms and not m.run.active:
        m.trail.explored[id(test_node)] = test_node, explored + 1
        m.control.contrary += 1
        returns = len(m.frame.returns)

        def run() -> int:
            narrowing.exclude_default(m, test_node, source, arm=not default)
            return contrary()

        run_arm(m, run, Condition(key, int(default), arms[default], default=False), None)
        del m.frame.returns[returns:]
        m.control.contrary -= 1
    path, rejected = m.control.path, False
    m.control.path = (*path, Condition(key, int(not default), arms[not default], default=True))
    m.journal.open()
    try:
        flow = chosen()
        raised = m.control.raised if flow == RAISE else None
        rejected = raised is not None and raised.taker is None and not m.run.active
    finally:
        if rejected:
            m.journal.undo()
        else:
            m.journal.keep()
        m.control.path = path
    if not rejected:
        return flow
    m.control.raised = None
    narrowing.exclude_default(m, test_node, source, arm=not default)
    return contrary()


def _take_arm(m: Interpreter, test_node: cst.CSTNode, test: Test, then: Callable[[], int], other: Callable[[], int]) -> int:
    """The arm of an undecided branch that the run is made under."""
    arm = m.run.arms[id(test_node)]
    m.control.assumptions = {**m.control.assumptions, test.key: test.polarity is arm}
    narrowing.narrow(m, test_node, arm)
    return then() if arm else other()


def _fork_unknown(
    m: Interpreter, test_node: cst.CSTNode, test: Test, then: Callable[[], int], other: Callable[[], int], *, nothing_else: bool
) -> int:
    key, text = m.budget.next_fork(), m.known.text_of(test_node)
    m.run.branches[key] = Branch(test_node, text)
    m.program.questions[test.key] = text

    def run_then() -> int:
        narrowing.narrow(m, test_node, arm=True)
        return then()

    def run_other() -> int:
        narrowing.narrow(m, test_node, arm=False)
        return other()

    path = m.control.path
    if m.frame.guarded and not m.frame.guarded.isdisjoint(
        _subjects(test_node)
    ):  # a check before may have excluded this arm: one condition more
        m.control.path = (*path, Condition(-key, 0, text))
    of_rank = _is_of_rank(m.known, test.key)
    first = run_arm(m, run_then, Condition(key, 0, text, of_rank=of_rank), (test.key, test.polarity))
    if first.flow == NORMAL and m.control.undecided >= m.options.nesting and not nothing_else:
        m.unknown(*ONE_WAY)
        m.journal.redo(first.writes)
        m.control.path = path
        return NORMAL
    negated = wording.negated(test_node, text)
    second = run_arm(m, run_other, Condition(key, 1, negated, of_rank=of_rank), (test.key, not test.polarity))
    m.control.path = path
    flow = merge(m, [first, second])
    if flow == NORMAL and first.flow != second.flow:
        held = test.polarity if first.flow == NORMAL else not test.polarity
        m.control.assumptions = {**m.control.assumptions, **_implied(m, test.key, held)}
    return flow


def _is_of_rank(known: Identities, key: int) -> bool:
    """Whether a question, or a part of it, is about the rank of a tensor."""
    if known.of_rank.by_id(key):
        return True
    _, parts = known.compounds.by_id(key) or (False, ())
    return any(_is_of_rank(known, id(part)) or _is_of_rank(known, id(known.negations.get(part))) for part in parts)


def _implied(m: Interpreter, key: int, held: bool) -> dict[int, bool]:
    """The questions that an answer decides: the whole condition and its parts. Where ``a and b`` holds, both hold."""
    out = {key: held}
    conjunction, parts = m.known.compounds.by_id(key) or (not held, ())
    for part in parts if conjunction is held else ():
        test = ask(m, part)
        if test.value is None:
            out |= _implied(m, test.key, test.polarity is held)
    return out


@of_node
def _subjects(node: cst.CSTNode) -> frozenset[str]:
    """The names, and attributes of names, that a condition mentions."""
    return frozenset(_spoken_of(node))


def _spoken_of(node: cst.CSTNode) -> Iterator[str]:
    for part in narrowing.spoken_of(node):
        yield ".".join(narrowing.words(part))


def _is_check(node: cst.If) -> bool:
    """Whether an ``if`` does nothing but raise."""
    body = node.body.body
    last = body[-1] if body else None
    return last.__class__ is cst.SimpleStatementLine and last.body[-1].__class__ is cst.Raise


def choose(
    m: Interpreter, test_node: cst.CSTNode, value: Value, then: Callable[[], Value], other: Callable[[], Value]
) -> Value:
    """A conditional expression: the value of the selected alternative, or the join of both."""
    results: list[Value] = []

    def keep(evaluate: Callable[[], Value]) -> Callable[[], int]:
        def run() -> int:
            results.append(evaluate())
            return NORMAL

        return run

    default = ask(m, value).assumed
    fork(m, test_node, value, keep(then), keep(other))
    if not results:
        exceptions.raise_again(m)
        return Unknown("raises", "both alternatives")
    if default or len(results) == 1:
        return results[-1]
    return join(m, results[0], results[1])


def under(m: Interpreter, test_node: cst.CSTNode, test: Test, arm: bool, evaluate: Callable[[], Value]) -> Value:
    """Evaluate the second operand of ``and``/``or`` where the first one is ``arm``."""
    assumptions = m.control.assumptions
    m.journal.open()
    m.control.assumptions = {**assumptions, test.key: test.polarity is arm}
    try:
        narrowing.narrow_nearest(m, test_node, arm)
        return evaluate()
    finally:
        writes = m.journal.undo()
        m.control.assumptions = assumptions
        if writes:  # it may not have been evaluated
            _join_states(m, [Arm(NORMAL, writes), Arm(NORMAL, {})])


@executes(cst.If)
def _if(m: Interpreter, node: cst.If) -> int:
    while True:
        m.frame.statement = node
        value = m.eval(node.test)
        if m.truth(value) is not None:  # else the arms narrow it
            narrowing.exclude_none(m, node.test)
        if type(value) is Assumed:
            settings.note(m, node, value)
        orelse = node.orelse
        if orelse.__class__ is not cst.If or type(value) is Assumed or ask(m, value).value is not False:
            break
        node = orelse  # a long chain of `elif` is a deep tree: walk it in a loop

    def other() -> int:
        if orelse is None:
            return NORMAL
        if orelse.__class__ is not cst.If:
            return m.block(orelse.body)
        if m.control.undecided >= m.options.alternatives:
            return _left_out(m, orelse)
        return _if(m, orelse)

    flow = fork(m, node.test, value, lambda: m.block(node.body), other, nothing_else=orelse is None)
    if _is_check(node) and m.truth(value) is None:
        m.frame.guarded |= _subjects(node.test)
    return flow


def _left_out(m: Interpreter, statement: cst.CSTNode) -> int:
    """Pass over a statement that may end in any way: what it binds and returns is not known."""
    unknown = m.unknown(*LEFT_OUT)
    for name in dict.fromkeys(bound(statement)):
        m.store(name, unknown)
    m.frame.returns.append(unknown)
    return NORMAL
