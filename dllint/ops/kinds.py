"""Queries for the operations that have a trait, for rules and analyses, which name no operations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeGuard, TypeVar

from dllint.ir.program import Op
from dllint.ops._index import OPERATIONS
from dllint.ops.spec import OPS
from dllint.ops.traits import NONE, Trait

T = TypeVar("T")
#: The traits of each operation, in bits.
_BITS: Final = {name: bits for name, (_, bits) in OPERATIONS.items()}


@cache
def having(traits: Trait) -> frozenset[str]:
    """The operations that have all of ``traits``."""
    wanted = traits.value
    return frozenset(name for name, bits in _BITS.items() if bits & wanted == wanted)


@cache
def having_any(traits: Trait) -> frozenset[str]:
    """The operations that have at least one of ``traits``."""
    wanted = traits.value
    return frozenset(name for name, bits in _BITS.items() if bits & wanted)


def traits_of(kind: str) -> Trait:
    """What is true of an operation; nothing, if it is none."""
    spec = OPS.get(kind)
    return spec.traits if spec is not None else NONE


def does(op: Op | None, traits: Trait) -> TypeGuard[Op]:
    """Whether there is an operation and it has all of ``traits``."""
    return op is not None and op.kind in having(traits)


def by_name(table: Mapping[Trait, T]) -> dict[str, T]:
    """A table of traits as one of operations: what stands first for an operation counts."""
    found: dict[str, T] = {}
    for traits, entry in table.items():
        found = dict.fromkeys(having(traits), entry) | found
    return found
