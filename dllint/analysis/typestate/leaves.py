"""Tensors that a program asks for their gradient: leaves of the graph that are no weights, perhaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.analysis.facts import Facts
from dllint.ir import events
from dllint.ir.values import Value, unwrap

_FLAG: Final = "requires_grad"
_METHOD: Final = f"torch.Tensor.{_FLAG}_"
#: Functions that make a new leaf of the numbers that they are given (torch 2.13).
COPYING: Final = frozenset({"torch.tensor", "torch.autograd.Variable"})
Asking = events.LibraryCall | events.AttributeWrite


def asking(facts: Facts) -> Iterator[tuple[Asking, Value]]:
    """What asks a tensor for its gradient, and that tensor."""
    for item in facts.program.trace:
        if isinstance(item, events.AttributeWrite) and item.name == _FLAG and item.value is True:
            yield item, item.receiver
        elif isinstance(item, events.LibraryCall):
            if item.name == _METHOD and unwrap(next(iter(item.given), True)) is True:
                yield item, item.receiver
            elif unwrap(item.bound.get(_FLAG)) is True:
                yield item, item.result
