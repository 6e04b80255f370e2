"""What a data file holds, as plain Python data of bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Opaque:
    """A part of a file that is no plain data (a date, a value with a tag of its own): nothing is known of it."""

    what: str


#: None, numbers, texts, and lists and dicts of them.
Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[Plain, Plain] | Opaque | None"

#: The files that are looked into, by the ends of their names.
SUFFIXES: Final = (".yaml", ".yml", ".json", ".toml")
#: Those of which the beginning is looked at.
HEADED: Final = (
    ".npy", ".csv", ".npz", ".safetensors", ".h5", ".hdf5", ".keras", ".pt", ".pth", ".bin", ".ckpt", ".png", ".jpg", ".jpeg",
    ".gif", ".bmp", ".PNG", ".JPG", ".JPEG",
)  # fmt: skip
#: The forms of files of arrays, models and pictures (``contents.READERS``).
HELD: Final = ("npz", "safetensors", "hdf5", "checkpoint", "picture", "model")
#: The most bytes of a file, values in it (an alias counts as all that it stands for), and containers inside each other.
LARGEST: Final = 256 * 2**10
MOST_VALUES: Final = 20_000
DEEPEST: Final = 32


class UnreadableError(Exception):
    """A data file has another form than its name says, or is too large to be looked at."""
