"""Files that hold arrays, models or pictures, by their form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from dllint.source.data.archives import content, npz
from dllint.source.data.formats import from_json
from dllint.source.data.hdf5 import attribute, hdf5
from dllint.source.data.held import Held, held
from dllint.source.data.pickled import checkpoint
from dllint.source.data.pictures import picture_head
from dllint.source.data.plain import UnreadableError
from dllint.source.data.tensors import safetensors
from dllint.source.data.window import Window, window

#: So much of a picture is looked at for its sizes.
_PICTURE_BYTES: Final = 256 * 2**10
_LARGEST_MODEL: Final = 2**20
_CONFIG: Final = "model_config"


def _picture(file: Window) -> Held:
    found = picture_head(file.read(min(_PICTURE_BYTES, file.size)))
    if found is None:
        raise UnreadableError("no picture of a known format")
    return found


def _model(file: Window) -> Held:
    """The configuration of a Keras model: ``config.json`` in a ``.keras`` archive, an attribute in HDF5."""
    is_archive = file.at(0, 2) == b"PK"
    text = content(file, "config.json", _LARGEST_MODEL).decode("utf-8", "replace") if is_archive else attribute(file, _CONFIG)
    if text is None:
        raise UnreadableError("weights alone")
    return held(from_json(text))


#: The reader of each form.
READERS: Final[dict[str, Callable[[Window], Held]]] = {
    "npz": npz,
    "safetensors": safetensors,
    "hdf5": hdf5,
    "checkpoint": checkpoint,
    "picture": _picture,
    "model": _model,
}


def read(path: Path | str, form: str) -> Held:
    """What a file holds. Raises UnreadableError if it is not of that form, OSError if it cannot be read."""
    with window(path) as file:
        return READERS[form](file)
