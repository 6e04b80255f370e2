"""Data sets of the files in a folder: ``image_dataset_from_directory``, ``text_dataset_from_directory``."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import FLOAT32, STRING
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.frameworks import kinds
from dllint.frameworks.keras.protocols.images import batches, channels_of
from dllint.frameworks.keras.protocols.labels import class_labels
from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.keras.protocols.shapes import BATCH
from dllint.frameworks.keras.protocols.stored import PIXELS, stored
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, InstanceVal, ListVal, Value

_IMAGES: Final = "keras.utils.image_dataset_from_directory"
_TEXTS: Final = "keras.utils.text_dataset_from_directory"
#: Parameters by position; all further ones are given by name.
_SHARED: Final = ("directory", "labels", "label_mode", "class_names")
_IMAGE_PARAMETERS: Final = (*_SHARED, "color_mode", "batch_size", "image_size", "shuffle", "seed", "validation_split", "subset")
_TEXT_PARAMETERS: Final = (*_SHARED, "batch_size", "max_length", "shuffle", "seed", "validation_split", "subset")


@handler(_IMAGES)
def image_dataset(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Images of ``image_size`` (256×256, RGB by default) and labels by ``label_mode``."""
    given = _read(arguments, _IMAGE_PARAMETERS)
    leading, shape = _leading(given), _image_shape(given, argument(arguments, "data_format", len(_IMAGE_PARAMETERS) + 4))
    if isinstance(shape, Unknown):
        return _dataset(machine, _IMAGES, given, shape)
    return _dataset(machine, _IMAGES, given, stored(machine, _IMAGES, (*leading, *shape), FLOAT32, PIXELS))


@handler(_TEXTS)
def text_dataset(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Texts and labels by ``label_mode``."""
    given = _read(arguments, _TEXT_PARAMETERS)
    return _dataset(machine, _TEXTS, given, stored(machine, _TEXTS, _leading(given), STRING))


_DEFAULTS: Final[dict[str, Value]] = {
    "labels": "inferred", "label_mode": "int", "color_mode": "rgb", "batch_size": 32, "image_size": (256, 256),
}  # fmt: skip


def _read(arguments: Arguments, parameters: tuple[str, ...]) -> dict[str, Value]:
    return {name: argument(arguments, name, place, _DEFAULTS.get(name)) for place, name in enumerate(parameters)}


def _leading(given: dict[str, Value]) -> Shape:
    """The axis of the batch; without a batch size, elements are single files."""
    return () if given["batch_size"] is None else (BATCH,)


def _image_shape(given: dict[str, Value], data_format: Value) -> Shape | Unknown:
    sizes, channels = kinds.sizes(given["image_size"]), channels_of(given["color_mode"])
    if sizes is None or len(sizes) != 2 or channels is None or data_format not in (None, "channels_last", "channels_first"):
        return Unknown("no-argument", "image_size")
    return (channels, *sizes) if data_format == "channels_first" else (*sizes, channels)


def _dataset(machine: Machine, spelled: str, given: dict[str, Value], files: Value) -> Value:
    """The data set with its labels, or both subsets."""
    if given["subset"] == "both":
        return ListVal([_labelled(machine, spelled, given, files) for _ in range(2)])
    return _labelled(machine, spelled, given, files)


def _labelled(machine: Machine, spelled: str, given: dict[str, Value], files: Value) -> InstanceVal:
    mode = given["label_mode"]
    if mode is None or given["labels"] is None:
        return batches(machine, files)
    labels = class_labels(machine, spelled, mode, given["class_names"], _leading(given))
    if mode == "binary":
        labels = machine.emit("unsqueeze", {"x": labels, "dim": -1}, framework="tensorflow", spelled=spelled)
        labels = machine.emit("cast", {"x": labels, "dtype": FLOAT32}, framework="tensorflow", spelled=spelled)
    return batches(machine, files, labels)
