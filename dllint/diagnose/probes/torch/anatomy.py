"""The contents of modules, read from where torch stores them.

Methods such as ``parameters`` and ``modules`` may be the user's own, and torch's put modules into sets, which calls their
``__hash__``. Nothing here calls a method of a module; everything is found once, by identity.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.containers import state_of


def children(module: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """The modules that a module holds directly, with the names of their attributes."""
    return ((name, child) for name, child in state_of(module).get("_modules", {}).items() if child is not None)


def named_modules(root: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """A module and all below it, each once, with their paths; whoever holds comes before what is held."""
    return _named_modules(root, "", set())


def _named_modules(module: nn.Module, path: str, seen: set[int]) -> Iterator[tuple[str, nn.Module]]:
    if id(module) in seen:
        return
    seen.add(id(module))
    yield path, module
    for name, child in children(module):
        yield from _named_modules(child, f"{path}.{name}" if path else name, seen)


def modules(root: nn.Module) -> Iterator[nn.Module]:
    """A module and all below it, each once."""
    return (module for _, module in named_modules(root))


def own_parameters(module: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """The parameters that a module holds directly, with their names."""
    return ((name, weight) for name, weight in state_of(module).get("_parameters", {}).items() if weight is not None)


def named_parameters(root: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """The parameters of a module and all below it, each once, with their paths."""
    seen: set[int] = set()
    for path, module in named_modules(root):
        for name, weight in own_parameters(module):
            if id(weight) not in seen:
                seen.add(id(weight))
                yield (f"{path}.{name}" if path else name), weight


def parameters(root: nn.Module) -> Iterator[Tensor]:
    """The parameters of a module and all below it, each once."""
    return (weight for _, weight in named_parameters(root))


def buffers(root: nn.Module) -> Iterator[Tensor]:
    """The buffers of a module and all below it."""
    held = (buffer for module in modules(root) for buffer in state_of(module).get("_buffers", {}).values())
    return (buffer for buffer in held if buffer is not None)


def is_training(module: nn.Module) -> bool:
    """Whether a module is in training mode. Modules of TorchScript keep that where only they find it."""
    state = state_of(module)
    if "training" in state or not isinstance(module, torch.jit.ScriptModule):
        return bool(state.get("training", True))
    return bool(module.training)


def set_training(module: nn.Module, mode: bool) -> None:
    """Put one module into a mode."""
    if isinstance(module, torch.jit.ScriptModule):
        module.training = mode
    else:
        state_of(module)["training"] = mode
