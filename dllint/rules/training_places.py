"""The words of a program for what takes part in a training step."""

from __future__ import annotations

import libcst as cst

from dllint.ir import events
from dllint.ir.program import Event, Site
from dllint.rules.context import Context


def receiver(event: events.TrainingEvent, context: Context) -> str:
    """The source of what an event clears, steps or sets to a mode, if it is a plain name or attribute: the object whose method
    is called, or the argument of a scaler."""
    node = event.site.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return ""
    by_scaler = event.via is not None and node.args
    expression = node.args[0].value if by_scaler else node.func.value
    return str(context.text(expression)) if isinstance(expression, (cst.Name, cst.Attribute)) else ""


def same_function(one: events.TrainingEvent, other: events.TrainingEvent) -> bool:
    """Whether two events stand in one function, so that a name means the same at both."""
    return one.site.document is other.site.document and one.scope == other.scope


def site_in_common_function(event: Event, other: Event) -> Site:
    """Where an event happens, or is called, in the innermost function from which another one is reached, too."""
    mine, others = event.site.stack()[::-1], other.site.stack()[::-1]
    common = 0
    while common < min(len(mine), len(others)) - 1 and mine[common].node is others[common].node:
        common += 1
    return mine[common]
