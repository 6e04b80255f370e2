"""Which operations and calls of a trace happen inside the call of a module that the source writes at the same place.

``model(x)`` of a ``Sequential`` calls its members where the model is called; what the expression gives is what the model gives.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dllint.analysis.architecture.tree import tree_of
from dllint.analysis.architecture.weights import ProgramWeights, own_weights
from dllint.domains.dim import show
from dllint.ir.events import ModuleCall
from dllint.ir.program import Event, Op, Program
from dllint.ir.values import InstanceVal

#: Of the modules of a file, so many are counted.
_MOST_COUNTED = 3_000


def inner_items(trace: Iterable[Op | Event]) -> set[int]:
    """The ``id`` of every operation and call that a part of a module performs at the place where the module is called."""
    inner: set[int] = set()
    parts: dict[int, frozenset[int]] = {}
    waiting: dict[tuple[int, int], list[Op | ModuleCall]] = {}
    for item in trace:
        if not isinstance(item, (Op, ModuleCall)) or item.site.node is None:
            continue
        before = waiting.setdefault((id(item.site.node), id(item.site.caller)), [])
        if isinstance(item, ModuleCall) and isinstance(item.callee, InstanceVal) and before:
            own = parts.get(id(item.callee))
            if own is None:
                own = parts[id(item.callee)] = _parts(item.callee)
            while before and _performer(before[-1]) in own:
                inner.add(id(before.pop()))
        before.append(item)
    return inner


def _parts(module: InstanceVal) -> frozenset[int]:
    if module.layer is not None:
        return frozenset()
    return frozenset(id(one.instance) for one in tree_of(module).everything() if one.instance is not module)


def _performer(item: Op | ModuleCall) -> int:
    return id(item.layer) if isinstance(item, Op) else id(item.callee)


@dataclass(slots=True)
class Counts:
    """The numbers of parameters of the modules of a program, in words."""

    program: Program
    _made: ProgramWeights | None = None
    _ops: dict[int, list[Op]] = field(default_factory=dict)
    _texts: dict[int, str] = field(default_factory=dict)
    _counted: int = 0

    def text(self, module: InstanceVal) -> str:
        """``1,234 parameters``, with those of all parts; empty if there are none, or if they are not all known."""
        if id(module) not in self._texts:
            self._texts[id(module)] = self._count(module)
        return self._texts[id(module)]

    def _count(self, module: InstanceVal) -> str:
        if self._made is None:
            self._made = ProgramWeights.of([self.program])
            for op in self.program.ops:
                if op.layer is not None:
                    self._ops.setdefault(id(op.layer), []).append(op)
        if self._counted > _MOST_COUNTED:
            return ""
        tree = tree_of(module)
        seen: set[tuple[int, int]] = set()
        for one in tree.everything():
            self._counted += 1
            if not one.is_again:
                one.own, _ = own_weights(one.instance, self._ops.get(id(one.instance), ()), self._made, seen)
        weights = tree.weights
        if weights.is_open or weights.total == 0:
            return ""
        total = weights.total
        number = f"{total:,}" if isinstance(total, int) else show(total)
        fixed = weights.fixed
        more = f" ({fixed:,} not trainable)" if isinstance(fixed, int) and fixed else ""
        return f"{number} parameters{more}"
