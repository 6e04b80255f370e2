"""Graphs, slices, blocks of pixels and linear algebra of TensorFlow."""

from dllint.domains.dtype import BOOL, FLOAT16, FLOAT32, FLOAT64, INT32, INT64, UINT8
from tests.ops.harness import Case as _Case
from tests.ops.harness import Loose, Quiet, t

INDEX = INT32
IMAGE = t(2, 6, 8, 4)


def Case(op, name, params, samples, const=None, home="tensorflow"):
    return _Case(op, f"{home}.{name}", params, samples, const or {}, "tensorflow")


def Graph(op, params, samples):
    return Case(op, op, params, samples, home="tests.ops.graph_calls")


CASES = [
    Case(
        "image_similarity",
        "image.ssim",
        "img1:x img2:y max_val",
        (
            (t(2, 16, 16, 3), t(2, 16, 16, 3), 1.0),
            (t(16, 16, 1), t(16, 16, 1), 1.0),
            (t(2, 16, 16, 3, dtype=FLOAT64), t(2, 16, 16, 3, dtype=FLOAT64), 1.0),
        ),
    ),
    Case(
        "image_similarity",
        "image.psnr",
        "a:x b:y max_val",
        ((t(2, 4, 4, 3), t(2, 4, 4, 3), 1.0), (t(4, 4, 1), t(4, 4, 1), 1.0)),
    ),
    Case(
        "image_variation",
        "image.total_variation",
        "images:x",
        ((t(2, 4, 4, 3),), (t(4, 4, 1),), (t(2, 4, 4, 3, dtype=FLOAT64),)),
    ),
    Case("image_slopes", "image.sobel_edges", "image:x", ((t(2, 4, 4, 3),), (t(1, 5, 4, 1),))),
    Graph("placeholder", "shape dtype", (((2, 3),), ((),), ((0, 2), INT64), ((2,), FLOAT16))),
    Graph("variable", "initial:data dtype", ((t(2, 3),), (t(),), (t(0),), (t(2, dtype=INT32),), (t(2), FLOAT64))),
    Graph(
        "assign",
        "x variable validate_shape",
        ((t(2, 3), t(2, 3)), (t(2, 4), t(2, 3)), (t(3), t(2, 3)), (t(2, 4), t(2, 3), False), (t(), t()), (t(0), t(0))),
    ),
    Graph(
        "feed",
        "x placeholder",
        (
            (t(2, 3), t(2, 3)),
            (t(2, 4), t(2, 3)),
            (t(3), t(2, 3)),
            (t(), t()),
            (t(0), t(2)),
            (t(2, dtype=FLOAT64), t(2)),
            (t(2, dtype=INT32), t(2)),
            (t(2, dtype=INT64), t(2, dtype=INT32)),
        ),
    ),
    Graph("fetch", "x", ((t(2, 3),), (t(),), (t(0),), (t(2, dtype=INT32),))),
    Case(
        "slice",
        "slice",
        "input_:x begin size",
        (
            (t(3, 4), (0, 1), (2, -1)),
            (t(3, 4), (1, 1), (2, 3)),
            (t(3, 4), (0, 2), (3, 3)),
            (t(3, 4), (0,), (1,)),
            (t(0, 3), (0, 0), (0, 2)),
            (t(5, dtype=INT32), (2,), (-1,)),
        ),
    ),
    Case(
        "gather_nd",
        "gather_nd",
        "params:x indices:index",
        (
            (t(3, 4, 5), t(2, 2, dtype=INDEX)),
            (t(3, 4), t(6, 1, dtype=INDEX)),
            (t(3, 4), t(7, 2, dtype=INDEX)),
            (t(3, 4), t(2, 3, dtype=INDEX)),
            (t(3, dtype=INT32), t(2, 5, 1, dtype=INDEX)),
            (t(3, 4), t(0, 1, dtype=INDEX)),
        ),
    ),
    Case(
        "scatter_nd",
        "scatter_nd",
        "indices:index updates:src shape",
        (
            (t(2, 1, dtype=INDEX), t(2, 4), (5, 4)),
            (t(0, 1, dtype=INDEX), t(0, 4), (5, 4)),
            (t(2, 1, dtype=INDEX), t(2, dtype=INT64), (3,)),
            Quiet((t(2, 1, dtype=INDEX), t(2, 4), (5, 3))),
        ),
    ),
    Case(
        "boolean_mask",
        "boolean_mask",
        "tensor:x mask /axis:dim",
        (
            Loose((t(3, 4), t(3, dtype=BOOL))),
            Loose((t(3, 4), t(3, 4, dtype=BOOL))),
            (t(3, 4), t(4, dtype=BOOL)),
            (t(3), t(3, 1, dtype=BOOL)),
            Loose((t(0, 2), t(0, dtype=BOOL))),
            Loose((t(3, 4), t(4, dtype=BOOL), 1)),
            Loose((t(3, 4, dtype=INT32), t(4, dtype=BOOL), 1)),
            Quiet((t(3, 4), t(4, dtype=BOOL), -1)),
        ),
    ),
    Case(
        "segment",
        "math.unsorted_segment_sum",
        "data:x segment_ids num_segments",
        (
            (t(4, 3), t(4, dtype=INDEX), 2),
            (t(4, 3), t(4, 3, dtype=INDEX), 5),
            (t(0, 3), t(0, dtype=INDEX), 2),
            (t(4, dtype=FLOAT64), t(4, dtype=INDEX), 2),
        ),
    ),
    Case(
        "sequence_mask",
        "sequence_mask",
        "lengths:x maxlen dtype",
        (
            (t(3, dtype=INDEX), 5),
            (t(2, 3, dtype=INDEX), 4),
            (t(dtype=INDEX), 4),
            (t(0, dtype=INDEX), 4),
            (t(3, dtype=INDEX), 5, INT32),
            Loose((t(3, dtype=INDEX),)),
        ),
    ),
    Case(
        "in_top_k",
        "math.in_top_k",
        "targets:target predictions:x k",
        (
            (t(3, dtype=INDEX), t(3, 5), 2),
            (t(0, dtype=INDEX), t(0, 5), 2),
            (t(3, dtype=INT64), t(3, 5), 1),
            (t(3, 1, dtype=INDEX), t(3, 5), 1),
            (t(3, dtype=INDEX), t(3), 1),
        ),
    ),
    Case(
        "confusion_matrix",
        "math.confusion_matrix",
        "labels:target predictions:x num_classes /weights dtype",
        (
            (t(4, dtype=INDEX), t(4, dtype=INDEX), 3),
            (t(4, dtype=INDEX), t(4, dtype=INDEX), 3, None, INT64),
            (t(0, dtype=INDEX), t(0, dtype=INDEX), 3),
        ),
    ),
    Case(
        "space_to_depth",
        "nn.space_to_depth",
        "input:x block_size data_format",
        (
            (IMAGE, 2),
            (t(1, 4, 4, 1), 4),
            (t(1, 6, 4, 1), 4),
            (t(4, 4, 1), 2),
            (t(0, 4, 4, 1), 2),
            (t(1, 4, 4, 1, dtype=INT32), 2),
        ),
    ),
    Case(
        "depth_to_space",
        "nn.depth_to_space",
        "input:x block_size data_format",
        ((IMAGE, 2), (t(1, 4, 4, 6), 2), (t(4, 4, 4), 2), (t(0, 4, 4, 4), 2), (t(1, 4, 4, 4, dtype=INT32), 2)),
    ),
    Case(
        "extract_patches",
        "image.extract_patches",
        "images:x sizes:kernel_size strides:stride rates:dilation padding",
        (
            (IMAGE, (1, 3, 3, 1), (1, 1, 1, 1), (1, 1, 1, 1), "VALID"),
            (IMAGE, (1, 3, 3, 1), (1, 2, 2, 1), (1, 1, 1, 1), "SAME"),
            (IMAGE, (1, 2, 3, 1), (1, 1, 1, 1), (1, 2, 2, 1), "VALID"),
            (t(1, 4, 4, 1, dtype=FLOAT64), (1, 2, 2, 1), (1, 2, 2, 1), (1, 1, 1, 1), "VALID"),
        ),
    ),
    Case(
        "crop_image",
        "image.crop_to_bounding_box",
        "image:x offset_height:top offset_width:left target_height:height target_width:width",
        (
            (IMAGE, 1, 1, 4, 5),
            (t(6, 8, 3), 0, 0, 2, 2),
            (t(6, 8, 3), 3, 0, 4, 2),
            (t(6, 8), 0, 0, 2, 2),
            (t(0, 6, 8, 3), 0, 0, 2, 2),
            (t(6, 8, 3, dtype=INT32), 0, 0, 2, 2),
        ),
    ),
    *(
        Case(
            "resize_image",
            f"image.{name}",
            f"image{'s' if name == 'resize' else ''}:x {sizes} method:mode",
            tuple(
                (t(*shape, dtype=dtype), *wanted, *method)
                for dtype in (UINT8, INT32, FLOAT16, FLOAT32, FLOAT64)
                for shape in ((6, 8, 3), (2, 6, 8, 3))
                for method in ((), ("nearest",), ("bilinear",), ("area",), ("bicubic",))
            ),
        )
        for name, sizes, wanted in (
            ("resize", "size:shape", ((4, 5),)),
            ("resize_with_pad", "target_height:height target_width:width", (4, 5)),
        )
    ),
    Case(
        "resize_image",
        "image.resize_with_crop_or_pad",
        "image:x target_height:height target_width:width",
        tuple((t(6, 8, 3, dtype=dtype), 9, 9) for dtype in (UINT8, INT32, FLOAT16, FLOAT32, FLOAT64)),
        {"mode": "padded"},
    ),
    Case(
        "grayscale",
        "image.rgb_to_grayscale",
        "images:x",
        ((t(2, 4, 4, 3),), (t(4, 4, 3),), (t(0, 4, 4, 3),), (t(4, 4, 3, dtype=FLOAT16),)),
    ),
    Case(
        "solve",
        "linalg.solve",
        "matrix:x rhs:y",
        (
            Quiet((t(2, 3, 3), t(2, 3, 4))),
            (t(3, 3), t(4, 2)),
            Quiet((t(3, 3, dtype=FLOAT64), t(3, 1, dtype=FLOAT64))),
            (t(0, 3, 3), t(0, 3, 1)),
        ),
    ),
    Case("det", "linalg.det", "input:x", ((t(3, 3),), (t(2, 3, 3),), (t(0, 3, 3),), (t(3, 3, dtype=FLOAT64),))),
    Case("qr", "linalg.qr", "input:x full_matrices", ((t(3, 4),), (t(2, 4, 3), True), (t(3, 3, dtype=FLOAT64),))),
    *(Case(op, f"linalg.{op}", "tensor:x", ((t(3, 3),), (t(2, 3, 3),), (t(3, 3, dtype=FLOAT64),))) for op in ("eigh", "eig")),
    Case("slogdet", "linalg.slogdet", "input:x", ((t(3, 3),), (t(2, 3, 3),))),
    Case("pinv", "linalg.pinv", "a:x", ((t(3, 4),), (t(2, 4, 3),))),
    Case(
        "svd",
        "linalg.svd",
        "tensor:x full_matrices compute_uv",
        ((t(3, 4),), (t(2, 4, 3),), (t(3, 4), True), (t(3, 4), False, False), (t(0, 3, 3),), (t(3, 3, dtype=FLOAT64),)),
    ),
    Case(
        "matvec",
        "linalg.matvec",
        "a:x b:y transpose_a",
        (
            (t(2, 3), t(3)),
            (t(2, 3), t(2)),
            (t(2, 3), t(2), True),
            (t(5, 2, 3), t(5, 3)),
            (t(0, 3), t(3)),
            (t(2, 3, dtype=FLOAT64), t(3, dtype=FLOAT64)),
        ),
    ),
    Case(
        "set_operation",
        "set_operation",
        "x y",
        (
            Loose((t(2, 3, dtype=INDEX), t(2, 4, dtype=INDEX))),
            (t(3, dtype=INDEX), t(3, dtype=INDEX)),
            (t(dtype=INDEX), t(2, 3, dtype=INDEX)),
            Loose((t(0, 3, dtype=INT64), t(0, 3, dtype=INT64))),
        ),
        home="tests.ops.graph_calls",
    ),
    Case("matmul", "matmul", "a:x b:y", ((t(3), t(3)), (t(2, 3), t(3)), (t(3), t(3, 4)), (t(), t(2, 2)))),
    Case(
        "where",
        "compat.v1.where",
        "condition x y",
        ((t(2, dtype=BOOL), t(2, 3), t(2, 3)), (t(2, 3, dtype=BOOL), t(2, 3), t(2, 3))),
    ),
    Case(
        "categorical_crossentropy",
        "nn.softmax_cross_entropy_with_logits",
        "labels:target logits:x",
        (
            (t(4, 3), t(4, 3)),
            (t(4, 2), t(4, 3)),
            (t(4, 3), t(1, 3)),
            (t(4, 1), t(4, 3)),
            (t(4), t(4, 3)),
            (t(0, 3), t(0, 3)),
            (t(4, 3, dtype=FLOAT64), t(4, 3, dtype=FLOAT64)),
            (t(4, 1, 3), t(4, 3)),
            (t(4, 3, dtype=INT32), t(4, 3)),
            (t(1, 3), t(4, 3)),
        ),
        {"from_logits": True},
    ),
    Case(
        "sparse_categorical_crossentropy",
        "nn.sparse_softmax_cross_entropy_with_logits",
        "labels:target logits:x",
        (
            (t(4, dtype=INDEX), t(4, 3)),
            (t(4, 1, dtype=INDEX), t(4, 3)),
            (t(4, 3, dtype=INDEX), t(4, 3)),
            (t(4), t(4, 3)),
            (t(5, dtype=INDEX), t(4, 3)),
            (t(4, 2, dtype=INDEX), t(4, 2, 3)),
            (t(0, dtype=INDEX), t(0, 3)),
        ),
        {"from_logits": True},
    ),
    Case(
        "bce_with_logits",
        "nn.sigmoid_cross_entropy_with_logits",
        "labels:target logits:x",
        ((t(4, 3), t(4, 3)), (t(4), t(4, 1)), (t(4, 3, dtype=INT32), t(4, 3)), (t(), t()), (t(0), t(0)), (t(4, 1), t(4, 3))),
        {"reduction": "none"},
    ),
]
