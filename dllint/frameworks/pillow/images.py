"""Images on their way through transforms: pictures of Pillow with their channels, size and numbers, and tensors."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, opaque
from dllint.domains.dtype import UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.array_like import PIXELS
from dllint.frameworks.machine import LIBRARY_BASES, Machine, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.sizes import is_shape

PICTURE: Final = "PIL.Image.Image"
SIZES: Final = "channels-height-width"
LIBRARY_BASES[PICTURE] = ()

Sizes = tuple[Dim, Dim, Dim]


def picture(machine: Machine, channels: Dim, height: Dim, width: Dim, dtype: DType | Unknown = UINT8) -> InstanceVal:
    """A PIL image of known size. Its numbers are an array (height, width), with a last axis for several channels; if it is not
    known how many there are, there is no array."""
    image = InstanceVal(LibSymbol(PICTURE), site=machine.site)
    image.state.update(_state(machine, (channels, height, width), dtype))
    return image


def reshape_picture(machine: Machine, image: InstanceVal, height: Dim, width: Dim) -> None:
    """Give a picture another size in place."""
    channels = sizes[0] if (sizes := sizes_of(image)) is not None else opaque("channels", 1)
    for name, value in _state(machine, (channels, height, width), dtype_of(image)).items():
        machine.write(image.state, name, value)


def _state(machine: Machine, sizes: Sizes, dtype: DType | Unknown) -> dict[str, Value]:
    channels, height, width = sizes
    if not isinstance(channels, int):
        return {SIZES: sizes}
    shape = (height, width) if channels == 1 else (height, width, channels)
    pixels = machine.tensor(TensorType(shape, dtype), framework="numpy", name="image")
    if dtype == UINT8:
        pixels.low, pixels.high = 0, 255
    return {SIZES: sizes, PIXELS: pixels}


def dtype_of(image: Value) -> DType | Unknown:
    """The element type of a picture's numbers."""
    found = image.state.get(PIXELS) if isinstance(image, InstanceVal) else None
    return found.dtype if isinstance(found, TensorVal) else Unknown("image-mode")


def sizes_of(image: Value) -> Sizes | None:
    """Channels, height and width of a picture or of an image tensor ``(…, C, H, W)``; ``None`` if not known."""
    image = unwrap(image)
    if isinstance(image, InstanceVal):
        found = image.state.get(SIZES)
        return (found[0], found[1], found[2]) if is_shape(found) else None
    if isinstance(image, TensorVal) and not isinstance(image.shape, Unknown) and len(image.shape) >= 3:
        channels, height, width = image.shape[-3:]
        return channels, height, width
    return None


def resized(machine: Machine, image: Value, channels: Dim, height: Dim, width: Dim) -> Value:
    """The same kind of image with other sizes."""
    image = unwrap(image)
    if isinstance(image, TensorVal) and not isinstance(image.shape, Unknown):
        shape = (*image.shape[:-3], channels, height, width)
        return image_tensor(machine, TensorType(shape, image.dtype), (image.low, image.high))
    return picture(machine, channels, height, width, dtype_of(image) if isinstance(image, InstanceVal) else UINT8)


def image_tensor(machine: Machine, type_: TensorType, limits: tuple[float | None, float | None] = (None, None)) -> TensorVal:
    """A tensor of a picture's numbers, which lie between two limits (``None``: not known)."""
    image = machine.tensor(type_, framework="torch", name="image")
    image.low, image.high = limits
    return image


@prop(f"{PICTURE}.size")
def size(machine: Machine, image: Value) -> Value:
    """``(width, height)``."""
    found = sizes_of(image)
    return Unknown("image-size") if found is None else (found[2], found[1])


@prop(f"{PICTURE}.width")
def width(machine: Machine, image: Value) -> Value:
    """The width."""
    found = sizes_of(image)
    return Unknown("image-size") if found is None else found[2]


@prop(f"{PICTURE}.height")
def height(machine: Machine, image: Value) -> Value:
    """The height."""
    found = sizes_of(image)
    return Unknown("image-size") if found is None else found[1]
