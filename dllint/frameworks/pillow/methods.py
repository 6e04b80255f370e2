"""Methods of pictures, and functions of ``PIL.ImageOps``: what they do to channels and size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import Dim, DimExpr
from dllint.domains.lattice import Unknown
from dllint.frameworks import kinds
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.pillow.images import PICTURE, dtype_of, picture, reshape_picture, sizes_of
from dllint.frameworks.pillow.making import free_sizes, height_and_width, in_mode
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap

#: Methods and functions that keep mode and size.
_SAME: Final = ("copy", "filter", "effect_spread")
_SAME_FUNCTIONS: Final = ("mirror", "flip", "invert", "autocontrast", "equalize", "posterize", "solarize")
_TURNED: Final = frozenset({"ROTATE_90", "ROTATE_270", "TRANSPOSE", "TRANSVERSE"})
_MIRRORED: Final = frozenset({"FLIP_LEFT_RIGHT", "FLIP_TOP_BOTTOM", "ROTATE_180"})


def _with_size(machine: Machine, image: Value, height: Dim, width: Dim) -> Value:
    """A picture of the same mode in another size."""
    sizes = sizes_of(image)
    if sizes is None:
        return in_mode(machine, None, height, width)
    return picture(machine, sizes[0], height, width, dtype_of(image))


def _size(image: Value) -> tuple[Dim, Dim]:
    sizes = sizes_of(image)
    return free_sizes() if sizes is None else sizes[1:]


def _same(machine: Machine, image: Value, arguments: Arguments) -> Value:
    return _with_size(machine, image, *_size(image))


for _name in _SAME:
    handler(f"{PICTURE}.{_name}", on=InstanceVal)(_same)


def _of_function(change: Callable[[Machine, Value, Arguments], Value]) -> Callable[[Machine, Value, Arguments], Value]:
    """A function of a picture as the method that it could be."""

    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        image = unwrap(arguments.args[0]) if arguments.args else unwrap(arguments.kwargs.get("image"))
        if not isinstance(image, InstanceVal):
            return machine.unknown("no-argument", "image")
        return change(machine, image, Arguments(arguments.args[1:], arguments.kwargs))

    return call


for _name in _SAME_FUNCTIONS:
    handler(f"PIL.ImageOps.{_name}")(_of_function(_same))


@handler(f"{PICTURE}.__enter__", on=InstanceVal)
def entered(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """The picture itself."""
    return image


@handler(f"{PICTURE}.convert", on=InstanceVal)
def convert(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """``convert(mode=None, matrix=None, dither=None, palette=0, colors=256)``."""
    return in_mode(machine, arguments.kwargs.get("mode", arguments.positional(0)), *_size(image))


@handler("PIL.ImageOps.grayscale")
def grayscale(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``grayscale(image)``: one channel."""
    return in_mode(machine, "L", *_size(arguments.positional(0)))


@handler(f"{PICTURE}.resize", on=InstanceVal)
def resize(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """``resize(size, …)`` with ``size`` (width, height)."""
    return _with_size(machine, image, *height_and_width(given("size, *rest, **more", arguments).get("size")))


def _fit(machine: Machine, image: Value, arguments: Arguments) -> Value:
    return _with_size(machine, image, *height_and_width(given("size, *rest, **more", arguments).get("size")))


handler("PIL.ImageOps.fit", "PIL.ImageOps.pad")(_of_function(_fit))


@handler("PIL.ImageOps.exif_transpose")
def exif_transpose(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The picture as its file says that it is to be turned."""
    return _with_size(machine, arguments.positional(0), *free_sizes())


@handler(f"{PICTURE}.thumbnail", on=InstanceVal)
def thumbnail(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """``thumbnail(size)`` makes the picture itself smaller, at most of that size."""
    reshape_picture(machine, image, *free_sizes())
    return None


@handler(f"{PICTURE}.crop", on=InstanceVal)
def crop(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """``crop(box=None)`` with ``box`` (left, upper, right, lower)."""
    given_box = given("box=None", arguments).get("box")
    if given_box is None:
        return _same(machine, image, arguments)
    box = kinds.sizes(given_box)
    if box is None or len(box) != 4:
        return _with_size(machine, image, *free_sizes())
    left, upper, right, lower = box
    return _with_size(machine, image, _between(upper, lower), _between(left, right))


def _between(start: Dim, stop: Dim) -> Dim:
    size = stop - start
    return size if isinstance(size, DimExpr) else max(size, 0)


@handler(f"{PICTURE}.rotate", on=InstanceVal)
def rotate(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """``rotate(angle, resample=0, expand=0, …)`` keeps the size unless it may expand."""
    expand = given("angle, resample=0, expand=0, *rest, **more", arguments).get("expand")
    kept = isinstance(expand, int) and not expand
    return _with_size(machine, image, *(_size(image) if kept else free_sizes()))


@handler(f"{PICTURE}.transpose", on=InstanceVal)
def transpose(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """``transpose(method)``: mirrored, or turned so that height and width change places."""
    method = given("method", arguments).get("method")
    name = method.name.rpartition(".")[2] if isinstance(method, LibSymbol) else ""
    height, width = _size(image)
    if name in _TURNED:
        return _with_size(machine, image, width, height)
    return _with_size(machine, image, *((height, width) if name in _MIRRORED else free_sizes()))


@handler(f"{PICTURE}.split", on=InstanceVal)
def split(machine: Machine, image: InstanceVal, arguments: Arguments) -> Value:
    """A picture for each channel."""
    sizes = sizes_of(image)
    if sizes is None or not isinstance(sizes[0], int):
        return Unknown("image-mode", "split")
    return tuple(picture(machine, 1, *sizes[1:], dtype_of(image)) for _ in range(sizes[0]))


def _nothing(machine: Machine, image: Value, arguments: Arguments) -> Value:
    return None


for _name in ("save", "show", "close", "verify", "paste"):
    handler(f"{PICTURE}.{_name}", on=InstanceVal)(_nothing)
