"""Replay of a step, eagerly and operation by operation, to find the first operation whose result is not finite."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from types import FrameType
from typing import Any, Final

import tensorflow as tf

from dllint.diagnose.limits import Stopped
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.repeatable import repeatable_frames
from dllint.diagnose.probes.tensorflow.first_bad import FirstBad
from dllint.diagnose.probes.tensorflow.undoing import undone
from dllint.diagnose.step_body import StepBody

_MOST_FRAMES: Final = 4


class _Enough(BaseException):
    """The part of the step that matters has been run."""


class Replay:
    """Runs steps again. ``mode`` is what follows the operations meanwhile: the probe's own hooks must then do nothing but call
    :meth:`at_loss` and :meth:`at_step`. ``folder`` is that of TensorFlow."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._backward = False
        self._of_loss: BadOperation | None = None
        self.mode: FirstBad | None = None
        self.is_module: Callable[[object], bool] = lambda owner: isinstance(owner, tf.Module)

    def of_step(self, step: Callable[[], object], *, backward: bool) -> BadOperation | None:
        """The operation that the bad loss comes from, or, with ``backward``, the first one whose gradients are bad."""
        self.mode, self._backward, self._of_loss = FirstBad(self.is_module), backward, None
        try:
            with undone(), self.mode.watching():
                _run_whatever_happens(step)
            return self.mode.first_backward if backward else self._of_loss
        finally:
            self.mode = None

    def of_frame(self, frame: FrameType, *, backward: bool) -> BadOperation | None:
        """As :meth:`of_step`, for the step that a frame is in."""
        for caller in islice(repeatable_frames(frame, self._folder), _MOST_FRAMES):
            body = StepBody.from_frame(caller)
            found = self.of_step(body.run, backward=backward) if body is not None else None
            if found is not None:
                return found
        return None

    def at_loss(self, gradient: Callable[[], Any], loss: Any) -> Any:
        """Gradients are asked for: the end of a repetition of the forward pass."""
        mode = self.mode
        if mode is None:
            return gradient()
        self._of_loss = mode.origin(loss) or mode.first
        if not self._backward:
            raise _Enough
        mode.backward = True
        try:
            return gradient()
        finally:
            mode.backward = False

    def at_step(self) -> None:
        """An optimizer is about to step: a repetition ends here."""
        if self.mode is not None:
            raise _Enough


def _run_whatever_happens(step: Callable[[], object]) -> None:
    """Run a step whose end is of no interest."""
    try:
        step()
    except (_Enough, Stopped, Exception):
        # What the program raises on a repetition says nothing about the program.
        return
