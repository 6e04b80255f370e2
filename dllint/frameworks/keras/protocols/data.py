"""Data: ``keras.datasets``, labels, padded sequences, tokenizers."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, opaque
from dllint.domains.dtype import FLOAT32, INT32, UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.keras.datasets import DATASETS, Dataset
from dllint.frameworks.keras.protocols.construct import library_class
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.stored import PIXELS, stored
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value
from dllint.ops.stored import OBJECT_ELEMENTS

TOKENIZER: Final = "keras.preprocessing.text.Tokenizer"


def _dataset(name: str, data: Dataset) -> Handler:
    def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
        free = "test_split" in arguments.kwargs
        rows = (opaque("rows", 1), opaque("rows", 1)) if free else (data.x[0], data.test)
        return tuple(_part(machine, name, data, count) for count in rows)

    return load


def _part(machine: Machine, name: str, data: Dataset, rows: Dim) -> tuple[Value, Value]:
    """The arrays of one split. Texts are arrays of lists: what an element is, is not known."""
    spelled = f"keras.datasets.{name}.load_data"
    x_dtype = Unknown(OBJECT_ELEMENTS, name) if data.ragged else data.x_dtype
    x = stored(machine, spelled, (rows, *data.x[1:]), x_dtype, PIXELS if data.x_dtype is UINT8 else None)
    y = stored(machine, spelled, (rows, *data.y[1:]), data.y_dtype, (0, data.classes - 1) if data.classes else None)
    return x, y


for _name, _data in DATASETS.items():
    handler(f"keras.datasets.{_name}.load_data")(_dataset(_name, _data))


@handler("keras.utils.to_categorical")
def to_categorical(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One-hot rows in floating point; a trailing axis of size 1 is dropped. The width is the largest label plus one."""
    labels = next(
        (plain(v) for v in (*arguments.args[:1], *(arguments.kwargs.get(k) for k in ("x", "y"))) if v is not None), None
    )
    classes = next((v for v in (argument(arguments, k, 1) for k in ("num_classes", "nb_classes")) if v is not None), None)
    if not isinstance(labels, TensorVal):
        labels = machine.emit("array", {"data": labels}, framework="numpy")
    if classes is None and isinstance(labels, TensorVal) and labels.high is not None:
        classes = int(labels.high) + 1
    shape = labels.shape if isinstance(labels, TensorVal) else Unknown("no-argument", "labels")
    if not isinstance(shape, Unknown) and len(shape) > 1 and shape[-1] == 1:
        labels = machine.emit("squeeze", {"x": labels, "dim": -1}, framework="numpy", spelled="keras.utils.to_categorical")
    width = classes if is_size(classes) else opaque("classes", 1)
    args = {"x": labels, "num_classes": width}
    encoded = machine.emit("one_hot", args, framework="numpy", spelled="keras.utils.to_categorical")
    return machine.emit("cast", {"x": encoded, "dtype": FLOAT32}, framework="numpy", spelled="keras.utils.to_categorical")


@handler("keras.utils.pad_sequences")
def pad_sequences(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(number of sequences, ``maxlen``) integers; the number is the length of an array or list given."""
    sequences, length = argument(arguments, "sequences", 0), argument(arguments, "maxlen", 1)
    rows = (
        sequences.shape[0]
        if isinstance(sequences, TensorVal) and not isinstance(sequences.shape, Unknown)
        else opaque("rows", 1)
    )
    if isinstance(sequences, tuple):
        rows = len(sequences)
    type_ = TensorType((rows, length if is_size(length) else opaque("length", 1)), INT32)
    return machine.tensor(type_, framework="numpy", name="pad_sequences")


def construct_tokenizer(machine: Machine, tokenizer: Value, arguments: Arguments) -> Value:
    """``Tokenizer(num_words=None)``."""
    machine.write(tokenizer.state, "num_words", argument(arguments, "num_words", 0))
    return None


library_class(TOKENIZER, construct_tokenizer)


@handler(f"{TOKENIZER}.texts_to_matrix")
def texts_to_matrix(machine: Machine, tokenizer: Value, arguments: Arguments) -> Value:
    """(texts, ``num_words``) values."""
    texts, width = argument(arguments, "texts", 0), tokenizer.state.get("num_words")
    rows = len(texts) if isinstance(texts, tuple) else opaque("rows", 1)
    return machine.tensor(
        TensorType((rows, width if is_size(width) else opaque("words", 1)), FLOAT32), framework="numpy", name="texts"
    )
