"""What the labels of a classification are: class indices, one-hot rows, zeros and ones, real numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from dllint.analysis.data_scale import constant_factor
from dllint.analysis.output_kind import MOVES
from dllint.domains.dtype import UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import behind, handed_on, maker_behind


class LabelKind(Enum):
    """The lattice: these kinds side by side, ``UNKNOWN`` on top."""

    INDEX = "class indices"
    ONE_HOT = "one-hot rows"
    BINARY = "zeros and ones"
    REAL = "real numbers"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Labels:
    """The kind of a label tensor, and the number of classes it shows (``None`` if that is not known)."""

    kind: LabelKind
    classes: int | None = None


_UNKNOWN: Final = Labels(LabelKind.UNKNOWN)
_PASSES: Final = MOVES - having(Trait.RANKS)
_KEEPS_ROWS: Final = having_any(Trait.KEEPS_PLACES | Trait.SUBSCRIPTS)
#: Operations that leave out elements: of these, and not of the others, the interpreter gives the numbers.
_CHOOSES: Final = having(Trait.INDEXES)
_CONTINUOUS: Final = having(Trait.CONTINUOUS)


def labels(value: TensorVal) -> Labels:
    """The kind of a label tensor, from the operation that made it and from its element range."""
    identity = _identity_rows(value)
    if identity is not None:
        return Labels(LabelKind.ONE_HOT, _last(identity))
    chosen = False
    if (sample := _sample(value)) is not None:
        return labels(sample)
    while (
        (maker := value.producer) is not None
        and maker.kind in _PASSES
        and (x := handed_on(maker)) is not None
        and value.low is None
    ):
        if value.modified:
            return _UNKNOWN
        chosen = chosen or maker.kind in _CHOOSES
        value = x
    if value.modified and value.low is None:
        return _UNKNOWN
    if does(maker, Trait.ONE_HOT) and maker.inputs:
        return Labels(LabelKind.ONE_HOT, _last(value))
    if does(maker, Trait.CLASS_NUMBERS):
        return Labels(LabelKind.INDEX)
    if maker is not None and maker.kind in _CONTINUOUS:
        return Labels(LabelKind.REAL)
    if chosen:  # which of the numbers are still there is not known
        return _UNKNOWN
    if value.data is not None:
        return _of_literal(value)
    if is_integer(value) and value.low is not None and value.high is not None and not _may_be_any_byte(value):
        return _of_range(value.low, value.high)
    return _UNKNOWN


@dataclass(frozen=True, slots=True)
class ScaledLabels:
    """Labels that ``step`` multiplies, ``factor`` being the product of all numbers that they are multiplied by."""

    labels: Labels
    factor: float
    step: Op


def scaled_labels(value: TensorVal) -> ScaledLabels | None:
    """Labels that are multiplied or divided by a number, as pixels are; ``None`` if they are not, or are not known."""
    factor, step = 1.0, None
    while step is None or labels(value).kind is LabelKind.UNKNOWN:
        value = behind(value, _PASSES)
        maker = value.producer
        if value.modified:
            return None
        if maker is not None and (change := constant_factor(maker)) is not None:
            factor, step, value = factor * change, step or maker, maker.inputs[0]
        elif maker is None and value.sample is not None:
            value = value.sample
        else:
            break
    return ScaledLabels(labels(value), factor, step) if step is not None else None


def _sample(value: TensorVal) -> TensorVal | None:
    """The sample of which a loader has stacked others like it, if that is what labels come from."""
    made = behind(value, _PASSES)
    return made.sample if made.producer is None and made.low is None and not (value.modified or made.modified) else None


def label_maker(target: TensorVal) -> Op | None:
    """The operation that made the numbers of the labels."""
    return maker_behind(target, _PASSES)


def _may_be_any_byte(value: TensorVal) -> bool:
    """Whether a tensor has the range of its element type, as pixels of a mask do: which classes occur is not known."""
    if (value.low, value.high) != (0, 255):
        return False
    while (made := behind(value, _PASSES)).producer is None and made.sample is not None:
        value = made.sample
    return made.dtype == UINT8


def _identity_rows(value: TensorVal) -> TensorVal | None:
    """The identity matrix whose rows a tensor consists of, as in ``np.eye(n)[indices]``."""
    selected = False
    while (maker := value.producer) is not None and maker.kind in _KEEPS_ROWS and maker.inputs:
        index = maker.args.get("index")
        if does(maker, Trait.SUBSCRIPTS):
            if not isinstance(index, tuple) or len(index) != 1:
                return None
            selected = True
        value = maker.inputs[0]
    return value if does(maker, Trait.FILLS | Trait.ONE_HOT) and selected else None


def _of_range(low: float, high: float) -> Labels:
    if low < 0 or high > 100_000:
        return _UNKNOWN
    return Labels(LabelKind.BINARY if high <= 1 else LabelKind.INDEX, int(high) + 1)


def _of_literal(value: TensorVal) -> Labels:
    numbers = [number for number in _flat(value.data) if isinstance(number, (int, float))]
    if not numbers or len(numbers) < sum(1 for _ in _flat(value.data)):
        return _UNKNOWN
    rows = value.data if isinstance(value.data, tuple) else ()
    if rows and isinstance(rows[0], tuple) and all(_is_one_hot(row) for row in rows):
        return Labels(LabelKind.ONE_HOT, len(rows[0]))
    if set(numbers) <= {0, 1}:
        return Labels(LabelKind.BINARY, 2)
    if any(n % 1 for n in numbers):
        return Labels(LabelKind.REAL)
    return _of_range(min(numbers), max(numbers)) if is_integer(value) else _UNKNOWN


def _is_one_hot(row: Value) -> bool:
    numbers = [number for number in row if isinstance(number, (int, float))] if isinstance(row, tuple) else []
    return isinstance(row, tuple) and len(row) > 1 and sorted(numbers) == [0] * (len(row) - 1) + [1]


def _flat(data: Value) -> Iterator[Value]:
    if isinstance(data, tuple):
        for part in data:
            yield from _flat(part)
    else:
        yield data


def is_integer(value: TensorVal) -> bool:
    """Whether a tensor holds integers or truth values."""
    return isinstance(value.dtype, DType) and value.dtype.kind in ("int", "bool")


def _last(value: TensorVal) -> int | None:
    if isinstance(value.shape, Unknown) or not value.shape:
        return None
    return value.shape[-1] if isinstance(value.shape[-1], int) else None
