"""What a probe is, and which framework has which."""

from __future__ import annotations

from importlib import import_module
from typing import Final, Protocol

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.options import ProbeOptions


class Probe(Protocol):
    """Watches one framework. It is made when the framework has been imported, before the user's code goes on."""

    def install(self) -> None:
        """Patch and hook the framework; nothing of it may change results, random numbers or saved files."""

    def finish(self) -> None:
        """The run has ended: tell the monitor what is still outstanding, and take the hooks away."""


#: Framework (the top-level module whose import calls for the probe) → module and class of the probe.
PROBES: Final = {"torch": ("dllint.diagnose.probes.torch.probe", "TorchProbe")}


def make_probe(framework: str, monitor: Monitor, options: ProbeOptions) -> Probe:
    """The probe of a framework that has been imported."""
    module, name = PROBES[framework]
    probe: Probe = getattr(import_module(module), name)(monitor, options)
    return probe
