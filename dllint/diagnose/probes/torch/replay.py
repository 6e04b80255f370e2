"""Replay of a training step, operation by operation, to find the first operation whose result is not finite.

``step_body`` compiles the statements of the loop or function that a frame is in (the user's step or a training library's) again
under their own source positions. They run on a copy of the frame's names, with the batch of the loop and the random state from
before the step. This is done when a loss is not finite, before the weights are updated. ``FirstBad`` follows values that are
not finite back to the operation that made them (``probes/bad_operation``, common to all frameworks); an operation of the
backward pass is reported at the line of its forward operation, found by autograd's sequence number. Side effects of the replay
remain, so the program is ended after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Final

import torch
from torch import Tensor

from dllint.diagnose.limits import Stopped
from dllint.diagnose.places import is_user_file
from dllint.diagnose.probes.bad_operation import BadOperation
from dllint.diagnose.probes.repeatable import repeatable_frames
from dllint.diagnose.probes.torch.first_bad import FirstBad
from dllint.diagnose.probes.torch.losses import Losses
from dllint.diagnose.step_body import StepBody

#: How many frames are tried, from the innermost outwards: the loss may be computed by a caller. Between ``backward`` and the
#: frame that computes the loss, Lightning has five of its own.
_MOST_FRAMES: Final = 8
_TORCH: Final = str(Path(torch.__file__).parent)

RandomState = tuple[Tensor, list[Tensor]]


class _Enough(BaseException):
    """Ends a replay: the part of the step that matters has been executed."""


def random_state() -> RandomState:
    """The state of torch's generators."""
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []  # type: ignore[no-untyped-call]
    return torch.get_rng_state(), cuda


def set_random_state(state: RandomState) -> None:
    """Go back to a state."""
    torch.set_rng_state(state[0])
    if state[1]:
        torch.cuda.set_rng_state_all(state[1])


class Replay:
    """Runs the step of a frame again. While ``replaying`` is true, the probe's hooks only call :meth:`at_step`. Nothing is
    replayed unless ``is_allowed``: other processes that train along would not take part."""

    def __init__(self, losses: Losses, is_allowed: Callable[[], bool]) -> None:
        self._losses = losses
        self._is_allowed = is_allowed
        self.replaying = False

    def at_step(self) -> None:
        """An optimizer is about to step: a repetition ends here."""
        raise _Enough

    def first_bad(self, frame: FrameType, batch: object, before: RandomState, *, backward: bool) -> BadOperation | None:
        """The operation that the bad loss comes from, or, with ``backward``, the first one whose gradients are bad."""
        if not self._is_allowed():
            return None
        for caller in islice(repeatable_frames(frame, _TORCH), _MOST_FRAMES):
            body = StepBody.from_frame(caller, batch if is_user_file(caller.f_code.co_filename) else None)
            if body is None:
                continue
            found = self._run(body, before, backward)
            if found is not None:
                return found
        return None

    def _run(self, body: StepBody, before: RandomState, backward: bool) -> BadOperation | None:
        mode = FirstBad()
        of_loss: list[BadOperation | None] = []

        def at_loss(root: Tensor) -> None:
            of_loss.append(mode.origin(root) or mode.first)
            if not backward:
                raise _Enough

        with self._set_back(before, at_loss), mode:
            _run_whatever_happens(body)
        if not backward:
            return of_loss[-1] if of_loss else None
        return mode.first_backward

    @contextmanager
    def _set_back(self, before: RandomState, at_loss: Callable[[Tensor], None]) -> Iterator[None]:
        now = random_state()
        set_random_state(before)
        self.replaying, self._losses.replaying = True, at_loss
        try:
            with torch.enable_grad():
                yield
        finally:
            self.replaying, self._losses.replaying = False, None
            set_random_state(now)


def _run_whatever_happens(body: StepBody) -> None:
    """Execute a step and ignore how it ends."""
    try:
        body.run()
    except (_Enough, Stopped, Exception):
        # What the program raises on a repetition says nothing about the program.
        return
