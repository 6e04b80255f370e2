"""Compiled functions (``tf.function``) that contain a whole training step of the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec

import tensorflow as tf
from tensorflow.python.eager.polymorphic_function.polymorphic_function import Function

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.guest import Guest
from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")


class Functions:
    """Finds which functions train, by what is traced in them, and has each of their calls reported as a step."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches
        self._trains: IdentityMap[Any, bool] = IdentityMap()
        self._quiet = 0
        self._traced_step = False
        self.guest: Guest | None = None

    def install(self) -> None:
        """Note calls from now on."""
        self._patches.wrap(Function, "__call__", self._call)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Calls inside the block belong to a step that another probe reports."""
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1

    def traced(self) -> None:
        """An optimizer's step has been traced."""
        self._traced_step = True

    def _call(
        self, original: Callable[Concatenate[Any, P], Any], function: Callable[..., Any], *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        if self._quiet or self.guest is None or not self._monitor.active or not _is_compiling():
            return original(function, *args, **kwargs)
        self._traced_step = False
        with self.quiet():
            result = self._run(function, lambda: original(function, *args, **kwargs), args, kwargs)
        if self._traced_step:
            self._trains[function] = True
        else:
            self._trains.setdefault(function, False)
        return result

    def _run(self, function: Any, compiled: Callable[[], Any], args: Any, kwargs: Any) -> Any:
        trains = self._trains.get(function)
        if trains is False or self.guest is None:
            return compiled()
        # Only the trace of the first call shows whether it trains at all.
        eager = (lambda: function.python_function(*args, **kwargs)) if trains else None
        return self.guest.compiled_step(function, eager, compiled, None)


def _is_compiling() -> bool:
    return tf.executing_eagerly() and not tf.config.functions_run_eagerly()
