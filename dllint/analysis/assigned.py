"""What the value of an expression is assigned to."""

from __future__ import annotations

import libcst as cst

from dllint.ir.program import Site


def assigned_to(site: Site) -> cst.BaseExpression | None:
    """What the value of a site is assigned to, if it is the whole right-hand side and has one target."""
    for part in getattr(site.statement, "body", ()):
        if isinstance(part, cst.Assign) and part.value is site.node and len(part.targets) == 1:
            return part.targets[0].target
    return None


def takes_the_place(site: Site, of: Site) -> bool:
    """Whether the value of a site is assigned to the same name or attribute, as it is written, as that of another one."""
    target, other = assigned_to(site), assigned_to(of)
    return target is not None and other is not None and target.deep_equals(other)
