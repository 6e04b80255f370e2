"""The public names of torchvision whose signatures the torchvision tables bind with."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, Final

from dllint.dev.libraries.torchvision_import import import_torchvision
from dllint.dev.signatures import public
from dllint.dev.stubs import Signature

MODULES: Final = ("datasets", "models", "ops", "transforms", "transforms.v2", "transforms.functional")


def names() -> Iterator[tuple[str, Any]]:
    """Every public callable of the listed modules."""
    import_torchvision()
    for module in MODULES:
        name = f"torchvision.{module}"
        yield from public(importlib.import_module(name), name)


def stubs() -> dict[str, Signature]:
    """None: torchvision is Python throughout."""
    return {}
