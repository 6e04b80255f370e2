"""The arguments of a library layer among themselves: what contradicts is recorded where the layer is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks.rows import LayerRow
from dllint.ir.program import Fault, Op
from dllint.ir.values import InstanceVal, Value
from dllint.lower import emission
from dllint.ops.constraints import at_call, at_construction

if TYPE_CHECKING:
    from dllint.lower.parts import Performs

#: Kind of the operation that stands for a construction with contradictory arguments; it has no outputs.
CONSTRUCT = "construct"
#: Kind of the operation that stands for the construction of a layer that no call of it will accept; it has no outputs.
UNUSABLE = "unusable"


def check(m: Performs, instance: InstanceVal) -> None:
    """Record the construction of a layer as an operation if its configuration violates a constraint. If the library refuses to
    build it, there is no such layer, so that nothing is known of what it is applied to."""
    config = instance.layer
    if config is None:
        return
    row = config.row
    args = {name: emission.argument(m, name, value, row.framework) for name, value in config.args.items()}
    if refused := at_construction(row.op, row.framework, args):
        layer = InstanceVal(instance.cls, site=instance.site, layer=config)
        m.journal.set_attribute(instance, "layer", None)
        m.journal.set_attribute(instance, "open", Unknown("raised", row.name))
        _record(m, CONSTRUCT, args, layer, row, refused)
    elif useless := at_call(row.op, row.framework, args):
        _record(m, UNUSABLE, args, instance, row, useless)


def _record(
    m: Performs, kind: str, args: dict[str, Value], layer: InstanceVal, row: LayerRow, faults: tuple[Fault, ...]
) -> None:
    frame = m.frame
    site = frame.site()
    op = Op(kind, args, (), site, row.framework, row.name, layer, faults, m.control.path, scope=frame.name, owner=frame.owner)
    m.record(op)
