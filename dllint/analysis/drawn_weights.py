"""What the weights of layers are drawn from, where the code draws them itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.constructed import constructed
from dllint.analysis.facts import Facts
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

#: Functions that give new values to the tensor that they are given.
_INITIALISING: Final = "torch.nn.init."
_METHOD: Final = "torch.Tensor."
#: Layers that sum up products of all features.
_SUMS: Final = having(Trait.AFFINE)


@dataclass(frozen=True, slots=True)
class Draw:
    """``call`` is the last that changes the weights of ``layer`` in place."""

    layer: InstanceVal
    call: LibraryCall


def last_draws(facts: Facts) -> list[Draw]:
    """The layers of torch that sum up products of features, and whose weights a program changes in place."""
    calls = [call for call in facts.events(LibraryCall) if _changes(call)]
    if not calls:
        return []
    weights = {_key(part.attrs["weight"]): part for part in _layers(facts) if isinstance(part.attrs.get("weight"), TensorVal)}
    last = {key: call for call in calls if (key := _changes(call)) in weights}
    return [Draw(weights[key], call) for key, call in last.items()]


def last_of(tensor: Value, facts: Facts) -> LibraryCall | None:
    """The last call that changes a tensor in place."""
    key = _key(unwrap(tensor))
    return next((call for call in reversed(facts.events(LibraryCall)) if key and _changes(call) == key), None)


def _layers(facts: Facts) -> Iterator[InstanceVal]:
    for _, part in constructed(facts.program.trace):
        config = part.layer
        if config is not None and config.row.framework == "torch" and config.row.op in _SUMS:
            yield part


def _changes(call: LibraryCall) -> int:
    """The tensor, by its key, to whose elements a call gives other values; 0 for none."""
    if call.name.startswith(_INITIALISING) and call.given:
        return _key(unwrap(call.given[0]))
    return _key(call.receiver) if call.name.startswith(_METHOD) and call.name.endswith("_") else 0


def _key(value: Value) -> int:
    """What a tensor has in common with itself before and after it was changed in place."""
    return value.origin or value.id if isinstance(value, TensorVal) else 0
