"""Indexing, gathering, masking and triangles: ``torch.*`` and tensor methods."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

RENAME: Final = {"src": "src", "source": "src", "mask": "mask", "indices": "index", "sorted_sequence": "x", "values": "y"}
NAMES: Final = {
    "gather": "gather", "scatter": "scatter", "scatter_add": "scatter_add", "scatter_reduce": "scatter_reduce",
    "index_select": "index_select", "index_add": "index_add", "index_fill": "index_fill", "index_copy": "index_copy",
    "masked_select": "masked_select", "masked_fill": "masked_fill", "masked_scatter": "masked_scatter", "take": "take",
    "take_along_dim": "take_along_dim", "tril": "tril", "triu": "triu", "diag": "diag", "diagonal": "diagonal",
    "diag_embed": "diag_embed", "trace": "trace", "nonzero": "nonzero argwhere", "select": "select",
    "narrow": "narrow", "multinomial": "multinomial", "bernoulli": "bernoulli",
}  # fmt: skip
PUT: Final = {"indices": "index", "values": "value"}
ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", NAMES, RENAME),
    FunctionRow("torch.put", "put", "torch"),
    FunctionRow("torch.index_put", "index_put", "torch", PUT),
    FunctionRow("torch.searchsorted", "searchsorted", "torch", {"sorted_sequence": "x", "input": "y"}),
    FunctionRow("torch.bucketize", "searchsorted", "torch", {"boundaries": "x", "input": "y"}),
    FunctionRow("torch.isin", "isin", "torch", {"elements": "x", "test_elements": "y"}),
    FunctionRow("torch.nn.functional.one_hot", "one_hot", "torch", {"input": "x"}, params="input, num_classes=-1"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", NAMES, RENAME),
    FunctionRow("torch.Tensor.put", "put", "torch"),
    FunctionRow("torch.Tensor.index_put", "index_put", "torch", PUT),
)
IN_PLACE: Final = {
    name: name
    for name in ("scatter", "scatter_add", "scatter_reduce", "index_add", "index_fill", "index_copy", "masked_fill",
    "masked_scatter", "put",
                 "tril", "triu", "bernoulli", "index_put")
}  # fmt: skip
