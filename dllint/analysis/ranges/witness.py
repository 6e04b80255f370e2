"""Whether a danger is met by ordinary numbers: a few values for what is free are drawn, and the program's operations computed.

A range says where numbers may lie; that they come to its ends is shown by numbers that do. What is free: outputs of trained
layers and trained tensors (standard normal numbers, also moved down and up), random draws, what is given. That a network gives
minus two everywhere is ordinary, that it gives exactly 0 in eight places at once, or 100 in one, is not. Arguments of an entry
that nothing calls may be chosen well by whoever calls it: for them the danger has to be met with positive numbers, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from dllint.analysis.ranges.constants import is_state_elsewhere
from dllint.domains.atoms import Symbol
from dllint.domains.dim import DimExpr, symbols
from dllint.domains.dtype import DType
from dllint.domains.interval import Interval, Origin
from dllint.domains.lattice import Unknown
from dllint.domains.substitution import substitute
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import is_float
from dllint.ops.traits import Trait
from dllint.ops.values.slices import Slice

if TYPE_CHECKING:
    import numpy as np

    from dllint.analysis.facts import Facts
    from dllint.domains.enclosure import Enclosure

#: Tests whether one of an operand's elements is surely where it must not be.
Danger = Callable[["Enclosure"], bool]
#: Operations that trained weights make independent of their inputs.
_TRAINED: Final = having(Trait.LEARNED)
_DRAWN: Final = having_any(Trait.DRAWS_NORMAL | Trait.DRAWS_EVENLY)
_GIVEN: Final = having_any(Trait.INPUT | Trait.LOADS)
#: Operations that leave elements as they are when nothing is trained.
_KEEPING: Final = having(Trait.DROPS)
_DRAWN_NORMAL: Final = having(Trait.DRAWS_NORMAL)
_VARIABLES: Final = having(Trait.VARIABLE)
#: An unknown size is taken for this one.
_SIZE: Final = 3
#: So many elements are computed for one draw, and so many operations.
_LARGEST: Final = 400_000
_DEEPEST: Final = 160
#: So many operations are computed for one program; one with many elements counts as several.
_MOST: Final = 50_000
_ELEMENTS: Final = 1_000
#: How trained numbers are moved, draw by draw.
_MOVED: Final = (0.0, -2.5, 2.5, 0.0)
#: The largest whole number that is drawn.
_COUNTED: Final = 1000


@cache
def _can_compute() -> bool:
    """Whether numpy is there to compute with."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Draw:
    """How free values are chosen: ``positive`` inputs, or any; trained numbers are ``moved``."""

    positive: bool
    moved: float
    seed: int


