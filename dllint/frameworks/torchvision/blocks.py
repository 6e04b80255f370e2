"""Blocks of ``torchvision.ops`` that models are built from."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols import elements
from dllint.frameworks.torch.protocols.module_tree import MODULE
from dllint.frameworks.torchvision.layers import layer
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.ops.operand import is_axis_list

OPS: Final = "torchvision.ops"
#: Blocks whose result is their input's type.
SAME: Final = ("StochasticDepth", "DropBlock2d", "DropBlock3d")


def _register_same(name: str) -> None:
    LIBRARY_BASES[name] = (MODULE,)

    @handler(name)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        return InstanceVal(LibSymbol(name), site=machine.site, state={"weightless": True})

    @handler(f"{name}.forward")
    def forward(machine: Machine, block: Value, arguments: Arguments) -> Value:
        return arguments.args[0] if arguments.args else None


for _name in SAME:
    _register_same(f"{OPS}.{_name}")


@handler(f"{OPS}.stochastic_depth", f"{OPS}.drop_block2d", f"{OPS}.drop_block3d")
def dropped(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Regularisation keeps the type."""
    return arguments.args[0] if arguments.args else arguments.kwargs.get("input")


@handler(f"{OPS}.FrozenBatchNorm2d")
def frozen_batch_norm(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A batch norm whose statistics do not change."""
    return layer(machine, "BatchNorm2d", arguments.args[0] if arguments.args else arguments.kwargs.get("num_features"))


@handler(f"{OPS}.MLP")
def mlp(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Linear layers with norm, activation and dropout between them."""
    bound = given(
        "in_channels, hidden_channels, norm_layer=None, activation_layer=0, inplace=None, bias=True, dropout=0.0", arguments
    )
    widths = machine.iterate(bound.get("hidden_channels"))
    block = elements.new(machine, LibSymbol("torch.nn.Sequential"), ())
    if isinstance(widths, Unknown):
        elements.leave_open(block, widths)
        return block
    current = bound.get("in_channels")
    for position, width in enumerate(widths):
        last = position == len(widths) - 1
        elements.append(machine, block, layer(machine, "Linear", current, width, bias=bound["bias"]))
        if not last and bound["norm_layer"] is not None:
            elements.append(machine, block, machine.call(bound["norm_layer"], Arguments((width,))))
        if not last:
            activation = LibSymbol("torch.nn.ReLU") if bound["activation_layer"] == 0 else bound["activation_layer"]
            elements.append(machine, block, machine.call(activation, Arguments()))
        elements.append(machine, block, layer(machine, "Dropout", bound["dropout"]))
        current = width
    return block


CONVOLUTION: Final = (
    "in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=0, activation_layer=0, dilation=1, "
    "inplace=True, bias=None"
)


def _register_convolution(spatial: int) -> None:
    @handler(f"{OPS}.Conv{spatial}dNormActivation")
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """Convolution with "same" padding, norm, activation."""
        bound = given(CONVOLUTION, arguments)
        norm = LibSymbol(f"torch.nn.BatchNorm{spatial}d") if bound["norm_layer"] == 0 else bound["norm_layer"]
        activation = LibSymbol("torch.nn.ReLU") if bound["activation_layer"] == 0 else bound["activation_layer"]
        padding = _same_padding(bound["kernel_size"], bound["dilation"]) if bound["padding"] is None else bound["padding"]
        convolution = layer(
            machine,
            f"Conv{spatial}d",
            bound.get("in_channels"),
            bound.get("out_channels"),
            **{key: bound[key] for key in ("kernel_size", "stride", "groups", "dilation")},
            padding=padding,
        )
        parts = [convolution]
        parts += [] if norm is None else [machine.call(norm, Arguments((bound.get("out_channels"),)))]
        parts += [] if activation is None else [machine.call(activation, Arguments())]
        return elements.new(machine, LibSymbol("torch.nn.Sequential"), ((str(i), part) for i, part in enumerate(parts)))


def _same_padding(kernel: Value, dilation: Value) -> Value:
    kernel, dilation = _plain(kernel), _plain(dilation)
    if isinstance(kernel, int) and isinstance(dilation, int):
        return (kernel - 1) // 2 * dilation
    kernels = kernel if isinstance(kernel, tuple) else (kernel,)
    dilations = dilation if isinstance(dilation, tuple) else (dilation,) * len(kernels)
    if not is_axis_list(kernels) or not is_axis_list(dilations):
        return Unknown("dynamic-argument", "padding")
    return tuple((k - 1) // 2 * d for k, d in zip(kernels, dilations, strict=False))


def _plain(value: Value) -> Value:
    value = unwrap(value)
    if isinstance(value, ListVal):
        return tuple(value.items) if value.rest is None else value.rest
    return value


for _spatial in (2, 3):
    _register_convolution(_spatial)


@handler(f"{OPS}.SqueezeExcitation")
def squeeze_excitation(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``SqueezeExcitation(input_channels, squeeze_channels)``: two 1×1 convolutions on the pooled input scale it."""
    bound = given("input_channels, squeeze_channels, activation=0, scale_activation=0", arguments)
    block = InstanceVal(LibSymbol(f"{OPS}.SqueezeExcitation"), site=machine.site)
    for name, source, target in (("fc1", "input_channels", "squeeze_channels"), ("fc2", "squeeze_channels", "input_channels")):
        machine.setattr(block, name, layer(machine, "Conv2d", bound.get(source), bound.get(target), 1))
    return block


@handler(f"{OPS}.SqueezeExcitation.forward")
def scale(machine: Machine, block: Value, arguments: Arguments) -> Value:
    """The input times the scale of each channel."""
    x = arguments.args[0] if arguments.args else arguments.kwargs.get("input")
    pooled = machine.emit("adaptive_avg_pool", {"x": x, "output_size": 1, "spatial": 2}, framework="torch", spelled=OPS)
    for name in ("fc1", "fc2"):
        pooled = machine.call(machine.getattr(block, name), Arguments((pooled,)))
    return machine.emit("mul", {"x": pooled, "y": x}, framework="torch", spelled=OPS)


LIBRARY_BASES[f"{OPS}.SqueezeExcitation"] = (MODULE,)
