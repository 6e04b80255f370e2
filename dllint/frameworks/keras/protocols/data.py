"""Data: ``keras.datasets``, labels, padded sequences, tokenizers."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, opaque
from dllint.domains.dtype import UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks.keras.datasets import DATASETS, Dataset
from dllint.frameworks.keras.protocols.formats import DEFAULT, data_format
from dllint.frameworks.keras.protocols.plain import argument, is_size
from dllint.frameworks.keras.protocols.stored import PIXELS, stored
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.ops.stored import OBJECT_ELEMENTS

#: The axes of images with channels.
_IMAGES: Final = 4
TOKENIZER: Final = "keras.preprocessing.text.Tokenizer"


def _dataset(name: str, data: Dataset) -> Handler:
    def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
        free = "test_split" in arguments.kwargs
        rows = (opaque("rows", 1), opaque("rows", 1)) if free else (data.x[0], data.test)
        words = argument(arguments, "num_words", 1) if data.ragged else None
        return tuple(_part(machine, name, data, count, words) for count in rows)

    return load


def _part(machine: Machine, name: str, data: Dataset, rows: Dim, words: Value) -> tuple[Value, Value]:
    """The arrays of one split. Texts are arrays of lists of numbers below ``words``."""
    spelled = f"keras.datasets.{name}.load_data"
    x_dtype = Unknown(OBJECT_ELEMENTS, name) if data.ragged else data.x_dtype
    x = stored(machine, spelled, _arranged(machine, (rows, *data.x[1:])), x_dtype, PIXELS if data.x_dtype is UINT8 else None)
    if isinstance(x, TensorVal) and is_size(words):
        x.reach = words - 1
    y = stored(machine, spelled, (rows, *data.y[1:]), data.y_dtype, (0, data.classes - 1) if data.classes else None)
    return x, y


def _arranged(machine: Machine, shape: tuple[Dim, ...]) -> Shape | Unknown:
    """The shape of images: those with channels are turned to the data format that is set when they are loaded."""
    if len(shape) < _IMAGES or (layout := data_format(machine)) == DEFAULT:
        return shape
    rows, *sides, channels = shape
    return layout if isinstance(layout, Unknown) else (rows, channels, *sides)


for _name, _data in DATASETS.items():
    handler(f"keras.datasets.{_name}.load_data")(_dataset(_name, _data))
