"""Node types that a row does not describe, and what translates them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dllint.lower.graphs.builder import Call

Handler = Callable[[Call], Any]
HANDLERS: Final[dict[str, Handler]] = {}


def node_type(*names: str) -> Callable[[Handler], Handler]:
    """Declare what translates nodes of some types."""

    def declare(handler: Handler) -> Handler:
        for name in names:
            assert name not in HANDLERS, f"the node type {name} is declared twice"
            HANDLERS[name] = handler
        return handler

    return declare
