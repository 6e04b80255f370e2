"""Tensors that are functions of written numbers alone: a schedule, a table of positions, a filter.

They are computed, element by element, and not enclosed: that the smallest element of ``1 - cumprod(1 - linspace(1e-4, 0.02,
1000))`` is 1e-4, no interval arithmetic can tell. Which tensors are such functions is asked first; only where one is found the
arithmetic is loaded.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import DimExpr
from dllint.domains.interval import Bound, Interval, Origin
from dllint.domains.lattice import Unknown
from dllint.domains.partition import Cuts, Partition, boxes, whole
from dllint.ir.program import JOIN, Op, Program, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait
from dllint.ops.values.slices import Slice

if TYPE_CHECKING:
    from dllint.domains.enclosure import Enclosure

#: Operations that make tensors of written numbers.
SOURCES: Final = having_any(Trait.FILLS | Trait.TAKES_DATA)
#: Such tensors are there to be filled, more often than not by something that is not followed.
_FILLED: Final = having(Trait.ZEROS)
#: Tensors with more elements are not computed, nor more elements of one program in all.
_LARGEST: Final = 100_000
_WORK: Final = 3_000_000
#: So many combinations of what joined branches have left are computed.
_COMBINATIONS: Final = 8
#: So many operations are looked through.
_DEEPEST: Final = 200


class Constants:
    """The tensors of one program that are computed of written numbers; ``cells`` limits the parts that each is divided into."""

    def __init__(self, program: Program, cells: int) -> None:
        self._program = program
        self._cells = cells
        self._written: dict[int, bool] = {}
        #: What is computed already, by ``id``, where no branch has joined anything.
        self._known: dict[int, Enclosure] = {}
        self._work = _WORK

    def of(self, value: TensorVal) -> Partition | None:
        """The parts of a tensor, which reach their ends; ``None`` if it is not computed of written numbers."""
        results = self.elements(value)
        if not results:
            return None
        filled = any(op.kind in _FILLED for op in Slice(value, _DEEPEST).ops)
        return _parted(results, self._cells, Origin.UNKNOWN if filled else Origin.DERIVED)

    def elements(self, value: TensorVal) -> list[Enclosure]:
        """The elements of a tensor that is computed of written numbers, once per way in which branches may have gone; none if
        they are not known."""
        maker = value.producer
        if maker is None or not maker.inputs or not self._is_written(value):
            return []
        results = self._computed(value)
        self._written[value.id] = bool(results)
        return results

    def _computed(self, value: TensorVal) -> list[Enclosure]:
        from dllint.ops.values.evaluation import alternatives, evaluated

        found = Slice(value, _DEEPEST)
        if any(op.kind == JOIN for op in found.ops):
            return alternatives(found, _COMBINATIONS) if self._affords(found, _COMBINATIONS) else []
        found = Slice(value, _DEEPEST, stops=lambda other: other.id in self._known)
        if not self._affords(found, 1):
            return []
        result = evaluated(found, self._known, {})
        return [] if result is None else [result]

    def _affords(self, found: Slice, times: int) -> bool:
        """Whether the elements of a slice are not too many to be computed, and its operations are all there."""
        shapes = [value.shape for op in found.ops for value in op.outputs if isinstance(value.shape, tuple)]
        sizes = [math.prod(size for size in shape if isinstance(size, int)) for shape in shapes]
        self._work -= sum(sizes) * times
        return not found.cut_short and self._work >= 0 and all(size <= _LARGEST for size in sizes)

    # --- which tensors they are ---------------------------------------------------------------------------------------

    def _is_written(self, value: TensorVal) -> bool:
        """Whether all that a tensor depends on is written in the source, whatever pass of a loop asks."""
        known = self._written.get(value.id)
        if known is None:
            self._written[value.id] = False  # what depends on itself does not
            known = self._written[value.id] = self._holds_still(value) and self._is_made_of_written(value.producer)
        return known

    def _holds_still(self, value: TensorVal) -> bool:
        changing = value.stale or value.varies or value.several or value.stated is not None
        return not changing and value.id not in self._program.carried and value.id not in self._program.later

    def _is_made_of_written(self, op: Op | None) -> bool:
        if op is None or op.varying or op.args.get("requires_grad") is True or op.layer is not None:
            return False
        if not all(_is_plain(argument) for argument in op.args.values()):
            return False
        inputs = op.inputs
        if not inputs:
            return op.kind in SOURCES
        return all(self._is_written(operand) and not is_state_elsewhere(operand, op) for operand in inputs)


def is_state_elsewhere(value: TensorVal, taker: Op) -> bool:
    """Whether a constructor has made a tensor out of nothing that another function takes: methods may have changed it since."""
    maker = value.producer
    return maker is not None and not maker.inputs and maker.scope.endswith(".__init__") and maker.scope != taker.scope


def _is_plain(argument: Value) -> bool:
    """Whether nothing about an argument is left open."""
    if isinstance(argument, tuple):
        return all(map(_is_plain, argument))
    return not isinstance(argument, (Unknown, DimExpr))


# --- what is kept of them -------------------------------------------------------------------------------------------------


def _parted(results: list[Enclosure], cells: int, origin: Origin) -> Partition | None:
    """The elements as parts: each of them, or along the first axis the first, the last and those between."""
    shapes = {result.shape for result in results}
    shape = next(iter(shapes))
    if len(shapes) > 1 or 0 in shape:
        return None
    cuts = _cuts(shape, cells)
    parts = [_cell(results, box, origin) for box in _boxes(cuts, shape)]
    return Partition(cuts, tuple(parts)) if cuts else whole(parts[0])


def _cuts(shape: tuple[int, ...], cells: int) -> Cuts:
    if math.prod(shape) <= 1 or not shape:
        return ()
    if math.prod(shape) <= cells:
        return tuple(tuple(range(1, size)) for size in shape)
    ends = tuple(sorted({1, shape[0] - 1} - {0, shape[0]}))
    return (ends, *((),) * (len(shape) - 1)) if ends and cells > len(ends) else ()


def _boxes(cuts: Cuts, shape: tuple[int, ...]) -> list[tuple[slice, ...]]:
    return [tuple(slice(start, stop) for start, stop in box) for box in boxes(cuts)] if cuts else [(slice(None),) * len(shape)]


def _cell(results: list[Enclosure], box: tuple[slice, ...], origin: Origin) -> Interval:
    joined: Interval | None = None
    for result in results:
        found = result.arranged(lambda v: v[box]).interval()
        joined = found if joined is None else joined.join(found)
    assert joined is not None
    return Interval(Bound(joined.low.value, origin), Bound(joined.high.value, origin), joined.nonzero)
