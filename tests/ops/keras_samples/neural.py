"""``keras.ops``: windows, normalisation, resizing, attention, losses per element.

Where Keras 3.15's symbolic shape contradicts its eager result (``pad`` by one number, ``axis`` of a cross-entropy), there
is no sample.
"""

from dllint.domains.dtype import FLOAT16, INT32
from tests.ops.harness import t
from tests.ops.keras_samples.ops import Case

X = t(2, 9, 8, 4)
HEADS = (t(2, 5, 3, 8), t(2, 7, 3, 8), t(2, 7, 3, 8))
CONV = "inputs:x kernel:weight strides:stride padding data_format dilation_rate:dilation"
POOL = "inputs:x pool_size:kernel_size strides:stride padding data_format"
LOSS = "target output:x"


CASES = [
    Case(
        "conv",
        "conv",
        CONV,
        (
            (X, t(3, 3, 4, 6)),
            (X, t(3, 3, 4, 6), 2, "same"),
            (X, t(3, 3, 4, 6), (2, 1), "valid", None, 1),
            (X, t(3, 3, 4, 6), 1, "valid", None, 2),
            (X, t(3, 3, 2, 6)),
            (X, t(10, 3, 4, 6)),
            (t(2, 4, 9, 8), t(3, 3, 4, 6), 1, "valid", "channels_first"),
            (t(2, 9, 4), t(3, 4, 6)),
            (t(2, 9, 8, 7, 4), t(3, 3, 3, 4, 6)),
        ),
    ),
    Case("depthwise_conv", "depthwise_conv", CONV, ((X, t(3, 3, 4, 2)), (X, t(3, 3, 4, 1), 2, "same"))),
    Case(
        "separable_conv",
        "separable_conv",
        "inputs:x depthwise_kernel:weight pointwise_kernel:pointwise_weight strides:stride padding",
        ((X, t(3, 3, 4, 2), t(1, 1, 8, 6)), (X, t(3, 3, 4, 1), t(1, 1, 4, 6), 2, "same")),
    ),
    Case(
        "conv_transpose",
        "conv_transpose",
        "inputs:x kernel:weight strides:stride padding output_padding",
        ((X, t(3, 3, 6, 4)), (X, t(3, 3, 6, 4), 2, "same"), (X, t(2, 2, 6, 4), 3), (X, t(3, 3, 6, 4), 2, "valid", 1)),
    ),
    *(
        Case(op, name, POOL, ((X, 2), (X, (2, 3)), (X, 3, 2, "same"), (X, 10), (t(2, 9, 4), 2), (t(2, 9, 8, 7, 4), 2)))
        for op, name in (("max_pool", "max_pool"), ("avg_pool", "average_pool"))
    ),
    Case(
        "pad",
        "pad",
        "x pad_width:pad mode",
        (
            (X, ((0, 0), (1, 2), (3, 4), (0, 0))),
            (X, ((1, 1), (2, 2))),
            (t(2, dtype=INT32), 1),
        ),
    ),
    Case(
        "resize_image",
        "image.resize",
        "images:x size:shape",
        ((X, (5, 6)), (t(9, 8, 4), (5, 6)), (t(8, 4), (5, 6)), (t(2, 9, 8, 4, dtype=FLOAT16), (5, 6)), (t(0, 9, 8, 4), (5, 6))),
    ),
    Case(
        "dot_product_attention",
        "dot_product_attention",
        "query key value",
        (
            HEADS,
            (t(2, 5, 3, 8), t(2, 7, 3, 6), t(2, 7, 3, 8)),
            (t(5, 3, 8), t(7, 3, 8), t(7, 3, 8)),
            tuple(t(*x.shape, dtype=FLOAT16) for x in HEADS),
        ),
    ),
    Case(
        "binary_crossentropy",
        "binary_crossentropy",
        LOSS,
        (
            (t(4, 5), t(4, 5)),
            (t(4, 1), t(4)),
            (t(4), t(4)),
            (t(), t()),
            (t(0, 5), t(0, 5)),
        ),
    ),
    Case(
        "categorical_crossentropy",
        "categorical_crossentropy",
        "target output:x from_logits axis:dim",
        (
            (t(4, 5), t(4, 5)),
            (t(4, 3), t(4, 5)),
            (t(4, 6, 5), t(4, 6, 5)),
        ),
    ),
    Case(
        "sparse_categorical_crossentropy",
        "sparse_categorical_crossentropy",
        "target output:x from_logits axis:dim",
        (
            (t(4, dtype=INT32), t(4, 5)),
            (t(4, 1, dtype=INT32), t(4, 5)),
            (t(3, dtype=INT32), t(4, 5)),
            (t(4, 5, dtype=INT32), t(4, 5)),
            (t(4, 6, dtype=INT32), t(4, 6, 5)),
        ),
    ),
]
