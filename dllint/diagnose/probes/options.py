"""Settings that probes share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProbeOptions:
    """``device`` is ``auto``, ``cpu`` or ``cuda:N``; ``force_eager`` runs compiled code uncompiled, so that all of its layers
    are seen; ``thorough`` measures what only tests ask for: the inputs of all layers, and whether one batch can be fitted;
    ``goes_on``: the program goes on after its diagnosis, and keeps no traces of it."""

    device: str = "auto"
    force_eager: bool = False
    thorough: bool = False
    goes_on: bool = False
