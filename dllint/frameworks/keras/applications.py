"""``keras.applications``: input size, feature width and spatial reduction of each architecture.

Without the top an image of ``n`` pixels gives ``(n - offset) // 32 + 1`` positions: offset 1 where every stage pads
("same"), 32 where the last stages drop a rest, more where the stem is not padded.
Sources: models built with ``include_top=False`` at 96 to 128, 200, 224 and their default size (Keras 3.15).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """``size``: default image side; ``features``: channels of the last feature map; ``offset``: see the module."""

    size: int
    features: int
    offset: int


#: Pixels per position of the last feature map, the same for all.
REDUCTION: Final = 32

_ROWS: Final = """
ConvNeXtTiny 224 768 32 | ConvNeXtSmall 224 768 32 | ConvNeXtBase 224 1024 32
ConvNeXtLarge 224 1536 32 | ConvNeXtXLarge 224 2048 32
DenseNet121 224 1024 29 | DenseNet169 224 1664 29 | DenseNet201 224 1920 29
EfficientNetB0 224 1280 1 | EfficientNetB1 240 1280 1 | EfficientNetB2 260 1408 1 | EfficientNetB3 300 1536 1
EfficientNetB4 380 1792 1 | EfficientNetB5 456 2048 1 | EfficientNetB6 528 2304 1 | EfficientNetB7 600 2560 1
EfficientNetV2B0 224 1280 1 | EfficientNetV2B1 240 1280 1 | EfficientNetV2B2 260 1408 1 | EfficientNetV2B3 300 1536 1
EfficientNetV2S 384 1280 1 | EfficientNetV2M 480 1280 1 | EfficientNetV2L 480 1280 1
InceptionV3 299 2048 75 | InceptionResNetV2 299 1536 75 | Xception 299 2048 7
MobileNet 224 1024 31 | MobileNetV2 224 1280 1 | MobileNetV3Large 224 960 1 | MobileNetV3Small 224 576 1
NASNetLarge 331 4032 3 | NASNetMobile 224 1056 3
ResNet50 224 2048 1 | ResNet101 224 2048 1 | ResNet152 224 2048 1
ResNet50V2 224 2048 1 | ResNet101V2 224 2048 1 | ResNet152V2 224 2048 1
VGG16 224 512 32 | VGG19 224 512 32
"""


def _parsed() -> Iterator[tuple[str, Architecture]]:
    for entry in _ROWS.replace("\n", "|").split("|"):
        if entry.strip():
            name, size, features, offset = entry.split()
            yield name, Architecture(int(size), int(features), int(offset))


ARCHITECTURES: Final = dict(_parsed())


def rounded(width: float) -> int:
    """The multiple of 8 next to a width, not more than a tenth below it, as the MobileNets of versions 2 and 3 take it."""
    nearest = max(8, int(width + 4) // 8 * 8)
    return nearest + 8 if nearest < 0.9 * width else nearest


def _six_fold(width: int) -> Callable[[float], int]:
    """The last convolution of a MobileNetV3 has six times the channels that the block before it gives."""
    return lambda alpha: 6 * rounded(width * alpha)


#: Channels of the last feature map by the width multiplier ``alpha`` (Howard et al., MobileNets, 2017; Sandler et al.,
#: MobileNetV2, 2018: the last layer is widened only; models built in Keras 3.15 with factors from 0.05 to 2).
WIDTHS: Final[dict[str, Callable[[float], int]]] = {
    "MobileNet": lambda alpha: int(1024 * alpha),
    "MobileNetV2": lambda alpha: rounded(1280 * alpha) if alpha > 1 else 1280,
    "MobileNetV3Small": _six_fold(96),
    "MobileNetV3Large": _six_fold(160),
}
