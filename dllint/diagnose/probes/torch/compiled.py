"""Observation of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

import torch

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.activations import Activations
from dllint.diagnose.probes.torch.modules import Modules

P = ParamSpec("P")


class Compilation:
    """Notes that a program compiles, and takes the hooks off modules before: the compiler would try to compile them, too.
    ``running``: there is compiled code, so that hooks must not come back."""

    def __init__(
        self, monitor: Monitor, patches: Patches, modules: Modules, activations: Activations, *, force_eager: bool
    ) -> None:
        self._monitor = monitor
        self._patches = patches
        self._modules = modules
        self._activations = activations
        self._force_eager = force_eager
        self.running = False

    def install(self) -> None:
        """Note compilations from now on."""
        self._patches.wrap(torch, "compile", self._compile)

    def _compile(self, original: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
        if self._monitor.active:
            self._adopt(args[0] if args else kwargs.get("model"))
            self._note()
        return original(*args, **kwargs)

    def _adopt(self, compiled: Any) -> None:
        """Name a model by itself rather than by its wrapper, which is all that is called from now on."""
        owner = getattr(compiled, "__self__", compiled)
        if isinstance(owner, torch.nn.Module) and owner not in self._modules.names:
            self._modules.adopt(owner)

    def _note(self) -> None:
        if self._force_eager:
            torch.compiler.set_stance("force_eager")
            self._monitor.note(
                "compiled code was run uncompiled (--force-eager): numbers may differ in the last digits, and faults of the "
                "compiler do not show"
            )
            return
        self.running = True
        self._modules.ignore()
        self._activations.remove()
        self._monitor.note("the program compiles its model: layers inside compiled code were not observed (try --force-eager)")
