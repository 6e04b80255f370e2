"""The probe for Lightning: its callbacks that stop a training, or keep weights, by a measure."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, ClassVar, Concatenate, Final, ParamSpec

from dllint.diagnose.places import user_places
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.probe import Probes

P = ParamSpec("P")

#: Other reasons for which a training is stopped.
_LIMITS: Final = ("stopping_threshold", "divergence_threshold")
#: Callback → the method by which it decides.
_DECIDING: Final = {"EarlyStopping": "_run_early_stopping_check", "ModelCheckpoint": "check_monitor_top_k"}


class LightningProbe:
    """Watches the callbacks of ``lightning.pytorch``."""

    module: ClassVar = "lightning.pytorch.callbacks"

    def __init__(self, probes: Probes) -> None:
        self._monitor = probes.monitor
        self._patches = Patches(probes.monitor.failed)

    def install(self) -> None:
        """Note what decides from now on. Nothing is imported that the program has not imported."""
        callbacks = sys.modules.get(self.module)
        for name, method in _DECIDING.items():
            kind = getattr(callbacks, name, None)
            if kind is not None and hasattr(kind, method):
                self._patches.wrap(kind, "__init__", self._build)
                self._patches.wrap(kind, method, self._decide)

    def adopt(self, model: object) -> bool:
        """Models are those of torch."""
        return False

    def finish(self) -> None:
        """Leave Lightning as it was."""
        self._patches.undo()

    def look_back(self) -> None:
        """Nothing is tried."""

    def _build(self, original: Callable[Concatenate[Any, P], None], callback: Any, *args: P.args, **kwargs: P.kwargs) -> None:
        original(callback, *args, **kwargs)
        if self._monitor.active:
            self._monitor.decisions.built(callback, next(iter(user_places(2, 1)), None))

    def _decide(
        self, original: Callable[Concatenate[Any, Any, P], Any], callback: Any, trainer: Any, *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        result = original(callback, trainer, *args, **kwargs)
        if self._monitor.active:
            with self._monitor.attempt("a measure that Lightning decides by could not be read"):
                self._note(callback, trainer)
        return result

    def _note(self, callback: Any, trainer: Any) -> None:
        measure = attribute(callback, "monitor")
        value = attribute(trainer, "callback_metrics", {}).get(measure)
        if not attribute(trainer, "sanity_checking", False) and value is not None and value.numel() == 1:
            self._monitor.decisions.given(callback, measure, attribute(callback, "mode"), float(value))
            if attribute(callback, "stopped_epoch", 0) and all(attribute(callback, name) is None for name in _LIMITS):
                self._monitor.decisions.stopped(callback, attribute(callback, "min_delta"), attribute(callback, "patience"))


class OldLightningProbe(LightningProbe):
    """The same for the older name of the package."""

    module: ClassVar = "pytorch_lightning.callbacks"
