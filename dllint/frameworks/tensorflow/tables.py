"""The tables of TensorFlow as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow
from dllint.frameworks.tensorflow import (
    algebra,
    cells,
    contrib,
    control,
    creation,
    datasets,
    embeddings,
    functions,
    images,
    input_queues,
    layers,
    losses,
    neural,
    products,
    quiet,
    shapes,
    signatures,
    spectral,
    strings,
    training,
    tutorials,
    variables,
)
from dllint.frameworks.tensorflow.names import canonical

__all__ = ["FUNCTIONS", "PROTOCOLS", "RENAMES", "canonical"]

FUNCTIONS: Final[dict[str, FunctionRow]] = {
    row.name: row for table in (functions, creation, algebra, images, neural, spectral) for row in table.ROWS
}
#: Modules whose import registers their handlers.
PROTOCOLS: Final = (
    cells,
    contrib,
    control,
    datasets,
    embeddings,
    input_queues,
    layers,
    losses,
    products,
    quiet,
    shapes,
    signatures,
    strings,
    training,
    tutorials,
    variables,
)
#: Library parameter → canonical parameter, in every function of TensorFlow.
RENAMES: Final = {
    "axis": "dim", "reduction_indices": "dim", "dimension": "dim", "squeeze_dims": "dim", "keepdims": "keepdim",
    "keep_dims": "keepdim", "features": "x", "logits": "x", "input": "x", "input_tensor": "x", "tensor": "x", "value": "x",
    "input_": "x", "rate": "p", "output_type": "dtype", "scalar": "y",
}  # fmt: skip