class Witnesses:
    """Numbers that meet dangers in one program. Where that would be too much work, nothing is shown."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._work = 0
        self._inputs = frozenset(value.id for value in facts.program.inputs)

    @property
    def gave_up(self) -> bool:
        """Whether there was more to compute than there is work for."""
        return self._work > _MOST

    def met(self, op: Op, operand: TensorVal, danger: Danger) -> bool:
        """Whether ordinary numbers make an operand of an operation dangerous, on a way that leads to the operation. Where
        numpy is not installed (the server that the extension brings has none), nothing is shown."""
        self._work += len(op.tested)
        if not _can_compute() or self.gave_up:
            return False
        wanted = [(operand, None), *self._conditions(op)]
        slices = [Slice(value, _DEEPEST, self._is_free) for value, _ in wanted]
        ops = list(dict.fromkeys(step for found in slices for step in found.ops))
        leaves = {leaf.id: leaf for found in slices for leaf in found.leaves}
        if any(found.cut_short for found in slices) or not self._computable(op, operand, ops):
            return False
        if any(isinstance(leaf.shape, Unknown) for leaf in leaves.values()) and any(does(step, Trait.REDUCES) for step in ops):
            return False  # one number stands for each of its elements, not for all of them together
        given = any(self._is_given(leaf) for leaf in leaves.values())
        families = (False, True) if given else (False,)
        return all(self._met_once(wanted, ops, list(leaves.values()), danger, positive) for positive in families)

    def _conditions(self, op: Op) -> Iterator[tuple[TensorVal, bool | None]]:
        """The tests on the way to an operation, and how each was decided."""
        for identity, held in op.tested.items():
            test = self._facts.results.get(identity)
            if test is not None:
                yield test, held

    def _computable(self, op: Op, operand: TensorVal, ops: list[Op]) -> bool:
        """Whether a run is one way through the operations: what a loop or an assignment changes is not followed."""
        values = [operand, *(output for step in ops for output in step.outputs)]
        joins = sum(step.kind == "phi" for step in ops)
        fixed = not any(value.stale or value.several for value in values) and joins <= 1
        return fixed and not any(is_state_elsewhere(value, step) for step in (*ops, op) for value in step.inputs)

    # --- what is free -------------------------------------------------------------------------------------------------

    def _is_free(self, value: TensorVal) -> bool:
        maker = value.producer
        if maker is None or value.stated is not None or maker.args.get("requires_grad") is True:
            return True
        return maker.kind in _TRAINED or maker.kind in _DRAWN or maker.kind in _GIVEN

    def _is_given(self, value: TensorVal) -> bool:
        return value.stated is None and value.producer is None and value.id in self._inputs

    def _bounds(self, value: TensorVal) -> Interval:
        return self._facts.ranges.of(value)

    # --- one run ------------------------------------------------------------------------------------------------------

    def _met_once(
        self,
        wanted: list[tuple[TensorVal, bool | None]],
        ops: list[Op],
        leaves: list[TensorVal],
        danger: Danger,
        positive: bool,
    ) -> bool:
        draws = (_Draw(positive, moved, seed) for seed, moved in enumerate(_MOVED))
        return any(self._meets(wanted, ops, leaves, danger, draw) for draw in draws)

    def _meets(
        self, wanted: list[tuple[TensorVal, bool | None]], ops: list[Op], leaves: list[TensorVal], danger: Danger, draw: _Draw
    ) -> bool:
        from dllint.domains.enclosure import UndeterminedError, truth_of
        from dllint.ops.values.evaluation import perform

        arm = {id(op): "x" if draw.seed % 2 == 0 else "y" for op in ops if op.kind == "phi"}
        try:
            known = {leaf.id: self._drawn(leaf, draw, place) for place, leaf in enumerate(leaves)}
            for op in ops:
                if op.kind in _KEEPING:
                    known[op.output.id] = known[op.inputs[0].id]
                else:
                    perform(op, known, arm, _size)
                size = sum(known[output.id].low.size for output in op.outputs if output.id in known)
                self._work += 1 + size // _ELEMENTS
                if size > _LARGEST or self.gave_up:
                    return False
            (operand, _), *tests = wanted
            held = (bool((truth_of(known[test.id]).numbers == 1).all()) is holds for test, holds in tests)
            return all(held) and danger(known[operand.id])
        except (UndeterminedError, KeyError):
            return False

    def _drawn(self, leaf: TensorVal, draw: _Draw, place: int) -> Enclosure:
        """Elements of the free value at a place among all. Raises UndeterminedError for one that nothing is known of."""
        import numpy as np

        from dllint.domains.enclosure import UndeterminedError, exactly, rounded
        from dllint.ops.values.spec import format_named

        shape = tuple(_size(size) for size in leaf.shape) if isinstance(leaf.shape, tuple) else ()
        if math.prod(shape) > _LARGEST:
            raise UndeterminedError("too large")
        source = np.random.default_rng((draw.seed, place))
        kind = leaf.producer.kind if leaf.producer is not None else ""
        found = self._bounds(leaf)
        if isinstance(leaf.dtype, DType) and not is_float(leaf.dtype):
            return exactly(_whole(found, leaf, shape, source))
        numbers = _floating(found, kind, shape, source, draw)
        if leaf.stated is not None:
            numbers = _with_ends(numbers, found, draw)
        fmt = format_named(leaf.dtype) if isinstance(leaf.dtype, DType) else None
        return exactly(numbers) if fmt is None else rounded(exactly(numbers), fmt)


def _size(size: Value) -> int:
    """A size as a number."""
    if isinstance(size, int):
        return size
    from dllint.domains.enclosure import UndeterminedError

    if not isinstance(size, DimExpr):
        raise UndeterminedError("size")
    found = substitute(size, {symbol: _one_of(symbol) for symbol in symbols(size)})
    if not isinstance(found, int) or found < 0:
        raise UndeterminedError("size")
    return found


def _one_of(symbol: Symbol) -> int:
    """A number that a symbol may stand for."""
    number = max(_SIZE, symbol.lower)
    return number if symbol.upper is None else min(number, symbol.upper)


def _whole(found: Interval, leaf: TensorVal, shape: tuple[int, ...], source: np.random.Generator) -> Any:
    """Whole numbers or truths between known ends."""
    from dllint.domains.enclosure import UndeterminedError

    if isinstance(leaf.dtype, DType) and leaf.dtype.kind == "bool":
        return source.integers(0, 2, shape)
    low, high = found.low.value, found.high.value
    if not (found.low.known and found.high.known and 0 <= high - low <= _COUNTED):
        raise UndeterminedError("counts")
    return source.integers(int(low), int(high) + 1, shape)


def _floating(found: Interval, kind: str, shape: tuple[int, ...], source: np.random.Generator, draw: _Draw) -> Any:
    low, high = found.low.value, found.high.value
    if math.isfinite(low) and math.isfinite(high) and kind not in _DRAWN_NORMAL:
        return low + (high - low) * source.uniform(0.02, 0.98, shape)
    if found.origin is Origin.INPUT or kind in _GIVEN:
        return source.uniform(0.05, 1.0, shape) if draw.positive else source.normal(size=shape)
    if kind in _DRAWN:
        return source.normal(size=shape)
    if found.origin is Origin.UNKNOWN and kind not in _TRAINED:
        from dllint.domains.enclosure import UndeterminedError

        raise UndeterminedError("nothing is known")
    if len(shape) >= 2 and (
        not kind or kind in _VARIABLES
    ):  # a matrix of weights, which keeps the size of what it is applied to
        return source.normal(size=shape) / math.sqrt(math.prod(shape[:-1]))
    return source.normal(size=shape) + draw.moved


def _with_ends(numbers: Value, found: Interval, draw: _Draw) -> Any:
    """Some elements at ends of which somebody has said that they are reached; a single element is at one, draw by draw."""
    import numpy as np

    out = np.array(numbers)
    flat = out.reshape(-1)
    ends = [end.value for end in (found.low, found.high) if end.closed and math.isfinite(end.value)]
    if ends and flat.size == 1:
        flat[0] = ends[draw.seed % len(ends)]
    elif flat.size >= len(ends):
        flat[: len(ends)] = ends
    return out
