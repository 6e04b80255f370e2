"""Which operations have a trait: what rules and analyses ask in place of naming operations."""

from __future__ import annotations

from functools import cache

from dllint.ir.program import Op
from dllint.ops import all as declared
from dllint.ops.spec import OPS
from dllint.ops.traits import Trait

assert declared  # importing it declares the operations


@cache
def having(traits: Trait) -> frozenset[str]:
    """The operations that have all of ``traits``."""
    return frozenset(name for name, spec in OPS.items() if traits in spec.traits)


@cache
def having_any(traits: Trait) -> frozenset[str]:
    """The operations that have at least one of ``traits``."""
    return frozenset(name for name, spec in OPS.items() if traits & spec.traits)


def does(op: Op | None, traits: Trait) -> bool:
    """Whether there is an operation and it has all of ``traits``."""
    return op is not None and op.kind in having(traits)
