"""Data: ``keras.datasets``, labels, padded sequences, image generators and data sets read from folders."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import opaque
from dllint.domains.dtype import FLOAT32, INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.keras.datasets import DATASETS, Dataset
from dllint.frameworks.keras.protocols.construct import library_class
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import BATCH, one_batch
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

GENERATOR: Final = "keras.preprocessing.image.ImageDataGenerator"
DATASET: Final = "tensorflow.data.Dataset"
TOKENIZER: Final = "keras.preprocessing.text.Tokenizer"


def _dataset(name: str, data: Dataset) -> Handler:
    def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
        def part(rows: int) -> tuple[TensorVal, TensorVal]:
            shape = (rows, *data.x[1:])
            x = machine.tensor(TensorType(shape, data.x_dtype), framework="numpy", name=f"{name}.x")
            y = machine.tensor(TensorType((rows, *data.y[1:]), data.y_dtype), framework="numpy", name=f"{name}.y")
            if data.classes:
                y.low, y.high = 0, data.classes - 1
            if data.x_dtype.name == "uint8":
                x.low, x.high = 0, 255
            return x, y

        both = part(data.x[0]), part(data.test)
        return tuple(map(_free, both)) if "test_split" in arguments.kwargs else both

    return load


def _free(pair: tuple[TensorVal, TensorVal]) -> tuple[TensorVal, TensorVal]:
    rows = opaque("rows", 1)
    for value in pair:
        if not isinstance(value.type.shape, Unknown):
            value.type = value.type.with_shape((rows, *value.type.shape[1:]))
    return pair


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


def batches(machine: Machine, *element: Value) -> Value:
    """A data set whose elements are batches of ``element``."""
    out = InstanceVal(LibSymbol(DATASET), site=machine.site)
    out.state["element"] = element
    return out


def _images(machine: Machine, size: Value, channels: int) -> Value:
    if not (isinstance(size, tuple) and len(size) == 2 and all(map(is_size, size))):
        return Unknown("no-argument", "image_size")
    return machine.tensor(TensorType((BATCH, *size, channels), FLOAT32), framework="numpy", name="images")


#: ``class_mode`` / ``label_mode`` → whether labels have a class axis.
_ENCODED: Final = {"categorical": True, "binary": False, "sparse": False, "int": False}


def _labels(machine: Machine, mode: Value) -> Value:
    if mode not in _ENCODED:
        return Unknown("no-argument", "labels")
    shape = (BATCH, opaque("classes", 1)) if _ENCODED[mode] else (BATCH,)
    return machine.tensor(TensorType(shape, FLOAT32 if mode != "int" else INT32), framework="numpy", name=f"{mode} labels")


def construct_generator(machine: Machine, generator: Value, arguments: Arguments) -> Value:
    """``ImageDataGenerator(...)``: augmentations do not change shapes."""
    return None


library_class(GENERATOR, construct_generator)


@handler(f"{GENERATOR}.flow")
def flow(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``flow(x, y)``: batches of the arrays."""
    x, y = argument(arguments, "x", 0), argument(arguments, "y", 1)
    return batches(machine, *(_batch(machine, v) for v in (x, y)))


def _batch(machine: Machine, value: Value) -> Value:
    if not isinstance(value, TensorVal):
        return value
    out = machine.tensor(one_batch(value.type), framework="numpy", name=value.name)
    out.producer = value.producer
    return out


@handler(f"{GENERATOR}.flow_from_directory", f"{GENERATOR}.flow_from_dataframe")
def flow_from_directory(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Batches of images of ``target_size`` (256×256, RGB by default) and labels by ``class_mode``."""
    size = plain(arguments.kwargs.get("target_size", arguments.args[1] if len(arguments.args) > 1 else (256, 256)))
    channels = 1 if plain(arguments.kwargs.get("color_mode")) == "grayscale" else 3
    mode = plain(arguments.kwargs.get("class_mode", "categorical"))
    return batches(machine, _images(machine, size, channels), _labels(machine, mode))


@handler("keras.utils.image_dataset_from_directory")
def image_dataset(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Batches of images of ``image_size`` (256×256, RGB by default) and labels by ``label_mode``."""
    channels = {"grayscale": 1, "rgba": 4}.get(str(plain(arguments.kwargs.get("color_mode"))), 3)
    size = plain(arguments.kwargs.get("image_size", (256, 256)))
    return batches(
        machine, _images(machine, size, channels), _labels(machine, plain(arguments.kwargs.get("label_mode", "int")))
    )


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


@handler("keras.utils.img_to_array")
def img_to_array(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(height, width, channels) of the image given, of a size that ``load_img(target_size=…)`` may have told."""
    image = argument(arguments, "img", 0)
    size = image.state.get("size") if isinstance(image, InstanceVal) else None
    spatial = (
        size if isinstance(size, tuple) and len(size) == 2 and all(map(is_size, size)) else (opaque("H", 1), opaque("W", 1))
    )
    channels = image.state.get("channels", 3) if isinstance(image, InstanceVal) else opaque("C", 1)
    return machine.tensor(TensorType((*spatial, channels), FLOAT32), framework="numpy", name="image")


@handler("keras.utils.load_img")
def load_img(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A picture; ``target_size`` and ``color_mode`` tell its size and channels."""
    image = InstanceVal(LibSymbol("PIL.Image.Image"), site=machine.site)
    image.state["size"] = plain(arguments.kwargs.get("target_size"))
    image.state["channels"] = {"grayscale": 1, "rgba": 4}.get(str(plain(arguments.kwargs.get("color_mode"))), 3)
    return image
