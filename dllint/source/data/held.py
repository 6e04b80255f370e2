"""What a file of arrays holds, without their numbers."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from dllint.source.data.plain import DEEPEST, MOST_VALUES, Opaque, Plain, UnreadableError

_MOST_AXES: Final = 32


class ArrayHead(NamedTuple):
    """The shape of an array and the name of its element type; empty if that is none of numbers."""

    shape: tuple[int, ...]
    dtype: str


class PictureHead(NamedTuple):
    """The sizes of a picture, its mode as Pillow names it (empty: not told), and whether it may have to be turned (Exif)."""

    width: int
    height: int
    mode: str
    turned: bool


#: Plain data with arrays in it.
Held: TypeAlias = (
    "bool | int | float | str | list[Held] | tuple[Held, ...] | dict[Held, Held] | Opaque | ArrayHead | PictureHead | None"
)


def is_shape(sizes: object) -> bool:
    """Whether an object is a list or tuple of sizes that an array may have."""
    return (
        isinstance(sizes, (list, tuple)) and len(sizes) <= _MOST_AXES and all(type(n) is int and 0 <= n < 2**63 for n in sizes)
    )


def bounded(held: Held) -> Held:
    """The same. Raises UnreadableError if it is deep or large when all that it shares counts as often as it stands there."""
    left = MOST_VALUES

    def count(part: Held, depth: int) -> None:
        nonlocal left
        left -= 1
        if left < 0 or depth > DEEPEST:
            raise UnreadableError("too many values")
        if isinstance(part, (ArrayHead, PictureHead)):
            return
        if isinstance(part, dict):
            for inner in part.values():
                count(inner, depth + 1)
        elif isinstance(part, (list, tuple)):
            for inner in part:
                count(inner, depth + 1)

    count(held, 0)
    return held


def held(data: Plain) -> Held:
    """Plain data as what a file holds."""
    if isinstance(data, dict):
        return {held(key): held(value) for key, value in data.items()}
    return [held(part) for part in data] if isinstance(data, list) else data
