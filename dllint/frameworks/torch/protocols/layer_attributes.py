"""Attributes of library layers that are not the constructor's argument of the same name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, prop
from dllint.ir.values import InstanceVal, ListVal, Value, unwrap

#: Attributes that convolutions keep as one number per axis.
PER_AXIS = ("kernel_size", "stride", "dilation", "padding")
#: Attributes that are the same on all objects of a class.
CONSTANT: Final[Mapping[str, Mapping[str, Value]]] = {
    "ReLU6": {"min_val": 0.0, "max_val": 6.0},
    **{f"ZeroPad{spatial}d": {"value": 0.0} for spatial in (1, 2, 3)},
    "Upsample": {"name": "Upsample"},
    "UpsamplingNearest2d": {
        "name": "UpsamplingNearest2d", "mode": "nearest", "align_corners": None, "recompute_scale_factor": False,
    },
    "UpsamplingBilinear2d": {
        "name": "UpsamplingBilinear2d", "mode": "bilinear", "align_corners": True, "recompute_scale_factor": False,
    },
}  # fmt: skip
#: What lazy layers take from their first input, beside the class that they become.
LAZY: Final[Mapping[str, str]] = {
    **{f"Lazy{kind}{spatial}d": "in_channels" for kind in ("Conv", "ConvTranspose") for spatial in (1, 2, 3)},
    **{f"Lazy{kind}{spatial}d": "num_features" for kind in ("BatchNorm", "InstanceNorm") for spatial in (1, 2, 3)},
    "LazyLinear": "in_features",
}


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


def _register_constant(name: str, attribute: str, value: Value) -> None:
    @prop(f"torch.nn.{name}.{attribute}", on=InstanceVal)
    def constant(machine: Machine, layer: InstanceVal) -> Value:
        return value


for _name, _constants in CONSTANT.items():
    for _attribute, _value in _constants.items():
        _register_constant(_name, _attribute, _value)
for _name, _attribute in LAZY.items():
    for _one in (_attribute, "cls_to_become"):
        _register_constant(_name, _one, Unknown("lazy", f"{_name}.{_one}"))


@prop("torch.nn.PairwiseDistance.norm", on=InstanceVal)
def norm(machine: Machine, layer: InstanceVal) -> Value:
    """The order of the norm."""
    return Unknown("not-configured", "norm") if layer.layer is None else unwrap(layer.layer.args.get("p"))


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
