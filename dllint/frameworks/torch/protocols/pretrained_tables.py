"""``Embedding.from_pretrained`` and ``EmbeddingBag.from_pretrained``: layers made of a table that there is already."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

_PARAMETERS: Final = {
    "torch.nn.Embedding": "embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
    "sparse=False",
    "torch.nn.EmbeddingBag": "embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', "
    "sparse=False, include_last_offset=False, padding_idx=None",
}


def _register(name: str, parameters: str) -> None:
    @handler(f"{name}.from_pretrained")
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """``from_pretrained(embeddings, freeze=True, …)``: a layer with the rows and columns of ``embeddings``, which are left
        out of training where ``freeze`` is true."""
        bound = given(parameters, arguments)
        table, freeze = bound.pop("embeddings", None), bound.pop("freeze")
        shape = table.shape if isinstance(table, TensorVal) else None
        sizes: tuple[Value, ...] = tuple(Unknown("no-argument", text) for text in ("rows", "columns"))
        if isinstance(shape, tuple) and len(shape) == len(sizes):
            sizes = shape
        layer = machine.call(LibSymbol(name), Arguments(sizes, bound))
        if isinstance(layer, InstanceVal) and freeze is not False:
            layer.handed = True  # the optimizer need not know it
        return layer


for _name, _text in _PARAMETERS.items():
    _register(_name, _text)
