"""Making fixes out of edits that may turn out to be impossible."""

from __future__ import annotations

from collections.abc import Iterable

from dllint.edit import Applicability, Edit, Fix
from dllint.fixes.boundary import offering
from dllint.rules.context import Context


@offering
def offer(context: Context, message: str, edits: Iterable[Edit], applicability: Applicability) -> list[Fix]:
    """One fix, or none if there is nothing to edit."""
    changes = tuple(edits)
    return [context.fix(message, changes, applicability)] if changes else []
