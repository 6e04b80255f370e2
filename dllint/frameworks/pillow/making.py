"""Where pictures come from: files, arrays, a size and a colour; and what their modes say of channels and element types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import Dim, counted, opaque
from dllint.domains.dtype import BOOL, FLOAT32, INT32, UINT8, UINT16, DType
from dllint.domains.lattice import Unknown
from dllint.frameworks import kinds
from dllint.frameworks.array_like import as_data
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.pillow.images import picture
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, Value
from dllint.source.data.held import PictureHead

#: Mode → channels and element type of the array that numpy makes of a picture (Pillow's concepts, "Modes").
MODES: Final[Mapping[str, tuple[int, DType]]] = {
    "1": (1, BOOL), "L": (1, UINT8), "P": (1, UINT8), "LA": (2, UINT8), "La": (2, UINT8), "PA": (2, UINT8), "RGB": (3, UINT8),
    "YCbCr": (3, UINT8), "LAB": (3, UINT8), "HSV": (3, UINT8), "RGBA": (4, UINT8), "RGBa": (4, UINT8), "RGBX": (4, UINT8),
    "CMYK": (4, UINT8), "I": (1, INT32), "F": (1, FLOAT32), "I;16": (1, UINT16),
}  # fmt: skip


def in_mode(machine: Machine, mode: Value, height: Dim, width: Dim) -> InstanceVal:
    """A picture in a mode; nothing is known of the channels of one that is not known."""
    channels, dtype = MODES.get(mode, (None, UINT8)) if isinstance(mode, str) else (None, UINT8)
    return picture(machine, opaque("channels", 1) if channels is None else channels, height, width, dtype)


def free_sizes() -> tuple[Dim, Dim]:
    """Height and width that a file or a computation decides."""
    return counted("H", 1), counted("W", 1)


def height_and_width(size: Value) -> tuple[Dim, Dim]:
    """Height and width of ``(width, height)``."""
    sizes = kinds.sizes(size)
    return (sizes[1], sizes[0]) if sizes is not None and len(sizes) == 2 else free_sizes()


@handler("PIL.Image.open")
def opened(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Image.open(fp)``: the size of a picture that lies beside the code, else any; and its mode where that is certain."""
    held = machine.file_content(arguments.kwargs.get("fp", arguments.positional(0)), "picture")
    if isinstance(held, PictureHead):
        return in_mode(machine, held.mode or None, held.height, held.width)
    return in_mode(machine, None, *free_sizes())


@handler("PIL.Image.new")
def new(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Image.new(mode, size, color=0)``."""
    options = given("mode, size, color=0", arguments)
    return in_mode(machine, options.get("mode"), *height_and_width(options.get("size")))


@handler("PIL.Image.fromarray")
def from_array(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Image.fromarray(obj, mode=None)`` of (height, width) or (height, width, channels) numbers."""
    options = given("obj, mode=None", arguments)
    array = as_data(options.get("obj"))
    shape = array.shape if isinstance(array, TensorVal) and array.framework == "numpy" else None
    if not isinstance(array, TensorVal) or shape is None or isinstance(shape, Unknown) or len(shape) not in (2, 3):
        return in_mode(machine, options.get("mode"), *free_sizes())
    if options.get("mode") is not None:
        return in_mode(machine, options.get("mode"), shape[0], shape[1])
    return picture(machine, shape[2] if len(shape) == 3 else 1, shape[0], shape[1], array.dtype)
