"""What a probe is, and which framework has which."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, Protocol

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.headroom import Headroom
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.ranks.mailbox import Store


class Probe(Protocol):
    """Watches one framework. It is made when the framework has been imported, before the user's code goes on."""

    def install(self) -> None:
        """Patch and hook the framework; nothing of it may change results, random numbers or saved files."""

    def adopt(self, model: object) -> bool:
        """Take in a model that was built before; false if it is of another framework."""

    def finish(self) -> None:
        """The run has ended: report to the monitor what is still outstanding, and take the hooks away."""

    def look_back(self) -> None:
        """The hooks of all probes are gone: try what is to be tried with the model, and let go of it."""


#: Framework (the top-level module whose import calls for the probe) → module and class of the probe.
PROBES: Final = {
    "torch": ("dllint.diagnose.probes.torch.probe", "TorchProbe"),
    "tensorflow": ("dllint.diagnose.probes.tensorflow.probe", "TensorFlowProbe"),
    "jax": ("dllint.diagnose.probes.jax.probe", "JaxProbe"),
    "keras": ("dllint.diagnose.probes.keras.probe", "KerasProbe"),
    "lightning": ("dllint.diagnose.probes.lightning.probe", "LightningProbe"),
    "pytorch_lightning": ("dllint.diagnose.probes.lightning.probe", "OldLightningProbe"),
}


#: What is tried with one framework may take so many times as long as one trial.
_PARTS: Final = 10

#: Framework → module whose ``open_store`` gives the store that the processes of a launcher share.
_STORES: Final = {"torch": "dllint.diagnose.probes.torch.store"}


def shared_store(framework: str) -> Callable[[], Store | None] | None:
    """The function that opens the store shared by a framework's processes, if it has one."""
    return getattr(import_module(_STORES[framework]), "open_store") if framework in _STORES else None  # noqa: B009


class Probes:
    """The probes of a run, by framework: those of frameworks that train by means of others look these up here."""

    def __init__(self, monitor: Monitor, options: ProbeOptions) -> None:
        self.monitor = monitor
        self.options = options
        self._installed: dict[str, Probe] = {}
        self._headroom: Headroom | None = None
        self._is_finished = False

    def install(self, framework: str) -> Probe:
        """Make and install the probe of a framework that has been imported, if that has not happened yet."""
        if framework not in self._installed:
            module, name = PROBES[framework]
            self._headroom = self._headroom or Headroom()
            probe: Probe = getattr(import_module(module), name)(self)
            self._installed[framework] = probe
            probe.install()
        return self._installed[framework]

    def adopt(self, model: object) -> None:
        """Take in a model that was built before the probes were installed."""
        for name, probe in self._installed.items():
            with self.monitor.attempt(f"a model could not be looked at with the means for {name}"):
                if probe.adopt(model):
                    return

    def finish(self, *, experiments: bool = True) -> None:
        """Finish all, the latest first: each undoes what it has done on top of those before it. ``experiments``: try what is to
        be tried with the model afterwards."""
        if self._is_finished:
            return
        self._is_finished = True
        for name, probe in reversed(self._installed.items()):
            with self.monitor.attempt_afterwards(f"the end of the run could not be told by the probe for {name}", _PARTS):
                probe.finish()
        if self._headroom is not None:
            self._headroom.give_back()
            self._headroom = None
        if not experiments:
            return
        for name, probe in self._installed.items():
            with self.monitor.attempt_afterwards(f"experiments with models of {name} could not be made", _PARTS):
                probe.look_back()
