"""Changes to gradients between backward pass and step: clipping, and steps that a loss scaler skips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

import torch
from torch import Tensor

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.seclusion import aside

P = ParamSpec("P")


class Gradients:
    """Counts clippings and skipped steps of the track that stepped last, and keeps the norm before clipping."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches
        self._clipped_from: Tensor | None = None
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

    def take_clipped(self) -> float | None:
        """The norm that was last clipped since the last call."""
        norm, self._clipped_from = self._clipped_from, None
        return float(norm) if norm is not None else None

    def _clip(self, original: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
        norm = original(*args, **kwargs)
        if self._monitor.active and isinstance(norm, Tensor):
            with aside():
                self._clipped_from = norm.detach()
            self._clippings += 1
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
