"""What a run shows of a value, in plain data: frameworks live in another process than the analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Library = Literal["torch", "numpy", "tensorflow", "keras"]


@dataclass(frozen=True, slots=True)
class SeenTensor:
    """A tensor or an array. ``shape`` has ``None`` for what a symbolic tensor leaves open; ``strides`` (in elements) are those
    of torch's tensors. ``low`` and ``high`` are the extremes of the elements, ``None`` where there are none or they are no real
    numbers; ``zero`` says whether 0 is among them, ``nan`` whether NaN is; ``data`` has the elements if they are few."""

    library: Library
    shape: tuple[int | None, ...]
    dtype: str
    strides: tuple[int, ...] | None = None
    low: float | None = None
    high: float | None = None
    zero: bool = False
    nan: bool = False
    data: tuple[float | complex | bool, ...] | None = None


@dataclass(frozen=True, slots=True)
class SeenNumber:
    """A number, a text or ``None``."""

    value: bool | int | float | complex | str | None


@dataclass(frozen=True, slots=True)
class SeenType:
    """An element type, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class SeenSequence:
    """A tuple or a list."""

    items: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class SeenOther:
    """Anything else, by the name of its class."""

    name: str


Seen: TypeAlias = "SeenTensor | SeenNumber | SeenType | SeenSequence | SeenOther"


@dataclass(frozen=True, slots=True)
class Raised:
    """The error that ended a run: the number of the statement, the error, and whether other elements in the tensors that the
    statement was given would have made it run."""

    statement: int
    kind: str
    message: str
    by_values: bool


@dataclass(frozen=True, slots=True)
class Observed:
    """A run: for each statement that was performed, what names held after it that were bound anew or changed."""

    text: str
    after: tuple[dict[str, Seen], ...]
    raised: Raised | None = None
    #: Why the run tells nothing (out of memory, a library that crashed).
    lost: str = ""
