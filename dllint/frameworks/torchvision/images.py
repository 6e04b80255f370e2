"""Images on their way through transforms: PIL pictures with known channels and size, and tensors."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.machine import LIBRARY_BASES, Machine, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.sizes import is_shape

PICTURE: Final = "PIL.Image.Image"
SIZES: Final = "channels-height-width"
LIBRARY_BASES[PICTURE] = ()

Sizes = tuple[Dim, Dim, Dim]


def picture(machine: Machine, channels: Dim, height: Dim, width: Dim) -> InstanceVal:
    """A PIL image of known size."""
    return InstanceVal(LibSymbol(PICTURE), site=machine.site, state={SIZES: (channels, height, width)})


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
    return picture(machine, channels, height, width)


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
