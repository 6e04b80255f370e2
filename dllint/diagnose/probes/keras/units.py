"""Statistics of units over a whole run: which never fire, and which are saturated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import keras
from keras import ops

from dllint.diagnose.probes.containers import attribute, has_attribute, name_of
from dllint.diagnose.probes.keras.statistics import Readout, summable
from dllint.diagnose.records import UnitStats

_RECTIFIERS: Final = ("relu", "relu6")
_SQUASHING: Final = ("sigmoid", "tanh")
#: Below this share of the largest derivative a unit counts as saturated.
_FLAT: Final = 0.01


class UnitWatch:
    """Keeps, for every layer that ends in a rectifier, which units have ever been above zero."""

    def __init__(self) -> None:
        self._fired: dict[str, Any] = {}
        self._seen: dict[str, tuple[int, int]] = {}
        self._channels_first = False

    def ask(
        self, layer: Any, name: str, output: Any, readout: Readout, feeds: Callable[[], bool]
    ) -> Callable[[], UnitStats | None]:
        """Have the units of an output looked at; the returned function gives the result after the next flush. ``feeds`` tells
        then whether the output went into a layer.
        """
        if has_attribute(layer, "data_format"):
            self._channels_first = layer.data_format == "channels_first"
        activation = activation_of(layer)
        if activation not in (*_RECTIFIERS, *_SQUASHING) or len(output.shape) < 2:
            return lambda: None
        rows = self._by_unit(summable(output))
        stats: list[UnitStats] = []
        if activation in _RECTIFIERS:
            readout.ask(
                [self._silent(name, rows)], lambda n: stats.append(self._stats(name, rows.shape, int(n[0]), 0, feeds()))
            )
        else:
            numbers = _slopes(activation, rows)
            readout.ask(numbers, lambda n: stats.append(self._stats(name, rows.shape, 0, int(n[0]), feeds(), n[1])))
        return lambda: stats[-1] if stats else None

    def _by_unit(self, output: Any) -> Any:
        """One row per position, one column per unit."""
        if len(output.shape) > 2 and self._channels_first:
            output = ops.moveaxis(output, 1, -1)
        return ops.reshape(output, (-1, output.shape[-1]))

    def _silent(self, name: str, rows: Any) -> Any:
        fires = ops.any(ops.greater(rows, 0.0), axis=0)
        before = self._fired.get(name)
        if before is not None and before.shape == fires.shape:
            fires = ops.logical_or(fires, before)
        else:
            self._seen.pop(name, None)
        self._fired[name] = fires
        return ops.sum(ops.cast(ops.logical_not(fires), "float32"))

    def _stats(
        self, name: str, shape: tuple[int, ...], never_positive: int, saturated: int, feeds: bool, slope: float | None = None
    ) -> UnitStats:
        seen, samples = self._seen.get(name, (0, 0))
        self._seen[name] = (seen + shape[0], samples + 1)
        return UnitStats(shape[1], never_positive, saturated, seen + shape[0], samples + 1, feeds, slope)


def activation_of(layer: Any) -> str:
    """The name of the activation that a layer's output is the result of, empty if there is none: recurrent layers use theirs
    inside."""
    if isinstance(layer, keras.layers.ReLU):
        # A slope or a threshold makes zeros something else than silence.
        return "relu" if not layer.negative_slope and not layer.threshold else ""
    if isinstance(layer, keras.layers.RNN | keras.layers.Wrapper | keras.Model) or has_attribute(layer, "state_size"):
        return ""
    name = name_of(attribute(layer, "activation"))
    return name if name != "linear" else ""


def _slopes(activation: str, rows: Any) -> list[Any]:
    """How many units are saturated, and the mean derivative."""
    slope = 4 * rows * (1 - rows) if activation == "sigmoid" else 1 - ops.square(rows)
    by_unit = ops.mean(slope, axis=0)
    return [ops.sum(ops.cast(ops.less(by_unit, _FLAT), "float32")), ops.mean(by_unit)]
