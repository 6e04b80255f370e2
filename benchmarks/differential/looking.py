"""Values of the frameworks as plain data (:mod:`benchmarks.differential.seen`)."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from benchmarks.differential.seen import Seen, SeenNumber, SeenOther, SeenSequence, SeenTensor, SeenType

#: So many elements are written out, and so many items of a sequence looked at.
_ELEMENTS: Final = 64
_ITEMS: Final = 40
_PLAIN: Final = (bool, int, float, complex, str, type(None))


def look(value: Any) -> Seen:
    """What is to be seen of a value."""
    if type(value) in _PLAIN:
        return SeenNumber(value)
    if isinstance(value, np.ndarray | np.generic):
        return _array(value)
    for library, of_library in _LIBRARIES.items():
        if library in sys.modules and (seen := of_library(sys.modules[library], value)) is not None:
            return seen
    if isinstance(value, np.dtype):
        return SeenType(value.name)
    if isinstance(value, type) and issubclass(value, np.generic):
        return SeenType(np.dtype(value).name)
    if isinstance(value, tuple | list):
        return SeenSequence(tuple(map(look, value[:_ITEMS]))) if len(value) <= _ITEMS else SeenOther("long sequence")
    return SeenOther(type(value).__name__)


def _torch(torch: Any, value: Any) -> Seen | None:
    if isinstance(value, torch.dtype):
        return SeenType(str(value).removeprefix("torch."))
    if isinstance(value, torch.Size):
        return SeenSequence(tuple(map(SeenNumber, value)))
    if not isinstance(value, torch.Tensor):
        return None
    if value.layout is not torch.strided or value.is_quantized or value.is_nested or value.is_meta:
        return SeenOther("tensor of another layout")
    dtype = str(value.dtype).removeprefix("torch.")
    return SeenTensor("torch", tuple(value.shape), dtype, tuple(value.stride()), *_numbers(_torch_elements(torch, value)))


def _torch_elements(torch: Any, value: Any) -> np.ndarray:
    plain = value.detach().resolve_conj().resolve_neg()
    if plain.dtype in (torch.bfloat16, torch.float16):
        plain = plain.double()
    try:
        return plain.numpy()
    except (TypeError, RuntimeError):  # types that numpy lacks
        return np.empty(0)


def _tensorflow(tf: Any, value: Any) -> Seen | None:
    if isinstance(value, tf.dtypes.DType):
        return SeenType(value.name)
    if isinstance(value, tf.TensorShape):
        return SeenOther("TensorShape") if value.rank is None else SeenSequence(tuple(map(SeenNumber, value.as_list())))
    if not isinstance(value, tf.Tensor | tf.Variable):
        return None
    if value.shape.rank is None or not hasattr(value, "numpy"):
        return SeenOther("tensor of unknown rank")
    elements = np.asarray(value.numpy())
    if elements.dtype.kind not in "biufc":
        elements = elements.astype(np.float64) if value.dtype.name == "bfloat16" else np.empty(0)
    return SeenTensor("tensorflow", tuple(value.shape.as_list()), value.dtype.name, None, *_numbers(elements))


def _keras(keras: Any, value: Any) -> Seen | None:
    if isinstance(value, keras.KerasTensor):
        return SeenTensor("keras", tuple(value.shape), str(value.dtype))
    if isinstance(value, keras.Variable):
        return look(value.value)
    return None


_LIBRARIES: Final[dict[str, Callable[[Any, Any], Seen | None]]] = {"torch": _torch, "tensorflow": _tensorflow, "keras": _keras}


def _array(value: np.ndarray | np.generic) -> Seen:
    array = np.asarray(value)
    if array.dtype.kind not in "biufcUS":
        return SeenOther(f"array of {array.dtype.name}")
    name = "string" if array.dtype.kind in "US" else array.dtype.name
    return SeenTensor("numpy", array.shape, name, None, *_numbers(array if array.dtype.kind in "biufc" else np.empty(0)))


def _numbers(elements: np.ndarray) -> tuple[float | None, float | None, bool, bool, tuple[Any, ...] | None]:
    """The extremes, whether 0 and NaN are among the elements, and the elements themselves."""
    data = tuple(elements.ravel().tolist()) if elements.size <= _ELEMENTS else None
    if elements.size == 0:
        return None, None, False, False, data
    if elements.dtype.kind == "c":
        return None, None, False, bool(np.isnan(elements).any()), data
    low, high = elements.min().item(), elements.max().item()
    if isinstance(low, float) and math.isnan(low):
        return None, None, False, True, data
    return low, high, bool((elements == 0).any()), False, data
