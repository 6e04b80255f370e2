"""Rows of functions that make tensors: filled, random, ranges."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

ROWS: Final[tuple[FunctionRow, ...]] = (
    FunctionRow("tensorflow.zeros", "zeros", "tensorflow"),
    FunctionRow("tensorflow.ones", "ones", "tensorflow"),
    FunctionRow("tensorflow.fill", "full", "tensorflow", {"dims": "shape", "value": "fill_value"}),
    FunctionRow("tensorflow.zeros_like", "zeros_like", "tensorflow"),
    FunctionRow("tensorflow.ones_like", "ones_like", "tensorflow"),
    FunctionRow("tensorflow.range", "arange", "tensorflow", {"limit": "end", "delta": "step"}),
    FunctionRow("tensorflow.linspace", "linspace", "tensorflow", {"stop": "end", "num": "steps"}),
    FunctionRow("tensorflow.eye", "eye", "tensorflow", {"num_rows": "n", "num_columns": "m"}),
    FunctionRow("tensorflow.convert_to_tensor", "array", "tensorflow", {"value": "data"}),
    *(FunctionRow(f"tensorflow.random.{name}", "randn", "tensorflow") for name in ("normal", "truncated_normal")),
    *(FunctionRow(f"tensorflow.random.stateless_{name}", "randn", "tensorflow") for name in ("normal", "truncated_normal")),
    *(FunctionRow(f"tensorflow.random.{name}", "rand", "tensorflow") for name in ("uniform", "stateless_uniform")),
    FunctionRow("tensorflow.random.categorical", "multinomial", "tensorflow", {"logits": "x"}),
    FunctionRow("tensorflow.multinomial", "multinomial", "tensorflow", {"logits": "x"}),
    FunctionRow("tensorflow.random.multinomial", "multinomial", "tensorflow", {"logits": "x"}),
)
