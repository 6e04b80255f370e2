"""Element types that operations of PyTorch gave in older releases, by which a fault of today is none there."""

from __future__ import annotations

from typing import Final

from dllint.analysis.output_kind import MOVES
from dllint.domains.dtype import DType
from dllint.finding import Releases
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import handed_on, maker_behind

#: Operations whose results have the type of their first operand.
_KEEPING: Final = MOVES - having_any(Trait.CONVERTS | Trait.TAKES_DATA) | having(Trait.OVERWRITES)


def _since(release: str, what: str) -> Releases:
    return Releases("torch", release, what, usual=True, recent=True)


_FILLED: Final = _since("1.7.0", "floats from `torch.full` with a whole number")
_DIVIDED: Final = _since("1.5.0", "whole numbers from a division of whole numbers")
_COMPARED: Final = _since("1.2.0", "whole numbers from a comparison")


def refusing_releases(op: Op, fault: Fault, tensor: TensorVal | None) -> Releases | None:
    """The releases from which on the element type of ``tensor``, an operand of ``op``, is one that ``op`` refuses; ``None`` if
    it refuses that of every release.

    Up to 1.6, ``torch.full`` made floats of the whole number that it fills a tensor with. Up to 1.4, whole numbers were divided
    to whole numbers, rounded down, in place too. Up to 1.1, comparisons gave bytes, which can be subtracted and negated.
    """
    if op.framework != "torch":
        return None
    if does(op, Trait.DIVIDES) and _is_whole(fault.actual) and _divides_whole(op):
        return _DIVIDED
    maker = maker_behind(tensor, _KEEPING) if tensor is not None else None
    if maker is None or maker.framework != "torch":
        return None
    if _is_filled_with_integers(maker) and not _is_whole(fault.expected):
        return _FILLED
    if does(maker, Trait.DIVIDES) and _is_whole(fault.expected) and _divides_whole(maker):
        return _DIVIDED
    if does(maker, Trait.COMPARES) and (does(op, Trait.SUBTRACTS) or does(op, Trait.NEGATES)):
        return _COMPARED
    return None


def _is_filled_with_integers(maker: Op) -> bool:
    if not does(maker, Trait.FULL) or handed_on(maker) is not None or maker.args.get("dtype") is not None:
        return False
    return isinstance(maker.args.get("fill_value"), int)


def _divides_whole(division: Op) -> bool:
    """Whether both operands are whole numbers, and nothing says how the quotient is rounded."""
    operands = (division.args.get("x"), division.args.get("y"))
    return division.args.get("rounding_mode") is None and all(
        _is_whole(x.dtype) if isinstance(x, TensorVal) else type(x) is int for x in operands
    )


def _is_whole(kind: object) -> bool:
    """Whether an element type, or what a fault says of one, is of whole numbers."""
    return kind.kind == "int" if isinstance(kind, DType) else kind in ("integer", "an integer type")
