"""Units of activations over a whole run: which never fire, and which are at their limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.torch.statistics import Readout, plain
from dllint.diagnose.records import UnitStats

_RECTIFIERS: Final = (nn.ReLU, nn.ReLU6)
_CHANNELS_FIRST: Final = (nn.modules.conv._ConvNd, nn.modules.batchnorm._BatchNorm, nn.GroupNorm)
_CHANNELS_LAST: Final = (nn.Linear, nn.LayerNorm, nn.RNNBase, nn.Embedding)
#: Below this share of the largest derivative a unit counts as saturated.
_FLAT: Final = 0.01


class UnitWatch:
    """Keeps, for every rectifier, which units have ever been above zero."""

    def __init__(self) -> None:
        self._fired: dict[str, Tensor] = {}
        self._seen: dict[str, tuple[int, int]] = {}
        self._channel_axis = -1

    def ask(self, module: nn.Module, name: str, output: Tensor, readout: Readout) -> Callable[[], UnitStats | None]:
        """Have the units of an output looked at; the returned function tells after the next flush."""
        self._follow(module)
        if not isinstance(module, (*_RECTIFIERS, nn.Sigmoid, nn.Tanh)) or output.dim() < 2:
            return lambda: None
        rows = _by_unit(plain(output), self._channel_axis)
        told: list[UnitStats] = []
        if isinstance(module, _RECTIFIERS):
            readout.ask(self._silent(name, rows), lambda numbers: told.append(self._stats(name, rows, int(numbers[0]), 0)))
        else:
            readout.ask(_saturated(module, rows), lambda numbers: told.append(self._stats(name, rows, 0, int(numbers[0]))))
        return lambda: told[-1] if told else None

    def _follow(self, module: nn.Module) -> None:
        """Remember from the last layer with channels which axis has them."""
        if isinstance(module, _CHANNELS_FIRST):
            self._channel_axis = 1
        elif isinstance(module, _CHANNELS_LAST):
            self._channel_axis = -1

    def _silent(self, name: str, rows: Tensor) -> Tensor:
        fires = (rows > 0).any(dim=0)
        before = self._fired.get(name)
        if before is not None and before.shape == fires.shape:
            fires = fires | before.to(fires.device)
        else:
            self._seen.pop(name, None)
        self._fired[name] = fires
        return (~fires).sum().reshape(1)

    def _stats(self, name: str, rows: Tensor, never_positive: int, saturated: int) -> UnitStats:
        seen, samples = self._seen.get(name, (0, 0))
        self._seen[name] = (seen + rows.shape[0], samples + 1)
        return UnitStats(rows.shape[1], never_positive, saturated, seen + rows.shape[0], samples + 1)


def _by_unit(output: Tensor, channel_axis: int) -> Tensor:
    """One row per position, one column per unit."""
    if output.dim() > 2 and channel_axis == 1:
        output = output.movedim(1, -1)
    return output.reshape(-1, output.shape[-1])


def _saturated(module: nn.Module, rows: Tensor) -> Tensor:
    slope = 4 * rows * (1 - rows) if isinstance(module, nn.Sigmoid) else 1 - rows.square()
    return (torch.mean(slope, dim=0) < _FLAT).sum().reshape(1)
