"""Labels: one-hot rows of ``to_categorical``, and what a folder's ``class_mode`` gives."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import counted, differs, same
from dllint.domains.dtype import INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import BATCH
from dllint.frameworks.keras.protocols.stored import stored
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

#: ``class_mode`` / ``label_mode`` → whether labels have a class axis, and how many classes the mode itself tells.
_LABELS: Final = {"categorical": (True, 0), "binary": (False, 2), "sparse": (False, 0), "int": (False, 0)}


def class_labels(machine: Machine, spelled: str, mode: Value, classes: Value, leading: Shape = (BATCH,)) -> Value:
    """Labels by mode, of a batch or one sample. One-hot rows are made by ``one_hot``, so that they can be recognised."""
    if not isinstance(mode, str) or mode not in _LABELS:
        return Unknown("no-argument", "labels")
    one_hot, known = _LABELS[mode]
    count = len(classes) if isinstance(classes, tuple) else None
    indices = stored(machine, spelled, leading, INT32)
    if isinstance(indices, TensorVal) and (known or count):
        indices.low, indices.high = 0, (count or known) - 1
    if not one_hot:
        return indices
    args = {"x": indices, "num_classes": counted("classes", 1) if count is None else count}
    return machine.emit("one_hot", args, framework="numpy", spelled=spelled)


@handler("keras.utils.to_categorical")
def to_categorical(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One-hot rows in floating point. A last axis of size 1 is dropped; where it may be 1, the number of axes is not known. The
    width is the largest label plus one."""
    labels = next(
        (plain(v) for v in (*arguments.args[:1], *(arguments.kwargs.get(k) for k in ("x", "y"))) if v is not None), None
    )
    classes = next((v for v in (argument(arguments, k, 1) for k in ("num_classes", "nb_classes")) if v is not None), None)
    if not isinstance(labels, TensorVal):
        labels = machine.emit("array", {"data": labels}, framework="numpy")
    if classes is None and isinstance(labels, TensorVal) and labels.high is not None:
        classes = int(labels.high) + 1
    shape = labels.shape if isinstance(labels, TensorVal) else Unknown("no-argument", "labels")
    if not isinstance(shape, Unknown) and len(shape) > 1 and not differs(shape[-1], 1):
        dropped = -1 if same(shape[-1], 1) else Unknown("unknown-size", "an axis that may be 1")
        labels = machine.emit("squeeze", {"x": labels, "dim": dropped}, framework="numpy", spelled="keras.utils.to_categorical")
    width = classes if is_size(classes) else counted("classes", 1)
    args = {"x": labels, "num_classes": width}
    encoded = machine.emit("one_hot", args, framework="numpy", spelled="keras.utils.to_categorical")
    args = {"x": encoded, "dtype": Unknown("release", "double precision since Keras 3, single before")}
    return machine.emit("cast", args, framework="numpy", spelled="keras.utils.to_categorical")
