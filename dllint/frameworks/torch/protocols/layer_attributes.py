"""Attributes of library layers that differ from the constructor's argument of the same name."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, prop
from dllint.ir.values import InstanceVal, ListVal, Value, unwrap

#: Attributes that convolutions keep as one number per axis.
PER_AXIS = ("kernel_size", "stride", "dilation", "padding")


def _register(name: str, attribute: str, spatial: int) -> None:
    @prop(f"torch.nn.{name}.{attribute}", on=InstanceVal)
    def per_axis(machine: Machine, layer: InstanceVal) -> Value:
        if layer.layer is None:
            return Unknown("not-configured", f"{name}.{attribute}")
        value = unwrap(layer.layer.args.get(attribute))
        if isinstance(value, ListVal):
            return tuple(value.items)
        return (value,) * spatial if isinstance(value, int) else value


for _spatial in (1, 2, 3):
    for _name in (f"Conv{_spatial}d", f"ConvTranspose{_spatial}d"):
        for _attribute in PER_AXIS:
            _register(_name, _attribute, _spatial)


@prop("builtins.tuple.values", on=tuple)
def values(machine: Machine, result: tuple[Value, ...]) -> Value:
    """``x.max(dim).values``: torch's named results are tuples."""
    return result[0] if result else Unknown("no-attribute", "values")


@prop("builtins.tuple.indices", on=tuple)
def indices(machine: Machine, result: tuple[Value, ...]) -> Value:
    """``x.max(dim).indices``."""
    return result[1] if len(result) > 1 else Unknown("no-attribute", "indices")


@prop("torch.nn.MultiheadAttention.head_dim", on=InstanceVal)
def head_dim(machine: Machine, layer: InstanceVal) -> Value:
    """The width of one head."""
    args = layer.layer.args if layer.layer is not None else {}
    width, heads = unwrap(args.get("embed_dim")), unwrap(args.get("num_heads"))
    if isinstance(width, int) and isinstance(heads, int) and heads > 0:
        return width // heads
    return Unknown("not-configured", "head_dim")
