"""Batches of training steps."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from keras import ops, tree

from dllint.diagnose.probes.keras.columns import Columns
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.revealing import revealing_columns
from dllint.diagnose.probes.tensor_numbers import stats_of_array, thinned
from dllint.diagnose.records import BatchRecord, BatchTensor

_MOST_TENSORS: Final = 8
_MOST_BYTES: Final = 1 << 16
_MOST_CLASSES: Final = 1000
#: What ``fit`` makes of a batch: inputs, targets, weights of samples.
_ROLES: Final = ("input", "target", "unknown")


def record_step(data: Any, columns: Columns) -> BatchRecord | None:
    """The batch of a step as a trainer hands it to ``train_step``."""
    parts = data if isinstance(data, tuple | list) else (data,)
    named = zip(_ROLES, ("x", "y", "sample_weight"), parts, strict=False)
    return _record(((role, name, part) for role, name, part in named), columns)


def record_inputs(inputs: tuple[Any, ...], columns: Columns) -> BatchRecord | None:
    """The batch of a program that has a loop of its own: what its model was called with."""
    return _record(((_ROLES[0], str(index), part) for index, part in enumerate(inputs)), columns)


def _record(parts: Iterator[tuple[str, str, Any]], columns: Columns) -> BatchRecord | None:
    tensors = [(role, name, tensor) for role, name, part in parts for name, tensor in _named(name, part)][:_MOST_TENSORS]
    if not tensors:
        return None
    fingerprint, described = 0, []
    arrays = [(role, name, host_array(tensor)) for role, name, tensor in tensors]
    for role, name, array in arrays:
        fingerprint = zlib.crc32(leading_bytes(array), fingerprint)
        stats = stats_of_array(thinned(array)) if array.size and array.dtype.kind in "fiub" else None
        features = columns.add(name, array) if role == "input" else None
        classes = classes_of(array) if role == "target" else {}
        described.append(BatchTensor(name, role, array.shape, str(array.dtype), stats, classes, features))
    given = {role: [array for other, _, array in arrays if other == role] for role in _ROLES[:2]}
    is_pair = all(len(found) == 1 for found in given.values())
    revealing = revealing_columns(given["input"][0], given["target"][0]) if is_pair else ()
    return BatchRecord(f"{fingerprint:08x}", tuple(described), revealing=revealing)


def _named(name: str, part: Any) -> Iterator[tuple[str, Any]]:
    """The tensors of a part with their names: keys and positions, joined by dots."""
    for path, tensor in tree.flatten_with_path(part):
        if tensor is not None and (ops.is_tensor(tensor) or isinstance(tensor, np.ndarray)):
            yield ".".join([name, *(str(step) for step in path)]), tensor


def classes_of(array: np.ndarray[Any, Any]) -> dict[str, int]:
    """How often each class occurs in labels: whole numbers, be they stored as floats, or rows with a single one."""
    if not array.size or array.dtype.kind not in "fiub":
        return {}
    labels = array.reshape(-1) if array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 1) else _hot(array)
    if labels is None or not np.isfinite(labels).all() or (labels != np.round(labels)).any():
        return {}
    values, counts = np.unique(labels, return_counts=True)
    # Floats that happen to be whole are numbers to be predicted, unless there are few of them.
    if len(values) > (_MOST_CLASSES if array.dtype.kind != "f" else 2):
        return {}
    return {str(int(value)): int(count) for value, count in zip(values, counts, strict=True)}


def _hot(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """The classes of one-hot rows."""
    if array.ndim != 2 or not np.isin(array, (0, 1)).all() or (array.sum(axis=1) != 1).any():
        return None
    return np.asarray(array.argmax(axis=1))


def leading_bytes(array: np.ndarray[Any, Any]) -> bytes:
    """Shape and the leading bytes of the contents."""
    flat = array.reshape(-1)[: _MOST_BYTES // max(array.itemsize, 1)]
    return str(array.shape).encode() + np.ascontiguousarray(flat).tobytes()
