"""The named feature maps inside the models of ``keras.applications``, measured on the installed Keras.

    python -m dllint.dev.application_layers

builds each architecture without its top and writes channels, reduction and offset of every layer that gives maps
(:mod:`dllint.frameworks.keras.application_layers` reads them). Layers whose name Keras counts up (``conv2d_7``) are left out:
it depends on what was built before.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from dllint.frameworks.keras.application_layers import PATH

#: Those whose padding depends on the size they are built with.
_PADDED_BY_SIZE: Final = (
    "MobileNetV2", "EfficientNetB0", "EfficientNetB1", "EfficientNetB2", "EfficientNetB3", "EfficientNetB4",
)  # fmt: skip
_OTHERS: Final = (
    "VGG16", "VGG19", "ResNet50", "ResNet101", "ResNet152", "ResNet50V2", "ResNet101V2", "ResNet152V2", "DenseNet121",
    "DenseNet169", "DenseNet201", "InceptionV3", "InceptionResNetV2", "Xception", "MobileNet",
)  # fmt: skip
#: Sides of images: every rest by 32, and two usual ones; of those that are built for each side, the rests that tell rounding
#: up from rounding down at every stage.
_SIDES: Final = (*range(96, 129), 224, 299)
_SIDES_BUILT: Final = (96, 97, 98, 100, 104, 112, 128, 224)
_COUNTED: Final = re.compile(
    r"(conv2d|batch_normalization|activation|add|concatenate|max_pooling2d|average_pooling2d|lambda|re_lu|.*_layer"
    r"|depthwise_conv2d|separable_conv2d|zero_padding2d|rescaling|normalization|dropout)(_\d+)?"
)
#: Parts of blocks that are no maps of features.
_INNER: Final = re.compile(r".*_(se_\w+|drop|pad|bn|gap)")


def maps(name: str) -> tuple[str, list[tuple[str, int, int, int]]]:
    """The default name of a model, and of its named maps the name, the channels, the reduction and the offset."""
    import keras

    build = getattr(keras.applications, name)
    default = build(weights=None, include_top=False).name
    if name in _PADDED_BY_SIZE:
        sides = _SIDES_BUILT
        measured = [_shapes(build(weights=None, include_top=False, input_shape=(side, side, 3)), side) for side in sides]
    else:
        sides, model = _SIDES, build(weights=None, include_top=False, input_shape=(None, None, 3))
        measured = [_shapes(model, side) for side in sides]
    found: list[tuple[str, int, int, int]] = []
    for layer in filter(_is_named, measured[0]):
        shapes = [shape[layer] for shape in measured]
        if all(len(shape) == 4 for shape in shapes) and (fit := _fit(sides, [shape[1] for shape in shapes])) is not None:
            found.append((layer, shapes[0][-1], *fit))
    return default, found


def _shapes(model: Any, side: int) -> dict[str, tuple[Any, ...]]:
    import keras

    layers = model.layers[1:]
    inside = keras.Model(model.input, [layer.output for layer in layers])
    outputs = inside.compute_output_spec(keras.KerasTensor((1, side, side, 3)))
    return {layer.name: tuple(output.shape) for layer, output in zip(layers, outputs, strict=True)}


def _is_named(name: str) -> bool:
    return not _COUNTED.fullmatch(name) and not _INNER.fullmatch(name)


def _fit(sides: Sequence[int], positions: Sequence[int]) -> tuple[int, int] | None:
    """The reduction and the smallest offset with ``(side - offset) // reduction + 1`` positions for each side."""
    pairs = ((reduction, offset) for reduction in (1, 2, 4, 8, 16, 32) for offset in range(-8, 4 * reduction))
    return next(((r, o) for r, o in pairs if all((s - o) // r + 1 == p for s, p in zip(sides, positions, strict=True))), None)


def _lines(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        default, found = maps(name)
        groups = [[" ".join(row[0] for row in rows), *key] for key, rows in groupby(found, key=lambda row: row[1:])]
        yield f"{json.dumps(name)}: {json.dumps({'name': default, 'maps': groups})}"
        print(name, len(found))


def main() -> None:
    """Write the file."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    lines = ",\n".join(_lines((*_OTHERS, *_PADDED_BY_SIZE)))
    PATH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
