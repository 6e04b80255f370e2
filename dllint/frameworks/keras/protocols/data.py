"""Data: what ``keras.datasets`` loads, by the options of ``load_data``."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks.keras.datasets import DATASETS, Choice, Dataset
from dllint.frameworks.keras.protocols.formats import DEFAULT, data_format
from dllint.frameworks.keras.protocols.plain import argument, is_size
from dllint.frameworks.keras.protocols.stored import PIXELS, stored
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.ops.stored import OBJECT_ELEMENTS

#: The axes of images with channels.
_IMAGES: Final = 4
#: The places of the options of texts, and what they are if they are not given.
_NUM_WORDS: Final = 1
_SKIP_TOP: Final = (2, 0)
_MAXLEN: Final = 3
_OOV_CHAR: Final = {"imdb": (6, 2), "reuters": (7, 2)}
_INDEX_FROM: Final = {"imdb": (7, 3), "reuters": (8, 3)}
_TEST_SPLIT: Final = 0.2


def _dataset(name: str, data: Dataset) -> Handler:
    def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
        sets = (data,) if data.choice is None else _chosen(data.choice, arguments)
        classes = {each.classes for each in sets}
        loaded = replace(sets[0], classes=classes.pop() if len(classes) == 1 else 0)
        known = all(each.rows == loaded.rows for each in sets)
        rows = _rows(loaded, arguments) if known else (counted("rows", 1), counted("rows", 1))
        reach = _largest_word(name, data, arguments) if data.words else None
        return tuple(_part(machine, name, loaded, count, reach) for count in rows)

    return load


def _chosen(choice: Choice, arguments: Arguments) -> tuple[Dataset, ...]:
    """What an option chooses; all that it may choose, if its value is not known."""
    value = argument(arguments, choice.name, choice.position, next(iter(choice.sets)))
    found = choice.sets.get(value) if isinstance(value, str) else None
    return tuple(choice.sets.values()) if found is None else (found,)


def _rows(data: Dataset, arguments: Arguments) -> tuple[Dim, Dim]:
    """The rows of both parts. Texts of ``maxlen`` words and more are left out."""
    share = argument(arguments, "test_split", data.split, _TEST_SPLIT) if data.split else _TEST_SPLIT
    cut = data.words > 0 and argument(arguments, "maxlen", _MAXLEN) not in (None, 0)
    if cut or not isinstance(share, (int, float)) or not 0 <= share < 1:
        return counted("rows", 0), counted("rows", 0)
    if not data.split:
        return data.rows
    rows = sum(data.rows)
    first = int(rows * (1 - share))
    return first, rows - first


def _largest_word(name: str, data: Dataset, arguments: Arguments) -> Dim | None:
    """The largest number of a word in the texts, if ``num_words`` cuts off some and the other options leave it as it is."""
    words = argument(arguments, "num_words", _NUM_WORDS)
    if not is_size(words) or (isinstance(words, int) and not _OOV_CHAR[name][1] < words <= data.words):
        return None
    others = {"skip_top": _SKIP_TOP, "oov_char": _OOV_CHAR[name], "index_from": _INDEX_FROM[name]}
    if any(argument(arguments, option, place, default) != default for option, (place, default) in others.items()):
        return None
    return words - 1


def _part(machine: Machine, name: str, data: Dataset, rows: Dim, reach: Dim | None) -> tuple[Value, Value]:
    """The arrays of one split. ``reach`` is the largest number in texts."""
    spelled = f"keras.datasets.{name}.load_data"
    x_dtype = Unknown(OBJECT_ELEMENTS, name) if data.words else data.x_dtype
    x = stored(machine, spelled, _arranged(machine, (rows, *data.x)), x_dtype, PIXELS if data.x_dtype is UINT8 else None)
    if isinstance(x, TensorVal):
        x.reach = reach
    y = stored(machine, spelled, (rows, *data.y), data.y_dtype, (0, data.classes - 1) if data.classes else None)
    return x, y


def _arranged(machine: Machine, shape: tuple[Dim, ...]) -> Shape | Unknown:
    """The shape of images: those with channels are turned to the data format that is set when they are loaded."""
    if len(shape) < _IMAGES or (layout := data_format(machine)) == DEFAULT:
        return shape
    rows, *sides, channels = shape
    return layout if isinstance(layout, Unknown) else (rows, channels, *sides)


for _name, _data in DATASETS.items():
    handler(f"keras.datasets.{_name}.load_data")(_dataset(_name, _data))
