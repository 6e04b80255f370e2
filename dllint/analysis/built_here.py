"""Where layers are built, and whether the code under check does so itself, or asks a library for a whole model."""

from __future__ import annotations

from dllint.analysis.facts import Facts
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op, Site
from dllint.ir.values import InstanceVal, LibSymbol


def is_built_here(op: Op, facts: Facts) -> bool:
    """Whether the layer of an operation stands in the source: no call of a library, such as that of a whole architecture, has
    made it at the place where it is built."""
    layer = op.layer
    if not isinstance(layer, InstanceVal) or layer.site is None or layer.site.node is None:
        return False
    calls = (call for call in facts.events(LibraryCall) if call.site.node is layer.site.node)
    return not any(isinstance(layer.cls, LibSymbol) and call.name != layer.cls.name for call in calls)


def where_built(op: Op) -> Op | Site:
    """Where the layer of an operation is built, which is where its options stand; the operation, if that is not known."""
    site = op.layer.site if isinstance(op.layer, InstanceVal) else None
    return op if site is None or site.statement is None or site.node is None else site
