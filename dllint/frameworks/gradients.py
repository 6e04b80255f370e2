"""Gradients that are asked for: one tensor per source, of the source's type, through which gradients of its own flow.

Of a source that the target does not depend on, it is ``None``.
"""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import ListVal, Value, unwrap


def gradient_of(machine: Machine, target: Value, source: Value, framework: Framework, spelled: str) -> Value:
    """The gradient of a target with respect to a tensor, or a tuple of those for several; unknown for what is no tensor."""
    source = unwrap(source)
    if isinstance(source, ListVal) and source.rest is None:
        source = tuple(source.items)
    if isinstance(source, tuple):
        return tuple(gradient_of(machine, target, part, framework, spelled) for part in source)
    if not isinstance(source, TensorVal):
        return Unknown("training-result", "gradient")
    made = machine.emit("gradient", {"x": source, "y": unwrap(target)}, framework=framework, spelled=spelled)
    return machine.perhaps(made) if isinstance(made, TensorVal) else made
