"""``TransformerEncoder`` and ``TransformerDecoder``: a layer repeated, then a norm."""

from __future__ import annotations

from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols.module_tree import MODULE
from dllint.ir.events import Construction
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

KINDS = {
    "torch.nn.TransformerEncoder": "encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True",
    "torch.nn.TransformerDecoder": "decoder_layer, num_layers, norm=None",
}
LIBRARY_BASES.update(dict.fromkeys(KINDS, (MODULE,)))


def _register(name: str, signature: str) -> None:
    layer = signature.partition(",")[0]

    @handler(f"{name}.__init__", on=InstanceVal)
    def initialize(machine: Machine, stack: InstanceVal, arguments: Arguments) -> Value:
        bound = given(signature, arguments)
        machine.setattr(stack, "layer", bound.get(layer))
        machine.setattr(stack, "norm", bound["norm"])
        machine.write(stack.state, "num_layers", bound.get("num_layers"))
        return None

    @handler(name)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        stack = InstanceVal(LibSymbol(name), site=machine.site)
        initialize(machine, stack, arguments)
        machine.event(Construction, instance=stack, args=arguments.args, nodes=arguments.nodes)
        return stack


for _name, _signature in KINDS.items():
    _register(_name, _signature)


@handler(*(f"{name}.forward" for name in KINDS), on=InstanceVal)
def forward(machine: Machine, stack: InstanceVal, arguments: Arguments) -> Value:
    """One layer keeps the shape, so that one stands for all of them; masks are not passed on."""
    base = machine.library_base(stack.cls)
    positional = arguments.args[:2] if base is not None and base.name.endswith("Decoder") else arguments.args[:1]
    kwargs = {k: v for k, v in arguments.kwargs.items() if k in ("src", "tgt", "memory")}
    result = machine.call(machine.getattr(stack, "layer"), Arguments(positional, kwargs))
    norm = machine.getattr(stack, "norm")
    return result if norm is None else machine.call(norm, Arguments((result,)))
