"""Changes to gradients between backward pass and step: clipping, and steps that a loss scaler skips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

import torch
from torch import Tensor

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.seclusion import aside
from dllint.diagnose.records import ClippingRecord

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class _Clipping:
    """A clipping whose norm has not been read yet."""

    norm: Tensor
    limit: float | None
    place: SourcePlace | None


class Gradients:
    """Counts clippings and skipped steps of the track that stepped last, and keeps the last clipping of a sampled step."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches
        self._clipping: _Clipping | None = None
        self._clippings = 0
        self.last_track = ""

    def install(self) -> None:
        """Note clippings and skipped steps from now on."""
        self._patches.wrap(torch.nn.utils, "clip_grad_norm_", self._clip)
        self._patches.wrap(torch.nn.utils.clip_grad, "clip_grad_norm_", self._clip)
        self._patches.wrap(torch.amp.GradScaler, "step", self._scaled_step)

    def finish_step(self, track: str) -> None:
        """A track has stepped: what was clipped before belongs to it."""
        self.last_track = track
        if self._clippings:
            self._monitor.count(track, clipped=self._clippings)
            self._clippings = 0

    def take_clipping(self) -> ClippingRecord | None:
        """The last clipping since the last call."""
        clipping, self._clipping = self._clipping, None
        return ClippingRecord(float(clipping.norm), clipping.limit, clipping.place) if clipping is not None else None

    def _clip(self, original: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
        norm = original(*args, **kwargs)
        if self._monitor.active and isinstance(norm, Tensor):
            self._clippings += 1
            if self._monitor.sampling:
                with aside():
                    kept = norm.detach()
                self._clipping = _Clipping(kept, _limit(*args, **kwargs), next(iter(user_places(2, 1)), None))
        return norm

    def _scaled_step(
        self,
        original: Callable[Concatenate[Any, Any, P], Any],
        scaler: torch.amp.GradScaler,
        optimizer: torch.optim.Optimizer,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Any:
        before = self._monitor.steps_of(self.last_track)
        result = original(scaler, optimizer, *args, **kwargs)
        if self._monitor.active and self._monitor.steps_of(self.last_track) == before:
            self._monitor.count(self.last_track, skipped=1)
        return result


def _limit(parameters: object = None, max_norm: object = None, *others: object, **named: object) -> float | None:
    """The norm that ``clip_grad_norm_`` is given, if it is a number."""
    return float(max_norm) if isinstance(max_norm, int | float) else None
