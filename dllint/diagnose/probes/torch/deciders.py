"""Schedules that lower the rate on a plateau of a measure. The measure has no name there but that of the argument."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Concatenate, ParamSpec

from torch import Tensor
from torch.optim.lr_scheduler import ReduceLROnPlateau

from dllint.diagnose.assignments import argument_at
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, place_of, user_frames, user_places
from dllint.diagnose.probes.containers import attribute
from dllint.diagnose.probes.patching import Patches

P = ParamSpec("P")


class Deciders:
    """Watches ``ReduceLROnPlateau``."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches

    def install(self) -> None:
        """Note what it is given from now on."""
        self._patches.wrap(ReduceLROnPlateau, "__init__", self._build)
        self._patches.wrap(ReduceLROnPlateau, "step", self._decide)

    def _build(self, original: Callable[Concatenate[Any, P], None], schedule: Any, *args: P.args, **kwargs: P.kwargs) -> None:
        original(schedule, *args, **kwargs)
        if self._monitor.active:
            self._monitor.decisions.built(schedule, next(iter(user_places(2, 1)), None))

    def _decide(self, original: Callable[..., Any], schedule: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(schedule, *args, **kwargs)  # which raises if the metric is missing
        metrics = args[0] if args else kwargs.get("metrics")
        frame = next(user_frames(sys._getframe(2)), None) if self._monitor.active else None
        if frame is not None and (isinstance(metrics, int | float) or (isinstance(metrics, Tensor) and metrics.numel() == 1)):
            measure = measured(place_of(frame))
            self._monitor.decisions.given(schedule, measure, attribute(schedule, "mode"), float(metrics))
        return result


@lru_cache(maxsize=64)
def measured(call: SourcePlace) -> str:
    """The name of what a schedule is given by a call of ``step``: the variable, attribute, function or key; empty if the
    argument is put together from several."""
    node: ast.AST | None = argument_at(call, "step", 0, "metrics")
    while isinstance(node, ast.Call):
        # ``accuracy.item()`` is called what it is called on, ``mean(losses)`` after its argument.
        is_method = isinstance(node.func, ast.Attribute) and not node.args
        node = node.func.value if is_method and isinstance(node.func, ast.Attribute) else next(iter(node.args), node.func)
    if isinstance(node, ast.Subscript):
        key = node.slice
        return str(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else _name(node.value)
    return _name(node)


def _name(node: ast.AST | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
