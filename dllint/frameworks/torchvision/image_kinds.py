"""What kind of image the transforms of torchvision take and give: a picture of Pillow, an array, a tensor of bytes or floats.

Taken from torchvision 0.27 by running each transform of ``torchvision.transforms`` on each kind. Those of ``v2`` leave what
they do not transform as it is, so that no order of theirs is wrong by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final


class Kind(Flag):
    """Kinds of images; several where it is not known which one it is."""

    PICTURE = auto()
    ARRAY = auto()
    BYTES = auto()
    FLOATS = auto()


TENSOR: Final = Kind.BYTES | Kind.FLOATS
ANY: Final = Kind.PICTURE | Kind.ARRAY | TENSOR
_PREFIX: Final = "torchvision.transforms."


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a transform takes, and what it gives; ``gives`` is ``None`` for what it was given."""

    takes: Kind
    gives: Kind | None = None


_KEEPING: Final = Kinds(Kind.PICTURE | TENSOR)
_OF_BYTES: Final = Kinds(Kind.PICTURE | Kind.BYTES)
_KINDS: Final = {
    "ToTensor": Kinds(Kind.PICTURE | Kind.ARRAY, TENSOR),
    "PILToTensor": Kinds(Kind.PICTURE, Kind.BYTES),
    "ToPILImage": Kinds(Kind.ARRAY | TENSOR, Kind.PICTURE),
    "Normalize": Kinds(Kind.FLOATS, Kind.FLOATS),
    "LinearTransformation": Kinds(TENSOR, TENSOR),
    "ConvertImageDtype": Kinds(TENSOR, TENSOR),
    "RandomErasing": Kinds(TENSOR),
    "AugMix": _OF_BYTES,
    "AutoAugment": _OF_BYTES,
    "RandomEqualize": _OF_BYTES,
    "RandomPosterize": _OF_BYTES,
    **dict.fromkeys((
        "CenterCrop", "ColorJitter", "ElasticTransform", "GaussianBlur", "Grayscale", "Pad", "RandAugment",
        "RandomAdjustSharpness", "RandomAffine", "RandomAutocontrast", "RandomCrop", "RandomGrayscale",
        "RandomHorizontalFlip", "RandomInvert", "RandomPerspective", "RandomResizedCrop", "RandomRotation",
        "RandomSolarize", "RandomVerticalFlip", "Resize", "Scale", "TrivialAugmentWide",
    ), _KEEPING),
}  # fmt: skip


def kinds(name: str) -> Kinds | None:
    """What the transform of a qualified name takes and gives; ``None`` if that is not known."""
    return _KINDS.get(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A transform (by number) that cannot take what the one before it that made a tensor (or picture) gives."""

    number: int
    maker: int
    given: Kind


def misplaced(names: list[str]) -> Iterator[Misplaced]:
    """The transforms of a pipeline that raise on every image which those before them let through."""
    image, maker = ANY, 0
    for number, name in enumerate(names):
        row = kinds(name)
        if row is None:
            image = ANY
            continue
        taken = image & row.takes
        if not taken:
            yield Misplaced(number, maker, image)
            return
        given = row.gives or taken
        if given != image:
            maker = number
        image = given
