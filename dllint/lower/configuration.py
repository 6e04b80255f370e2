"""The arguments of a library layer among themselves: what contradicts is recorded where the layer is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.ir.program import Op
from dllint.ir.values import InstanceVal
from dllint.lower import emission
from dllint.ops.constraints import constraints

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

#: Kind of the operation that stands for a construction with contradictory arguments; it has no outputs.
CONSTRUCT = "construct"


def check(m: Interpreter, instance: InstanceVal) -> None:
    """Record the construction of a layer as an operation if its configuration violates a constraint. There is no such layer,
    so that nothing is known of what it is applied to."""
    config = instance.layer
    if config is None:
        return
    row = config.row
    args = {name: emission.argument(m, name, value, row.framework) for name, value in config.args.items()}
    faults = constraints(row.op, row.framework, args)
    if faults:
        refused = InstanceVal(instance.cls, site=instance.site, layer=config)
        m.journal.set_attribute(instance, "layer", None)
        m.journal.set_attribute(instance, "open", Unknown("raised", row.name))
        frame = m.frame
        m.record(
            Op(
                CONSTRUCT,
                args,
                (),
                frame.site(),
                row.framework,
                row.name,
                refused,
                faults,
                m.path,
                scope=frame.name,
                owner=frame.owner,
            )
        )
