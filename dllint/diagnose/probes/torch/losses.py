"""Losses: tensors on which ``backward`` is called, and the lines that call it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, Concatenate, ParamSpec

import torch
from torch import Tensor

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, place_of, user_frames
from dllint.diagnose.probes.containers import parts
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.seclusion import aside
from dllint.diagnose.probes.torch.statistics import local

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Backward:
    """A call that asks for gradients of a scalar at ``place``; ``value`` is what it is before any loss scaling. ``scaled``: a
    loss scaler watches the gradients and leaves out steps that are not finite."""

    value: float
    place: SourcePlace
    inside_step: bool
    scaled: bool


class Losses:
    """Backward passes and the loss scaling they go through. ``on_backward`` is called before each pass with the pass and the
    frame that asks for it; ``inside_step`` is set while an optimizer may be calling its closure."""

    def __init__(self, monitor: Monitor, patches: Patches, on_backward: Callable[[Backward, FrameType], None]) -> None:
        self._monitor = monitor
        self._patches = patches
        self._on_backward = on_backward
        self._unscaled: tuple[Tensor, Tensor] | None = None
        self.inside_step = False
        #: During a replay backward passes are not noted; this is called with their root instead.
        self.replaying: Callable[[Tensor], None] | None = None

    def install(self) -> None:
        """Note backward passes from now on."""
        self._patches.wrap(torch.autograd, "backward", self._backward)
        self._patches.wrap(torch.amp.GradScaler, "scale", self._scale)

    def _scale(self, original: Callable[..., Any], scaler: torch.amp.GradScaler, outputs: Any) -> Any:
        scaled = original(scaler, outputs)
        if isinstance(outputs, Tensor):
            self._unscaled = (scaled, outputs)
        return scaled

    def _backward(self, original: Callable[Concatenate[Any, P], Any], tensors: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        root = _root(tensors) if self._monitor.active else None
        if root is not None:
            if self.replaying is not None:
                self.replaying(root)
            else:
                self._note(root)
        return original(tensors, *args, **kwargs)

    def _note(self, root: Tensor) -> None:
        caller = sys._getframe(1)
        frame = next(user_frames(caller), None)
        if frame is None:
            return
        scaled = self._unscaled is not None and self._unscaled[0] is root
        if self._unscaled is not None and scaled:
            root = self._unscaled[1]
        self._unscaled = None
        # Waiting for the device here is what lets a bad loss be explained before its gradients do harm. The wait is the
        # program's time, not observation: the device is at work.
        self._on_backward(Backward(_value(root), place_of(frame), self.inside_step, scaled), caller)


def _root(tensors: Any) -> Tensor | None:
    """The scalar that gradients are asked of, if it is one."""
    given = tensors if isinstance(tensors, Tensor) else next((item for _, item in parts(tensors)), None)
    if not isinstance(given, Tensor) or (given is not tensors and sum(1 for _ in parts(tensors)) != 1):
        return None
    with torch._C.DisableTorchFunctionSubclass():
        return given if given.numel() == 1 else None


def _value(root: Tensor) -> float:
    """The scalar; of a distributed one, what this process has of it. Classes of tensors may define ``__float__`` anew."""
    with aside():
        return float(Tensor.item(local(root).detach()))
