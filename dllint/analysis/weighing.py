"""Whether a result weighs other tensors, as attention and gates do."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.ir.program import Op
from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import all_takers

#: Products of two tensors, neither of which is a layer's weight.
PRODUCTS: Final = having(Trait.MULTIPLIES) | having(Trait.CONTRACTS) - having_any(Trait.LEARNED | Trait.AFFINE)
#: Steps from a weight to what it weighs: it is laid out anew, repeated, cut or thinned out.
_BETWEEN: Final = having(Trait.KEEPS_VALUES) | having_any(Trait.REPEATS | Trait.INDEXES | Trait.CUTS | Trait.DROPS)


def weighs(op: Op, facts: Facts) -> bool:
    """Whether a product takes the result."""
    return any(taker.kind in PRODUCTS for taker in all_takers(op, _BETWEEN, facts.takers))
