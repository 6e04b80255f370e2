"""Programs that learn from their own samples (policy gradients): the value of their loss is not meaningful."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec
from weakref import ref

from torch import Tensor, distributions

from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")

_REMEMBERED: Final = 1000


class Draws:
    """Notes when the probability of a number is asked for that was drawn from a distribution without a gradient: the
    score-function estimator does that, densities of data and reparametrised draws do not."""

    def __init__(self, patches: Patches) -> None:
        self._patches = patches
        self._drawn: dict[int, ref[Tensor]] = {}
        #: Whether the program has weighed its own draws.
        self.are_weighed = False

    def install(self) -> None:
        """Follow all distributions of torch."""
        for kind in vars(distributions).values():
            if isinstance(kind, type) and issubclass(kind, distributions.Distribution):
                for name, wrapper in (("sample", self._sample), ("log_prob", self._log_prob)):
                    if name in vars(kind):
                        self._patches.wrap(kind, name, wrapper)

    def _sample(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        drawn = original(*args, **kwargs)
        if not self.are_weighed and isinstance(drawn, Tensor):
            if len(self._drawn) >= _REMEMBERED:
                self._drawn.clear()
            self._drawn[id(drawn)] = ref(drawn)
        return drawn

    def _log_prob(self, original: Callable[..., Any], distribution: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not self.are_weighed:
            known = self._drawn.get(id(value))
            self.are_weighed = known is not None and known() is value
        return original(distribution, value, *args, **kwargs)
