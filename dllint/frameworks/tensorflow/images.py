"""Rows of ``tf.image``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

_IMAGE: Final = {"images": "x", "image": "x", "size": "shape"}
_PATCHES: Final = {"images": "x", "sizes": "kernel_size", "ksizes": "kernel_size", "strides": "stride", "rates": "dilation"}

_BOTH: Final = {**_IMAGE, "target_height": "height", "target_width": "width"}
#: Ways that take elements as they are.
_NEAREST: Final = {"mode": "nearest"}
#: Beside an image that keeps its proportions.
_FILLED: Final = {"padded": True}
_PADDED: Final = {"mode": "padded"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    FunctionRow("tensorflow.image.resize", "resize_image", "tensorflow", {**_IMAGE, "method": "mode"}),
    FunctionRow("tensorflow.image.resize_with_pad", "resize_image", "tensorflow", {**_BOTH, "method": "mode"}, _FILLED),
    *(
        FunctionRow(f"tensorflow.image.{name}", "resize_image", "tensorflow", _IMAGE)
        for name in ("resize_bilinear", "resize_bicubic", "resize_area")
    ),
    FunctionRow("tensorflow.image.resize_nearest_neighbor", "resize_image", "tensorflow", _IMAGE, _NEAREST),
    FunctionRow("tensorflow.image.resize_with_crop_or_pad", "resize_image", "tensorflow", _BOTH, _PADDED),
    FunctionRow(
        "tensorflow.image.crop_and_resize", "crop_boxes", "tensorflow",
        {"image": "x", "box_indices": "index", "crop_size": "size"},
        params="image, boxes, box_indices, crop_size, **options",
    ),
    *(
        FunctionRow(f"tensorflow.image.{name}", "image_similarity", "tensorflow", {"img1": "x", "img2": "y", "a": "x",
        "b": "y"},
)
        for name in ("ssim", "ssim_multiscale", "psnr")
    ),
    FunctionRow("tensorflow.image.total_variation", "image_variation", "tensorflow", {"images": "x"}),
    FunctionRow("tensorflow.image.sobel_edges", "image_slopes", "tensorflow", {"image": "x"}),
    FunctionRow("tensorflow.image.extract_patches", "extract_patches", "tensorflow", _PATCHES),
    FunctionRow(
        "tensorflow.extract_image_patches", "extract_patches", "tensorflow", _PATCHES,
        params="images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None",
    ),
    FunctionRow(
        "tensorflow.image.extract_image_patches", "extract_patches", "tensorflow", _PATCHES,
        params="images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None",
    ),
    FunctionRow(
        "tensorflow.image.crop_to_bounding_box", "crop_image", "tensorflow",
        {"image": "x", "offset_height": "top", "offset_width": "left", "target_height": "height", "target_width": "width"},
    ),
    FunctionRow("tensorflow.image.pad_to_bounding_box", "resize_image", "tensorflow", _BOTH, _PADDED),
    FunctionRow("tensorflow.image.rgb_to_grayscale", "grayscale", "tensorflow", {"images": "x"}, {"channels": 1}),
    FunctionRow("tensorflow.image.grayscale_to_rgb", "grayscale", "tensorflow", {"images": "x"}, {"channels": 3}),
    FunctionRow("tensorflow.image.convert_image_dtype", "cast", "tensorflow", {"image": "x"}),
)  # fmt: skip
