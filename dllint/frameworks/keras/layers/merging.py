"""Layers and functions that merge a list of tensors.

The functions (``keras.layers.concatenate``) and the layers mean the same; ``MODES`` are the modes of Keras 1's ``merge``.
"""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

#: Layer name → binary canonical operation applied from left to right.
ELEMENTWISE: Final = {
    "Add": "add",
    "Subtract": "sub",
    "Multiply": "mul",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "Average": "add",
}

#: ``keras.layers.merge(inputs, mode=…)`` of Keras 1 → layer.
MODES: Final = {"sum": "Add", "mul": "Multiply", "concat": "Concatenate", "ave": "Average", "max": "Maximum", "dot": "Dot"}

ROWS: Final = (
    *(row(name, op, call="inputs") for name, op in ELEMENTWISE.items()),
    row("Concatenate", "cat", {"axis": "dim"}, call="inputs"),
    row("Dot", "batch_dot", call="inputs"),
)
