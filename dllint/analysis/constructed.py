"""Which layers a program builds, and where. An object that is made as the last one of its class is traced as one event: its
layers have none of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dllint.analysis.modules import tree
from dllint.ir import events
from dllint.ir.program import Event, Op
from dllint.ir.values import InstanceVal


def constructed(trace: Sequence[Op | Event]) -> Iterator[tuple[int, InstanceVal]]:
    """The layers and containers that are built in a trace, each once, with the numbers of the events that show it."""
    seen: set[int] = set()
    for number, item in enumerate(trace):
        if isinstance(item, events.Construction):
            made: Iterator[InstanceVal] = iter((item.instance,))
        elif isinstance(item, events.Instance):
            made = (part for part in tree(item.instance) if part.layer is not None)
        else:
            continue
        for part in made:
            if id(part) not in seen:
                seen.add(id(part))
                yield number, part
