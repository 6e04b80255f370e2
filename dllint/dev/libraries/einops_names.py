"""The public names of einops."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from dllint.dev.signatures import public
from dllint.dev.stubs import Signature


def names() -> Iterator[tuple[str, Any]]:
    """The functions of einops and its torch layers."""
    for module in ("einops", "einops.layers.torch"):
        yield from public(importlib.import_module(module), module)


def stubs() -> dict[str, Signature]:
    """None: einops is Python throughout."""
    return {}
