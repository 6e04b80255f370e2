"""Activations that are called as functions: they count as layers, at the line of the call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, ParamSpec

import torch
from torch import Tensor

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import user_places
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.flow import is_ordinary
from dllint.diagnose.probes.torch.modules import Modules
from dllint.diagnose.probes.torch.seclusion import is_traced

P = ParamSpec("P")

#: The functions below those of ``torch.nn.functional``, which libraries compare by identity.
_FUNCTIONS: Final = ("relu", "relu_", "sigmoid", "tanh", "softmax")
#: What the compiler remembers of them, if it was imported meanwhile.
_REMEMBERED: Final = ("get_torch_obj_rule_map", "get_tensor_method")


class Activations:
    """``torch.relu`` and its like, as functions and as methods. They are left alone in compiled code and in TorchScript."""

    def __init__(self, monitor: Monitor, patches: Patches, modules: Modules) -> None:
        self._monitor = monitor
        self._all = patches
        self._patches = Patches(monitor.failed, is_traced)
        self._modules = modules

    def install(self) -> None:
        """Note activations from the first call of a model on, in steps that are looked at. Before it they are what they were:
        libraries look them up when they are imported."""
        self._modules.at_call, self._modules.at_ignore = self._wrap, self._patches.undo
        self._all.wrap(torch.jit, "script", self._script, depth=("_frames_up", 2))
        self._all.later(self._patches.undo)

    def remove(self) -> None:
        """The program compiles: the functions are to be what the compiler expects."""
        self._patches.undo()
        self._modules.at_call = lambda: None
        rules = sys.modules.get("torch._dynamo.trace_rules")
        for name in _REMEMBERED if rules is not None else ():
            if callable(forget := getattr(getattr(rules, name, None), "cache_clear", None)):
                forget()

    def _wrap(self) -> None:
        if self._patches.active:
            return
        for name in _FUNCTIONS:
            for owner in (torch, Tensor):
                self._patches.wrap(owner, name, self._noting(name.rstrip("_")))

    def _script(self, original: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
        """TorchScript knows functions by identity."""
        failing = "activations in scripted code could not be left alone"
        wrapped = self._patches.active
        with self._monitor.attempt(failing):
            self._patches.undo()
        try:
            # Called here: it reads the variables of who has called it, so many frames above.
            return original(*args, **kwargs)
        finally:
            if wrapped:
                with self._monitor.attempt(failing):
                    self._wrap()

    def _noting(self, kind: str) -> Any:
        def noted(original: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Any:
            output = original(*args, **kwargs)
            if self._modules.listening:
                self._note(kind, output)
            return output

        return noted

    def _note(self, kind: str, output: Any) -> None:
        monitor = self._monitor
        if not monitor.active or not monitor.sampling or not torch.is_grad_enabled() or not is_ordinary(output):
            return
        with monitor.measured():
            if type(self._modules.running).__module__ == "torch.nn.modules.activation":
                return
            if kind == "softmax":
                # Of these only what they feed is of interest: most are in attentions.
                self._modules.flow.make(output, kind, "")
            else:
                self._modules.sample_function(kind, next(iter(user_places(2, 1)), None), output)
