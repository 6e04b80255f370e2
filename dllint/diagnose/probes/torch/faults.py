"""Attribution of numbers that are not finite: what caused them, and where they are reported."""

from __future__ import annotations

import math
from types import FrameType
from typing import Any

import torch
from torch import Tensor

from dllint.diagnose.assignments import receiver_origin
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.probes.torch.anatomy import named_parameters
from dllint.diagnose.probes.torch.losses import Backward
from dllint.diagnose.probes.torch.modules import Modules, float_tensors
from dllint.diagnose.probes.torch.replay import RandomState, Replay
from dllint.diagnose.probes.torch.statistics import plain, read_stats
from dllint.diagnose.records import NumericFault


class Faults:
    """Explains a bad loss or gradient: bad data first, then weights that are already bad, then an operation of the step."""

    def __init__(self, modules: Modules, replay: Replay) -> None:
        self._modules = modules
        self._replay = replay
        self.guest: Guest | None = None

    def of_loss(
        self, passed: Backward, value: float, frame: FrameType, batch: Any, before: RandomState, step: int, track: str
    ) -> NumericFault:
        """The cause of a loss that is not finite, found before its gradients change any weight."""
        name = "nan" if math.isnan(value) else "inf"
        place, _ = self.origin(passed.place)
        given = _bad_input(batch if batch is not None else self._modules.last_inputs)
        if given is not None:
            entry = passed.place if self.guest is not None and self.guest.origin(passed.place) is not None else place
            return NumericFault("input", step, track, given[0], entry, name, inputs=(read_stats(given[1]),))
        weight = self.bad_weight()
        if weight is not None:
            return NumericFault("weight", step, track, weight[0], None, name, layer=weight[1])
        bad = self._replay.first_bad(frame, batch, before, backward=False)
        return self._of_operation("loss", "loss", bad, place, step, track, name)

    def of_gradient(
        self,
        names: list[str],
        frame: FrameType,
        batch: Any,
        before: RandomState,
        step: int,
        track: str,
        place: SourcePlace | None,
    ) -> NumericFault:
        """The cause of gradients that are not finite although the loss is."""
        bad = self._replay.first_bad(frame, batch, before, backward=True)
        return self._of_operation("gradient", names[0], bad, place, step, track, "nan")

    def origin(self, call: SourcePlace) -> tuple[SourcePlace | None, str]:
        """The expression that is the loss of a backward pass, and the kind of loss."""
        own = self.guest.origin(call) if self.guest is not None else None
        return own or (receiver_origin(call), self._modules.last_loss[0])

    def _of_operation(
        self, where: str, subject: str, bad: BadOperation | None, place: SourcePlace | None, step: int, track: str, value: str
    ) -> NumericFault:
        if bad is None:
            return NumericFault(where, step, track, subject, place, value)
        layer = self._modules.names.get(bad.module) if bad.module is not None else None
        found = bad.place or place
        if self.guest is not None and bad.place is not None and self.guest.origin(bad.place) is not None:
            record = self.guest.layer(bad.module)
            layer, found = (record.name, record.place or place) if record is not None else (layer, place)
        return bad.as_fault(where, step, track, subject, found, layer)

    def bad_weight(self) -> tuple[str, str | None] | None:
        """The name of the first parameter that is not finite, and its layer."""
        for root in list(self._modules.roots):
            for name, parameter in named_parameters(root):
                if not bool(torch.isfinite(plain(parameter)).all()):
                    known = self._modules.parameters.get(parameter)
                    return known if known is not None else (name, None)
        return self.guest.bad_weight() if self.guest is not None else None


def _bad_input(batch: Any) -> tuple[str, Tensor] | None:
    for index, tensor in enumerate(float_tensors(batch)):
        if not bool(torch.isfinite(tensor).all()):
            return ("inputs" if index == 0 else f"batch tensor {index}"), tensor
    return None
