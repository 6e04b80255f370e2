"""``tf.nn.embedding_lookup``: rows of a table, or slices of any tensor along its first axis."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import plain
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

#: The second parameter in TensorFlow 1 is followed by its way to divide the table among several variables.
_NAMES: Final = "params=None, ids=None, *rest, **options"
_SPELLED: Final = "tensorflow.nn.embedding_lookup"
_MATRIX: Final = 2


@handler(_SPELLED)
def embedding_lookup(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``embedding_lookup(params, ids)``: the shape of ``ids`` takes the place of the first axis of ``params``. A table that
    is divided among several tensors is not followed."""
    asked = given(_NAMES, arguments)
    table, ids = plain(asked["params"]), plain(asked["ids"])
    if isinstance(table, tuple) and len(table) == 1:
        (table,) = table
    if not isinstance(table, TensorVal):
        return machine.unknown("no-tensor", "params")
    if table.type.rank == _MATRIX:
        return machine.emit("embedding", {"x": ids, "weight": table}, framework="tensorflow", spelled=_SPELLED)
    return machine.emit("take", {"x": table, "index": ids, "dim": 0}, framework="tensorflow", spelled=_SPELLED)
