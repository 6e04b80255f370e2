"""From a layer's constructor arguments to the parameters of its canonical operation.

The sizes a Keras layer takes from its first input (``in_features``, ``in_channels``, ``num_features``) are kept in its
configuration, as Keras does when it builds the layer: a later input of another size is then seen to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import Dim, is_fixed, opaque
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, normalize_axis
from dllint.frameworks.keras.protocols.formats import data_format, look_at_input
from dllint.frameworks.keras.protocols.plain import is_size, pairs, plain
from dllint.frameworks.machine import Machine
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.spec import OPS

Args = dict[str, Value]

#: Operation → the parameter that records the feature size of the first input.
WIDTHS: Final = {
    "linear": "in_features",
    "conv": "in_channels",
    "conv_transpose": "in_channels",
    "separable_conv": "in_channels",
    "depthwise_conv": "in_channels",
    "batch_norm": "num_features",
    "group_norm": "num_channels",
    "rnn": "input_size",
}


def canonical_arguments(machine: Machine, layer: InstanceVal, x: TensorVal) -> Args:
    """The operation's parameters for this layer on ``x``; records the input's width on the first call."""
    config = layer.layer
    assert config is not None
    args = {name: plain(value) for name, value in config.args.items()}
    spec = OPS.get(config.row.op)
    accepted = spec.parameters if spec is not None else {}
    if "channels_last" in accepted:
        look_at_input(machine, x)
        wanted = data_format(machine, args.pop("data_format", None))
        args["channels_last"] = wanted if isinstance(wanted, Unknown) else wanted != "channels_first"
    shape = None if isinstance(x.shape, Unknown) else x.shape
    width = WIDTHS.get(config.row.op)
    if width is not None and width not in args and shape:
        found = _feature_size(config.row.op, args, shape)
        if found is not None:
            machine.write(config.args, width, found)
            args[width] = found
    convert = CONVERT.get(config.row.name.rpartition(".")[2])
    if convert is not None:
        args |= convert(args, x)
    return {name: value for name, value in args.items() if name in accepted and name != "x"}


def _feature_size(op: str, args: Args, shape: Shape) -> Dim | None:
    axis: Value = -1
    if op in ("batch_norm", "group_norm"):
        axis = args.get("dim", -1)
    elif isinstance(last := args.get("channels_last"), Unknown):
        return None
    elif last is False:
        axis = 1
    axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
    place = normalize_axis(axis, len(shape)) if isinstance(axis, int) else None
    return shape[place] if place is not None and len(shape) > 1 and is_fixed(shape[place]) else None


def _reshape(args: Args, x: TensorVal) -> Args:
    """The target stands behind the batch axis, also where nothing else is known of the input."""
    target = args.get("shape")
    if is_size(target):
        target = (target,)
    if not isinstance(target, tuple):
        return {"shape": target if isinstance(target, Unknown) else Unknown("no-argument", "target_shape")}
    batch = x.shape[0] if isinstance(x.shape, tuple) and x.shape else opaque("batch")
    return {"shape": (batch, *(-1 if d is None else d for d in target))}


def _permute(args: Args, x: TensorVal) -> Args:
    dims = args.get("dims")
    return {"dims": (0, *dims)} if isinstance(dims, tuple) else {}


def _sides(name: str, spatial: int) -> Callable[[Args, TensorVal], Args]:
    return lambda args, x: {name: pairs(args.get(name), spatial)}


def _layer_norm(args: Args, x: TensorVal) -> Args:
    dim = args.get("dim")
    if dim not in (-1, (-1,)) or isinstance(x.shape, Unknown) or not x.shape or not is_fixed(x.shape[-1]):
        return {}
    return {"normalized_shape": x.shape[-1:]}


def _indices(args: Args, x: TensorVal) -> Args:
    return {"index_low": x.low, "index_high": x.high if x.high is not None else x.reach}


CONVERT: Final[dict[str, Callable[[Args, TensorVal], Args]]] = {
    "Reshape": _reshape,
    "Permute": _permute,
    **{f"ZeroPadding{n}D": _sides("padding", n) for n in (1, 2, 3)},
    **{f"Cropping{n}D": _sides("cropping", n) for n in (1, 2, 3)},
    "LayerNormalization": _layer_norm,
    "Embedding": _indices,
}
