"""How much the analysis of ranges takes into account: the levels that the published ablation compares.

The option ``precision`` has the values ``interval``, ``interval+affine``, ``partition``, ``partition+affine``,
``partition+affine+written`` and ``expansion``. They switch on partitions, relations between tensors (``RangeCall.relations``:
affine equalities, orders) and the evaluation of literal numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Precision:
    """``cells``: into how many parts a tensor may be divided (1: one interval for all elements); ``relations``: whether facts
    about several values together count (affine equalities, orders); ``elements``: whether every element of a tensor of at
    most ``cells`` elements is a part of its own; ``written``: whether functions of written numbers are computed."""

    name: str
    cells: int
    relations: bool
    elements: bool = False
    written: bool = False


_SETTINGS: Final = (
    Precision("interval", 1, relations=False),
    Precision("interval+affine", 1, relations=True),
    Precision("partition", 64, relations=False),
    Precision("partition+affine", 64, relations=True),
    Precision("partition+affine+written", 64, relations=True, written=True),
    Precision("expansion", 4096, relations=True, elements=True),
)
PRECISIONS: Final[dict[str, Precision]] = {precision.name: precision for precision in _SETTINGS}
#: The most precise one that is fast.
USUAL: Final = PRECISIONS["partition+affine+written"]
