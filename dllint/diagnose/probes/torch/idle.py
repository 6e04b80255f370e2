"""Programs that compute gradients and never use them: no optimizer steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from torch import Tensor, nn

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.torch.anatomy import parameters
from dllint.diagnose.records import UnusedGradients

#: Backward passes that say something; gradients may be accumulated over some.
_FEWEST: Final = 10
#: A run that is to end after some steps ends after so many times as many passes without one.
_PATIENCE: Final = 10
_MOST_KEPT: Final = 1000


class IdlePasses:
    """Counts backward passes until the first step of any optimizer, and compares the weights at the first pass with those at
    the end: programs may update them by hand."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._passes = 0
        self._place: SourcePlace | None = None
        self._sums: list[tuple[Tensor, float]] = []
        self.stepped = False

    def at_backward(self, place: SourcePlace, models: Callable[[], Iterable[nn.Module]]) -> None:
        """Gradients are about to be computed.

        Raises:
            dllint.diagnose.limits.Stopped: the run ends here.
        """
        if self.stepped:
            return
        self._passes += 1
        self._place = place
        if self._passes == 2:
            # At the first pass of all, lazily built parameters may not be there.
            self._sums = [(weight, _sum(weight)) for model in models() for weight in parameters(model) if weight.requires_grad]
        limit = self._monitor.limits.steps
        if limit is not None and self._passes >= _PATIENCE * limit:
            self._monitor.ending.request("steps")
            self._monitor.ending.raise_if_requested()

    @property
    def forgets(self) -> bool:
        """Whether there have been so many passes that their losses are no longer kept for a step to come."""
        return not self.stepped and self._passes > _MOST_KEPT

    def at_step(self) -> None:
        """An optimizer steps."""
        self.stepped = True
        self._sums = []

    def finish(self) -> bool:
        """The run has ended; whether its gradients were never used."""
        still = self._sums and all(_sum(weight) == before for weight, before in self._sums)
        self._sums = []
        if self.stepped or self._passes < _FEWEST or not still:
            return False
        self._monitor.unused(UnusedGradients(self._place, self._passes))
        return True


def _sum(weight: Tensor) -> float:
    """A number that an update of the weight changes."""
    values = weight.detach().double()
    return float(values.sum() + values.abs().sum())
