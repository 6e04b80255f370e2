"""The calls of a module in the arms of branches that are not decided: a run goes through one arm of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dllint.analysis.architecture.tree import Call
from dllint.domains.lattice import Unknown
from dllint.ir.program import Condition, TensorVal
from dllint.ir.values import Value, unwrap

#: What a condition has two arms of unless it says otherwise.
_THEN_AND_ELSE = 2


@dataclass(frozen=True, slots=True)
class Placed:
    """A call and the arms of undecided branches that it stands in, outermost first."""

    call: Call
    arms: tuple[Condition, ...]


def undecided(path: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions of a path of which it is not known whether a run comes to them."""
    return tuple(condition for condition in path if condition.default is None and not condition.certain)


def of_one_run(placed: Sequence[Placed]) -> list[Call]:
    """The calls that a run makes: where all arms of a branch call the module alike, those of one arm."""
    left = list(placed)
    for depth in range(max((len(one.arms) for one in left), default=0), 0, -1):
        left = list(_without_others(left, depth))
    return [one.call for one in left]


def _without_others(placed: Sequence[Placed], depth: int) -> Iterator[Placed]:
    """The calls, without those in the other arms of branches so deep in others that all arms call alike."""
    branches: dict[object, dict[int, list[Call]]] = {}
    for one in placed:
        if len(one.arms) == depth:
            branches.setdefault(_branch(one), {}).setdefault(one.arms[-1].arm, []).append(one.call)
    for one in placed:
        arms = branches.get(_branch(one), {}) if len(one.arms) == depth else {}
        if not arms or not _are_alike(list(arms.values()), one.arms[-1].arms or _THEN_AND_ELSE):
            yield one
        elif one.arms[-1].arm == min(arms):
            yield Placed(one.call, one.arms[:-1])


def _branch(one: Placed) -> object:
    return (*((outer.key, outer.arm) for outer in one.arms[:-1]), one.arms[-1].key if one.arms else None)


def _are_alike(arms: Sequence[Sequence[Call]], expected: int) -> bool:
    if len(arms) != expected or any(len(arm) != len(arms[0]) for arm in arms):
        return False
    return all(_gives_the_same(first, other) for arm in arms[1:] for first, other in zip(arms[0], arm, strict=True))


def _gives_the_same(one: Call, other: Call) -> bool:
    return _is_same(unwrap(one.output), unwrap(other.output))


def _is_same(one: Value, other: Value) -> bool:
    """Whether two results are tensors of known types, equal ones, or tuples of such."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, map(unwrap, one), map(unwrap, other)))
    if not isinstance(one, TensorVal) or not isinstance(other, TensorVal) or isinstance(one.shape, Unknown):
        return False
    return one.shape == other.shape and one.dtype == other.dtype
