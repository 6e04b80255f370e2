"""Compiled code: what of it can be seen."""

from __future__ import annotations

from typing import Any

import torch

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.torch.patching import Patches


class Compilation:
    """Notes that a program compiles. ``running``: compiled code runs, so that hooks must neither come nor go."""

    def __init__(self, monitor: Monitor, patches: Patches, force_eager: bool) -> None:
        self._monitor = monitor
        self._patches = patches
        self._force_eager = force_eager
        self.running = False

    def install(self) -> None:
        """Note compilations from now on."""
        self._patches.wrap(torch, "compile", self._compile)

    def _compile(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        if self._monitor.active and not self.running:
            self._note()
        return original(*args, **kwargs)

    def _note(self) -> None:
        if self._force_eager:
            torch.compiler.set_stance("force_eager")
            self._monitor.note(
                "compiled code was run uncompiled (--force-eager): numbers may differ in the last digits, and faults of the "
                "compiler do not show"
            )
            return
        self.running = True
        self._monitor.note("the program compiles its model: layers inside compiled code were not observed (try --force-eager)")
