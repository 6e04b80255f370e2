"""Operators run alone: what stands out, what only rounds, and pairs of values that do not belong together."""

from __future__ import annotations

import numpy as np
import pytest

from dllint.bisection.bench import Bench
from dllint.bisection.protocols import Aligned
from dllint.bisection.result import Verdict
from dllint.bisection.search.errors import errors_of, wrong_pairs
from dllint.bisection.steps import steps_of
from tests.bisection.toys import Rows, bisected, chain, rows

REFERENCE = chain()


def bench(candidate):
    aligned = [Aligned(name, name, "name") for name in REFERENCE.operators]
    made = Bench(REFERENCE, candidate, aligned, Rows(rows()), (lambda o: o, lambda o: o))
    return made, steps_of(REFERENCE.graph, aligned, False, False)


def changed(**how):
    """The reference with operators whose results are changed."""
    inner = {name: REFERENCE.operators[name][0] for name in how}
    return REFERENCE.with_operator(
        **{name: (lambda *given, f=inner[name], change=change: change(f(*given))) for name, change in how.items()}
    )


def coarse(size: float):
    """Every inner operator rounds to steps of this size."""
    return {f"t{i}": (lambda t: np.round(t / size) * size) for i in range(24)}


def rolled(values):
    return np.roll(values, 1, axis=-1)


@pytest.mark.parametrize("name", ["t3", "t17", "logits"])
def test_an_operator_that_is_wrong_stands_out(name):
    made, steps = bench(changed(**{name: rolled}))
    errors = errors_of(made, steps, 64)
    assert [step.name for step in errors.guides(steps)] == [name]
    assert not errors.rounded
    assert wrong_pairs(made, steps, errors, 64) == []


@pytest.mark.parametrize(("first", "second"), [("t3", "t17"), ("t10", "t11"), ("t1", "logits")])
def test_both_of_a_pair_are_found_with_few_evaluations(first, second):
    found = bisected(REFERENCE, changed(**{first: rolled, second: rolled}))
    assert [step.name for culprit in found.culprits for step in culprit.steps] == [first, second]
    assert found.evaluations <= 2 * np.log2(len(REFERENCE.operators)) + 4


@pytest.mark.parametrize("name", ["t2", "t12", "t21"])
def test_a_fault_is_told_from_rounding_everywhere(name):
    found = bisected(REFERENCE, changed(**{**coarse(0.02), name: rolled}))
    assert [step.name for culprit in found.culprits for step in culprit.steps] == [name]


def test_rounding_everywhere_blames_no_single_operator():
    found = bisected(REFERENCE, changed(**coarse(0.3)))
    assert found.verdict in (Verdict.DIFFUSE, Verdict.NO_DROP_SEEN)
    assert found.culprits == []


@pytest.mark.parametrize("name", ["h5", "h12"])
def test_a_value_that_the_candidate_keeps_in_another_order_is_no_pair(name):
    """All that take it undo the order: nothing is wrong, whether or not something else is."""
    number = int(name[1:])
    back = {f"t{number + 1}": 0, f"h{number + 1}": 0}

    def taking(f):
        return lambda h, *more: f(np.roll(h, -1, axis=-1), *more)

    kept = REFERENCE.operators
    own = {each: taking(kept[each][0]) for each in back} | {name: lambda *given: rolled(kept[name][0](*given))}
    made, steps = bench(REFERENCE.with_operator(**own))
    assert [step.name for step in wrong_pairs(made, steps, errors_of(made, steps, 64), 64)] == [name]
    faulty = REFERENCE.with_operator(**own, t20=lambda h: rolled(kept["t20"][0](h)))
    assert [step.name for culprit in bisected(REFERENCE, faulty).culprits for step in culprit.steps] == ["t20"]


@pytest.mark.parametrize("name", ["t4", "t13", "logits"])
def test_below_the_visible_drop_the_most_probable_operator_is_named_as_such(name):
    """The operator is wrong for every fortieth sample: too few to be certain of."""

    def now_and_then(values):
        return np.where((np.arange(len(values)) % 40 == 0)[:, None], -values, values)

    found = bisected(REFERENCE, changed(**{name: now_and_then}), x=rows(samples=512))
    assert found.culprits == []
    assert [each.step.name for each in found.probable] == [name]
    assert found.samples_needed > 512


def test_nothing_is_probable_where_nothing_is_lost():
    found = bisected(REFERENCE, REFERENCE)
    assert found.probable == []
    assert found.samples_needed is None
