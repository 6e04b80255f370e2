"""The layers of torch that torchvision's blocks and models are made of."""

from __future__ import annotations

from dllint.frameworks.machine import Machine
from dllint.ir.values import Arguments, LibSymbol, Value


def layer(machine: Machine, name: str, *args: Value, **kwargs: Value) -> Value:
    """A new ``torch.nn.<name>(*args, **kwargs)``."""
    return machine.call(LibSymbol(f"torch.nn.{name}"), Arguments(args, kwargs))
