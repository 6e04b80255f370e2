"""The laws of tensors in parts, and of whole numbers that wrap around."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from dllint.domains.dtype import INT8, INT32, INT64, UINT8, DType
from dllint.domains.integers import limits, wrapped
from dllint.domains.interval import GIVEN_UP_ABOVE, Bound, Interval, Origin, between, exactly
from dllint.domains.partition import FULL, Partition, assembled, count, edges, inside, whole

ROWS, COLUMNS = 4, 5
numbers = st.integers(-9, 9).map(float)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(numbers), draw(numbers)))
    return Interval(Bound(low, draw(st.sampled_from(list(Origin)))), Bound(high, draw(st.sampled_from(list(Origin)))))


@st.composite
def partitions(draw: st.DrawFn) -> Partition:
    """Tensors of four rows and five columns."""
    rows = draw(st.sets(st.integers(1, ROWS - 1)))
    columns = draw(st.sets(st.integers(1, COLUMNS - 1)))
    cuts = (tuple(sorted(rows)), tuple(sorted(columns)))
    cuts = cuts if any(cuts) else ()
    return Partition(cuts, tuple(draw(intervals()) for _ in range(count(cuts))))


def at(partition: Partition, row: int, column: int) -> Interval:
    return partition.over(((row, row + 1), (column, column + 1)))


def same(a: Partition, b: Partition) -> bool:
    return a.within(b) and b.within(a)


PLACES = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]


@given(partitions(), partitions(), partitions())
def test_join_is_the_least_upper_bound(a: Partition, b: Partition, c: Partition) -> None:
    joined = a.join(b)
    assert a.within(joined)
    assert b.within(joined)
    assert same(joined, b.join(a))
    assert same(joined.join(c), a.join(b.join(c)))
    assert same(a.join(a), a)
    if a.within(c) and b.within(c):
        assert joined.within(c)


@given(partitions(), partitions())
def test_operations_work_place_by_place(a: Partition, b: Partition) -> None:
    joined, met = a.join(b), a.meet(b)
    for row, column in PLACES:
        x, y = at(a, row, column), at(b, row, column)
        assert at(joined, row, column) == x.join(y)
        assert at(met, row, column) == x.meet(y)


@given(partitions(), partitions())
def test_meet_is_a_lower_bound_where_there_is_one(a: Partition, b: Partition) -> None:
    met = a.meet(b)
    assert met.within(a)
    for row, column in PLACES:
        x, y = at(a, row, column), at(b, row, column)
        if max(x.low.value, y.low.value) <= min(x.high.value, y.high.value):
            assert at(met, row, column).within(y)


@given(partitions(), st.lists(partitions(), max_size=8))
def test_widening_covers_and_ends(start: Partition, steps: list[Partition]) -> None:
    current, changes = start, 0
    for step in steps:
        widened = current.widen(step)
        assert current.within(widened)
        assert step.within(widened)
        changes += not same(widened, current)
        current = widened
    # Each cell can lose its lower bound, its upper bound, and that it is never 0.
    assert changes <= 3 * len(start.cells)


@given(partitions(), partitions())
def test_narrowing_stays_within_and_covers(a: Partition, b: Partition) -> None:
    widened = a.widen(b)
    newer = widened.meet(a.join(b))
    narrowed = widened.narrow(newer)
    assert narrowed.within(widened)
    assert newer.within(narrowed)
    assert same(narrowed.narrow(newer), narrowed)


@given(partitions())
def test_a_finer_grid_says_the_same_and_a_coarser_one_less(a: Partition) -> None:
    cuts = (tuple(range(1, ROWS)), tuple(range(1, COLUMNS)))
    assert same(a.cut_as(cuts), a)
    assert a.cut_as(cuts).simplified(64) == a.simplified(64)
    assert a.within(whole(a.smashed))
    assert a.simplified(1) == whole(a.smashed)


@given(partitions(), st.integers(0, ROWS - 1), st.integers(0, COLUMNS - 1))
def test_a_box_holds_its_elements(a: Partition, row: int, column: int) -> None:
    box = ((row, ROWS), (0, column + 1))
    for place in [(r, c) for r, c in PLACES if r >= row and c <= column]:
        assert at(a, *place).within(a.over(box))


def test_a_box_becomes_a_cell() -> None:
    box = ((1, 3), FULL)
    grid = edges(box)
    assert grid == ((1, 3), ())
    marked = assembled(grid, lambda cell: exactly(1 if inside(cell, box) else 0))
    assert [cell.constant for cell in marked.cells] == [0, 1, 0]
    assert edges((FULL, FULL)) == ()


def test_an_axis_of_unknown_size_can_be_cut() -> None:
    head = assembled(((3,),), lambda cell: exactly(float(cell[0][0])))
    assert head.over(((0, 2),)).constant == 0
    assert head.over(((100, None),)).constant == 3


def test_narrowing_gives_back_what_widening_gave_up() -> None:
    grown = between(0, 1).widen(between(0, 2))
    assert grown.high == GIVEN_UP_ABOVE
    assert grown.narrow(between(0, 5)) == between(0, 5)
    assert between(0, 9).narrow(between(0, 5)) == between(0, 9)


@given(st.sampled_from([UINT8, INT8, INT32]), st.integers(-(2**34), 2**34), st.integers(0, 300))
def test_wrapped_numbers_lie_in_the_wrapped_interval(dtype: DType, low: int, width: int) -> None:
    least, _ = limits(dtype)
    found = wrapped(between(low, low + width), dtype)
    for number in (low, low + width // 2, low + width):
        assert exactly(float((number - least) % 2**dtype.bits + least)).within(found)


def test_what_is_not_known_of_pixels_is_between_0_and_255() -> None:
    found = wrapped(Interval(Bound(-math.inf, Origin.UNKNOWN), Bound(math.inf, Origin.UNKNOWN)), UINT8)
    assert (found.low.value, found.high.value, found.known) == (0, 255, False)
    assert wrapped(exactly(256), UINT8) == exactly(0)
    assert wrapped(between(0, math.inf), INT32).high.value == 2**31 - 1
    assert wrapped(between(0, math.inf), INT64) == between(0, math.inf)
