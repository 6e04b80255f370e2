"""Attribution of numbers that are not finite: what caused them, and where they are reported."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.records import NumericFault

Find = Callable[[], BadOperation | None]
#: The tensors of a batch.
Flatten = Callable[[object], list[Any]]


class Faults:
    """Explains a bad loss or gradient: bad data first, then weights that are already bad, then an operation of the step."""

    def __init__(self, flatten: Flatten) -> None:
        self._flatten = flatten
        self.guest: Guest | None = None

    def of_loss(
        self,
        place: SourcePlace | None,
        entry: SourcePlace | None,
        value: float,
        batch: object,
        find: Find,
        step: int,
        track: str,
    ) -> NumericFault:
        """What made a loss bad. ``entry`` is the call that the data was given to, if the loss is computed elsewhere."""
        name = "nan" if math.isnan(value) else "inf"
        if self._holds_bad(batch if batch is not None or self.guest is None else self.guest.given()):
            return NumericFault("input", step, track, "inputs", entry or place, name)
        weight = self.guest.bad_weight() if self.guest is not None else None
        if weight is not None:
            return NumericFault("weight", step, track, weight[0], None, name, layer=weight[1])
        return self._of_operation("loss", "loss", find(), place, step, track, name)

    def of_gradient(self, names: list[str], place: SourcePlace | None, find: Find, step: int, track: str) -> NumericFault:
        """The cause of gradients that are not finite although the loss is."""
        return self._of_operation("gradient", names[0], find(), place, step, track, "nan")

    def _of_operation(
        self, where: str, subject: str, bad: BadOperation | None, place: SourcePlace | None, step: int, track: str, value: str
    ) -> NumericFault:
        if bad is None:
            return NumericFault(where, step, track, subject, place, value)
        layer = self.guest.layer(bad.module) if self.guest is not None else None
        found = bad.place or place
        if self.guest is not None and bad.place is not None and self.guest.origin(bad.place) is not None:
            # Inside the guest's own training: the line that built the layer says more than the call that trains.
            found = layer.place if layer is not None and layer.place is not None else place
        return bad.as_fault(where, step, track, subject, found, layer.name if layer is not None else None)

    def _holds_bad(self, batch: object) -> bool:
        arrays = [np.asarray(tensor) for tensor in self._flatten(batch) if hasattr(tensor, "dtype")]
        return any(array.dtype.kind == "f" and not np.isfinite(array).all() for array in arrays)
