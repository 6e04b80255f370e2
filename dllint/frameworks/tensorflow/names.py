"""One canonical name for the spellings of a TensorFlow 2 function."""

from __future__ import annotations

from typing import Final

#: Aliases whose canonical home is another module.
HOMES: Final = {
    "tensorflow.compat.v2": "tensorflow",
    "tensorflow.linalg.einsum": "tensorflow.einsum",
    "tensorflow.linalg.matmul": "tensorflow.matmul",
    "tensorflow.python.framework.ops.convert_to_tensor": "tensorflow.convert_to_tensor",
}


def canonical(name: str) -> str | None:
    """The canonical name of a TensorFlow name, ``None`` if it has no other."""
    if name in HOMES:
        return HOMES[name]
    prefix = "tensorflow.compat.v2."
    return f"tensorflow.{name[len(prefix) :]}" if name.startswith(prefix) and not name.startswith(f"{prefix}keras") else None
