"""Statistics of units over a whole run: which never fire, and which are saturated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.torch.statistics import Readout, plain
from dllint.diagnose.records import UnitStats

#: Modules that are activations, and what kind of one.
_KINDS: Final[dict[type[nn.Module], str]] = {
    nn.ReLU: "relu",
    nn.ReLU6: "relu",
    nn.Sigmoid: "sigmoid",
    nn.Tanh: "tanh",
    nn.Softmax: "softmax",
    nn.LogSoftmax: "log_softmax",
}
_RECTIFIER: Final = "relu"
_SATURABLE: Final = ("sigmoid", "tanh")
_CHANNELS_FIRST: Final = (nn.modules.conv._ConvNd, nn.modules.batchnorm._BatchNorm, nn.GroupNorm)
_CHANNELS_LAST: Final = (nn.Linear, nn.LayerNorm, nn.RNNBase, nn.Embedding)
#: Below this share of the largest derivative a unit counts as saturated.
_FLAT: Final = 0.01


def activation_kind(module: nn.Module) -> str:
    """The kind of activation that a module is; empty if it is none."""
    return next((kind for known, kind in _KINDS.items() if isinstance(module, known)), "")


class UnitWatch:
    """Keeps, for every rectifier, which units have ever been above zero."""

    def __init__(self) -> None:
        self._fired: dict[str, Tensor] = {}
        self._seen: dict[str, tuple[int, int]] = {}
        self._channel_axis = -1

    def follow(self, module: nn.Module) -> None:
        """Remember from the last layer with channels which axis has them."""
        if isinstance(module, _CHANNELS_FIRST):
            self._channel_axis = 1
        elif isinstance(module, _CHANNELS_LAST):
            self._channel_axis = -1

    def ask(
        self, kind: str, name: str, output: Tensor, readout: Readout, feeds: Callable[[], bool]
    ) -> Callable[[], UnitStats | None]:
        """Have the units of an activation looked at; the returned function gives the result after the next flush. ``feeds``
        tells then whether the output went into a layer.
        """
        if kind not in (_RECTIFIER, *_SATURABLE) or output.dim() < 2:
            return lambda: None
        rows = _by_unit(plain(output), self._channel_axis)
        stats: list[UnitStats] = []
        if kind == _RECTIFIER:
            readout.ask(self._silent(name, rows), lambda n: stats.append(self._stats(name, rows.shape, int(n[0]), 0, feeds())))
        else:
            readout.ask(_slopes(kind, rows), lambda n: stats.append(self._stats(name, rows.shape, 0, int(n[0]), feeds(), n[1])))
        return lambda: stats[-1] if stats else None

    def _silent(self, name: str, rows: Tensor) -> Tensor:
        fires = (rows > 0).any(dim=0)
        before = self._fired.get(name)
        if before is not None and before.shape == fires.shape:
            fires = fires | before.to(fires.device)
        else:
            self._seen.pop(name, None)
        self._fired[name] = fires
        return (~fires).sum().reshape(1)

    def _stats(
        self, name: str, shape: torch.Size, never_positive: int, saturated: int, feeds: bool, slope: float | None = None
    ) -> UnitStats:
        seen, samples = self._seen.get(name, (0, 0))
        self._seen[name] = (seen + shape[0], samples + 1)
        return UnitStats(shape[1], never_positive, saturated, seen + shape[0], samples + 1, feeds, slope)


def _by_unit(output: Tensor, channel_axis: int) -> Tensor:
    """One row per position, one column per unit."""
    if output.dim() > 2 and channel_axis == 1:
        output = output.movedim(1, -1)
    return output.reshape(-1, output.shape[-1])


def _slopes(kind: str, rows: Tensor) -> Tensor:
    """How many units are saturated, and the mean derivative."""
    slope = 4 * rows * (1 - rows) if kind == "sigmoid" else 1 - rows.square()
    by_unit = torch.mean(slope, dim=0)
    return torch.stack([(by_unit < _FLAT).sum().to(by_unit.dtype), by_unit.mean()])
