"""Scalars of numpy, which are no arrays: its functions give them where an array would have no axes."""

from __future__ import annotations

from typing import Final

from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait

#: Operations of numpy that give scalars, and no arrays without axes.
_SCALAR_MAKERS: Final = (
    having_any(
        Trait.SUBSCRIPTS
        | Trait.ADDS
        | Trait.SUBTRACTS
        | Trait.MULTIPLIES
        | Trait.DIVIDES
        | Trait.NEGATES
        | Trait.RAISES
        | Trait.ROOT
        | Trait.NATURAL
        | Trait.MAGNITUDE
    )
    | having(Trait.REDUCES) - having(Trait.NO_GRADIENT)
    | having(Trait.REDUCES | Trait.POSITIONS)
    | having(Trait.GIVES_SCALARS)
)


def is_scalar(value: TensorVal) -> bool:
    """Whether a value of numpy without axes is a scalar for sure, and no array (``numpy.array(2.0)``)."""
    maker = value.producer
    if value.framework != "numpy" or value.shape != () or maker is None or maker.kind not in _SCALAR_MAKERS:
        return False
    return not _has_ellipsis(maker.args.get("index"))


def _has_ellipsis(index: Value) -> bool:
    return index is ... or (isinstance(index, tuple) and ... in index)
