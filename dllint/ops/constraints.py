"""Constraints on a layer's configuration: reported where the layer is built if the library looks at it there, else
where the layer is called. Keras looks at all of it when it builds; what torch leaves to the call was found by running 2.13."""

from __future__ import annotations

from collections.abc import Iterable

from dllint.ir.program import Fault, Framework
from dllint.ops.checks import Check, Config
from dllint.ops.layers import layer
from dllint.ops.whole import is_left_to_call, not_whole


def constraints(op: str, framework: Framework, config: Config) -> tuple[Fault, ...]:
    """The violated constraints among the canonical arguments of a function whose operation is ``op``."""
    return (*at_construction(op, framework, config), *at_call(op, framework, config))


def at_construction(op: str, framework: Framework, config: Config) -> tuple[Fault, ...]:
    """The constraints for which a layer cannot be built."""
    refused = [fault for fault in not_whole(op, framework, config) if not is_left_to_call(op, framework, fault.operand)]
    early = _violated(layer(op).built, framework, config)
    return (*refused, *early, *(() if framework == "torch" else _violated(layer(op).called, framework, config)))


def at_call(op: str, framework: Framework, config: Config) -> tuple[Fault, ...]:
    """The constraints for which a layer of torch can be built, and no call of it succeeds."""
    if framework != "torch":
        return ()
    refused = [fault for fault in not_whole(op, framework, config) if is_left_to_call(op, framework, fault.operand)]
    return (*refused, *_violated(layer(op).called, framework, config))


def _violated(checks: Iterable[Check], framework: Framework, config: Config) -> tuple[Fault, ...]:
    return tuple(fault for check in checks for fault in check(framework, config))
