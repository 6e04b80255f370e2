"""Variables of Keras and what is inside them."""

from __future__ import annotations

from typing import Any


def parts_of(variable: Any) -> tuple[Any, ...]:
    """A variable and the backend's tensor in it, as far as weak references to them are possible."""
    parts = variable, getattr(variable, "_value", None)
    return tuple(part for part in parts if part is not None and type(part).__weakrefoffset__)
