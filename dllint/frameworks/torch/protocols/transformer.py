"""``nn.Transformer`` as a base class: its ``encoder`` and ``decoder`` stacks."""

from __future__ import annotations

from collections.abc import Callable

from dllint.frameworks.machine import PROPERTIES, Machine
from dllint.frameworks.registry import layer_row
from dllint.ir.values import InstanceVal, LayerConfig, LibSymbol, Value

TRANSFORMER = "torch.nn.Transformer"
_SHARED = ("d_model", "nhead", "batch_first")


def _stack(kind: str) -> Callable[[Machine, Value], Value]:
    """A getter of the stack named ``kind`` (Encoder, Decoder), made of layers configured as the transformer is."""

    def get(machine: Machine, transformer: Value) -> Value:
        if not isinstance(transformer, InstanceVal) or transformer.layer is None:
            return machine.unknown("unmodelled-attribute", f"{TRANSFORMER}.{kind.lower()}")
        config = {name: transformer.layer.args[name] for name in _SHARED if name in transformer.layer.args}
        symbol = LibSymbol(f"{TRANSFORMER}{kind}Layer")
        layer = InstanceVal(symbol, site=transformer.site, layer=LayerConfig(layer_row(symbol.name), config))
        return InstanceVal(LibSymbol(f"{TRANSFORMER}{kind}"), {"layer": layer, "norm": None}, site=transformer.site)

    return get


for _kind in ("Encoder", "Decoder"):
    PROPERTIES[f"{TRANSFORMER}.{_kind.lower()}"] = _stack(_kind)
