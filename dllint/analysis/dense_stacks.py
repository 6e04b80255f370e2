"""Dense layers in a row: how wide they are, and what bends between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Final

from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import MOVES
from dllint.domains.lattice import Unknown
from dllint.ir.events import AttributeWrite
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.traits import Trait

_DENSE: Final = having(Trait.DENSE)
_LAYERS: Final = _DENSE | having(Trait.PLAIN_CONVOLUTION)
_BENDS: Final = having(Trait.ACTIVATION)
_PASSES: Final = MOVES | having(Trait.DROPS)
_POOLS: Final = having_any(Trait.POOLS)
_FLAT: Final = having(Trait.KEEPS_ORDER)


@dataclass(frozen=True, slots=True)
class Bent:
    """The layer before another one, and the activations between the two."""

    layer: Op
    by: tuple[Op, ...]


def before(op: Op) -> Bent | None:
    """The layer with weights before one, if nothing stands between them but activations, dropout, moves and pooling."""
    bends: list[Op] = []
    value = op.args.get("x")
    while isinstance(value, TensorVal) and value.producer is not None and not value.varies:
        maker = value.producer
        if maker.kind in _LAYERS and maker.layer is not None:
            return Bent(maker, tuple(bends))
        if maker.kind in _BENDS:
            bends.append(maker)
        elif maker.kind not in _PASSES and maker.kind not in _POOLS:
            return None
        value = maker.args.get("x")
    return None


def features(op: Op) -> int | None:
    """The features that a dense layer gives."""
    return _size(op.output) if op.outputs else None


def _size(value: Value) -> int | None:
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown) or not value.shape:
        return None
    size = value.shape[-1]
    return size if isinstance(size, int) else None


@dataclass(frozen=True, slots=True)
class Saturating:
    """A row of layers, the first one first, each of which a sigmoid follows."""

    layers: tuple[Op, ...]


def saturating(facts: Facts, least: int) -> Iterator[Saturating]:
    """The longest rows of at least so many hidden layers whose activation is the sigmoid and nothing else, before a further
    layer; each row once. Rows of layers whose results go elsewhere, too, or that are frozen for a time, are left out."""
    if any(write.name == "trainable" for write in facts.events(AttributeWrite)):
        return
    rows: dict[int, tuple[Op, ...]] = {}
    last: dict[int, tuple[Op, ...]] = {}
    for op in facts.ops:
        if op.kind not in _LAYERS or op.layer is None or op.doubtful:
            continue
        found = before(op)
        if found is None or len(found.by) != 1 or not does(found.by[0], Trait.LOGISTIC):
            continue
        if len(facts.takers(found.by[0])) != 1:
            continue
        row = (*rows.get(id(found.layer), ()), found.layer)
        rows[id(op)] = row
        if len(row) >= least:
            last[id(row[0])] = row
    for row in last.values():
        yield Saturating(row)


@dataclass(frozen=True, slots=True)
class Large:
    """A dense layer that takes all positions of pictures, whose shape is ``taken``, and its number of weights."""

    op: Op
    taken: tuple[int, ...]
    weights: int


def large(op: Op, least: int) -> Large | None:
    """A dense layer with at least so many weights behind maps with several positions that are laid out in a row."""
    wide, out = _size(op.args.get("x")), features(op)
    if op.kind not in _DENSE or op.layer is None or wide is None or out is None or wide * out < least:
        return None
    value = op.args.get("x")
    while isinstance(value, TensorVal) and not isinstance(value.shape, Unknown):
        taken = tuple(size for size in value.shape[1:] if isinstance(size, int))
        if len(taken) == len(value.shape) - 1 > 1 and prod(taken) == wide and sum(size > 1 for size in taken) > 1:
            return Large(op, taken, wide * out)
        maker = value.producer
        if maker is None or (maker.kind not in _FLAT and not does(maker, Trait.DROPS)):
            return None
        value = maker.args.get("x")
    return None
