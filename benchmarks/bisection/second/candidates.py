"""The forty deployed models: which network, in which form, at which level of ONNX Runtime, with which edits.

Float edits are made in the exported graph before it is converted to half precision or quantised, as if the exporter had made
the mistake; the edits of ``late`` are made afterwards, since they concern the conversion itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from onnx import TensorProto

from benchmarks.bisection.second.edits import (
    At,
    Edit,
    Step,
    attribute,
    both,
    cut_range,
    flat,
    gates,
    joined,
    magnified,
    numbers,
    reordered,
    rewritten,
    shifted_zero,
    shuffled,
    stale,
    two_directions,
    weight_scale,
)

FLOAT, HALF, INT8 = "float32", "float16", "int8"
FAULT, PAIR, BENIGN = "fault", "pair", "benign"


@dataclass(frozen=True)
class Candidate:
    """One deployed model."""

    name: str
    subject: str
    kind: str
    faults: tuple[Edit, ...] = ()
    decoys: tuple[Edit, ...] = ()
    late: tuple[Edit, ...] = ()
    form: str = FLOAT
    level: str = "all"
    opset: int = 20
    #: Nodes that stay in single precision when the rest becomes half.
    kept: tuple[At, ...] = ()
    #: Nodes that overflow in half precision.
    overflows: tuple[At, ...] = ()


def _turned(array: np.ndarray) -> np.ndarray:
    return array.T


def _blank(array: np.ndarray) -> np.ndarray:
    return np.zeros_like(array)


def _next_row(array: np.ndarray) -> np.ndarray:
    return np.roll(array, 1, 0)


def _filled(number: float) -> Any:
    return lambda array: np.full_like(array, number)


def _thirds(*order: int) -> Any:
    def change(array: np.ndarray) -> np.ndarray:
        parts = np.split(array, 3, -1)
        return np.concatenate([parts[i] for i in order], -1)

    return change


def _open(place: At) -> Edit:
    """The mask that a node adds is nothing."""
    return rewritten(place, ("Add", ("$0", 0.0), "$out", {}))


_HALF: Final = {"to": TensorProto.FLOAT16}
_FULL: Final = {"to": TensorProto.FLOAT}
#: Instance normalisation of groups of 1600 numbers whose sum of squares, of values times 16, is held in half precision.
_OVERFLOWING: Final[tuple[Step, ...]] = (
    ("ReduceMean", ("$0", np.asarray([2], np.int64)), "mean", {"keepdims": 1}),
    ("Sub", ("$0", "mean"), "around", {}),
    ("Mul", ("around", 16.0), "larger", {}),
    ("ReduceSumSquare", ("larger", np.asarray([2], np.int64)), "squares", {"keepdims": 1}),
    ("Cast", ("squares",), "low", _HALF),
    ("Cast", ("low",), "high", _FULL),
    ("Mul", ("high", 1 / 1600), "square", {}),
    ("Add", ("square", 256e-5), "positive", {}),
    ("Sqrt", ("positive",), "spread", {}),
    ("Div", ("larger", "spread"), "$out", {}),
)
#: A leaky activation as a maximum, on channels that lie last.
_LEAKY: Final[tuple[Step, ...]] = (
    ("Transpose", ("$0",), "last", {"perm": [0, 2, 3, 1]}),
    ("Mul", ("last", 0.1), "less", {}),
    ("Max", ("last", "less"), "leaky", {}),
    ("Transpose", ("leaky",), "$out", {"perm": [0, 3, 1, 2]}),
)
#: Eight channels woven into two of a picture of twice the size.
_WOVEN: Final[tuple[Step, ...]] = (
    ("Reshape", ("$0", np.asarray([-1, 2, 2, 2, 12, 12])), "six", {}),
    ("Transpose", ("six",), "woven", {"perm": [0, 1, 4, 2, 5, 3]}),
    ("Reshape", ("woven", np.asarray([-1, 2, 24, 24])), "$out", {}),
)

_PICTURES: Final = (
    Candidate("resnet-same-padding", "resnet", FAULT, (attribute(At("stage.1.norm_one", "Conv"), pads=[0, 0, 2, 2]),)),
    Candidate("resnet-int8-range", "resnet", FAULT, late=(cut_range("relu_4", 0.1),), form=INT8),
    Candidate(
        "resnet-bgr-and-stale",
        "resnet",
        PAIR,
        (numbers(At("stem_norm", "Conv"), (1, lambda w: w[:, ::-1])), stale(At("stage.1.norm_two", "Conv"))),
        level="extended",
    ),
    Candidate(
        "resnet-half-shuffled",
        "resnet",
        BENIGN,
        decoys=(shuffled(At("stage.1.norm_one", "Conv"), At("stage.1.norm_two", "Conv")),),
        form=HALF,
    ),
    Candidate("mobile-zero-point", "mobile", FAULT, late=(shifted_zero("hardswish_2", 40),), form=INT8),
    Candidate(
        "mobile-activation",
        "mobile",
        FAULT,
        (rewritten(At("block.2", "HardSwish"), ("HardSigmoid", ("$0",), "$out", {"alpha": 1 / 6, "beta": 0.5})),),
        (magnified(At("block.1.less", "Conv"), At("block.1.more", "Conv"), 4.0),),
    ),
    Candidate(
        "mobile-int8-kernel-and-clip",
        "mobile",
        PAIR,
        (
            numbers(At("block.0.depth_norm", "Conv"), (1, lambda w: w.transpose(0, 1, 3, 2))),
            numbers(At("block.1", "Clip"), (2, _filled(1.0))),
        ),
        form=INT8,
    ),
    Candidate("mobile-int8", "mobile", BENIGN, form=INT8),
    Candidate(
        "unet-align-corners",
        "unet",
        FAULT,
        (attribute(At("upsample_bilinear2d", "Resize"), coordinate_transformation_mode="align_corners"),),
    ),
    Candidate("unet-half-overflow", "unet", FAULT, (rewritten(At("left.norm", "InstanceNormalization"), *_OVERFLOWING),)),
    Candidate(
        "unet-flipped-and-stale",
        "unet",
        PAIR,
        (numbers(At("rise", "ConvTranspose"), (1, lambda w: w[:, :, ::-1, ::-1])), stale(At("right.two", "Conv"))),
        level="extended",
    ),
    Candidate("unet-channels-last", "unet", BENIGN, decoys=(rewritten(At("lower", "LeakyRelu"), *_LEAKY),), level="basic"),
    Candidate("superres-depth-to-space", "superres", FAULT, (attribute(At("pixel_shuffle", "DepthToSpace"), mode="DCR"),)),
    Candidate(
        "superres-asymmetric",
        "superres",
        FAULT,
        (attribute(At("upsample_bicubic2d", "Resize"), coordinate_transformation_mode="asymmetric"),),
        level="extended",
    ),
    Candidate(
        "superres-nearest-and-slope",
        "superres",
        PAIR,
        (attribute(At("upsample_bicubic2d", "Resize"), mode="nearest"), numbers(At("slope", "PRelu"), (1, _filled(-1.0)))),
        level="basic",
    ),
    Candidate(
        "superres-woven",
        "superres",
        BENIGN,
        decoys=(rewritten(At("pixel_shuffle", "DepthToSpace"), *_WOVEN), shuffled(At("enter", "Conv"), At("inner", "Conv"))),
        level="disable",
    ),
)

_ATTENTION: Final = (
    Candidate("vit-transposed", "vit", FAULT, (numbers(At("block.1.out", "MatMul"), (1, _turned)),)),
    Candidate("vit-int8-weight-scale", "vit", FAULT, late=(weight_scale("val_70", 4.0),), form=INT8),
    Candidate(
        "vit-order-and-norm",
        "vit",
        PAIR,
        (
            both(
                numbers(At("block.0.qkv", "Add"), (1, _thirds(0, 2, 1))),
                numbers(At("block.0.qkv", "MatMul"), (1, _thirds(0, 2, 1))),
            ),
            attribute(At("block.1.between", "LayerNormalization"), epsilon=100.0),
        ),
    ),
    Candidate(
        "vit-newer-opset",
        "vit",
        BENIGN,
        decoys=tuple(attribute(At(f"block.{i}", "Gelu"), approximate="tanh") for i in range(2)),
        opset=23,
    ),
    Candidate("bert-mask-dropped", "bert", FAULT, (_open(At("layer.0.own", "Add", 3)),)),
    Candidate("bert-softmax-axis", "bert", FAULT, (attribute(At("layer.1.own", "Softmax"), axis=2),), level="basic"),
    Candidate(
        "bert-words-and-pool",
        "bert",
        PAIR,
        (numbers(At("word", "Gather"), (0, _next_row)), attribute(At("pool", "Gemm"), transB=0)),
        level="extended",
    ),
    Candidate(
        "bert-joined-reordered",
        "bert",
        BENIGN,
        decoys=(joined([At(f"layer.0.own.{part}", "MatMul") for part in "qkv"]), reordered),
        level="extended",
    ),
    Candidate("translator-open-future", "translator", FAULT, (_open(At("decoder.own", "Add", 3)),)),
    Candidate("translator-half-stale", "translator", FAULT, (stale(At("decoder.cross.v", "MatMul")),), form=HALF),
    Candidate(
        "translator-transposed-and-axis",
        "translator",
        PAIR,
        (numbers(At("encoder.own.o", "MatMul"), (1, _turned)), attribute(At("decoder.cross", "Softmax"), axis=-2)),
    ),
    Candidate(
        "translator-half-older-opset",
        "translator",
        BENIGN,
        decoys=(joined([At(f"encoder.own.{part}", "MatMul") for part in "qkv"]),),
        form=HALF,
        opset=18,
    ),
)

_SEQUENCES: Final = (
    Candidate("gru-gates", "gru", FAULT, (numbers(At("both", "GRU"), (1, gates), (2, gates), (3, gates)),)),
    Candidate("gru-reset", "gru", FAULT, (attribute(At("over", "GRU"), linear_before_reset=0),), level="disable"),
    Candidate(
        "gru-directions-and-norm",
        "gru",
        PAIR,
        (
            numbers(At("both", "GRU"), *((position, lambda array: array[::-1]) for position in (1, 2, 3))),
            numbers(At("norm", "LayerNormalization"), (1, _next_row)),
        ),
    ),
    Candidate("gru-two-directions", "gru", BENIGN, decoys=(two_directions(At("both", "GRU")),)),
    Candidate("audio-dilation", "audio", FAULT, (attribute(At("second", "Conv"), dilations=[1], pads=[1, 1]),)),
    Candidate("audio-int8-range", "audio", FAULT, late=(cut_range("glu", 0.1),), form=INT8, level="extended"),
    Candidate(
        "audio-gate-and-epsilon",
        "audio",
        PAIR,
        (
            rewritten(At("glu_1", "Sigmoid"), ("Tanh", ("$0",), "$out", {})),
            attribute(At("norm", "InstanceNormalization"), epsilon=10.0),
        ),
    ),
    Candidate("audio-flat", "audio", BENIGN, decoys=(flat(At("first", "Conv")),)),
    Candidate("recommender-half-overflow", "recommender", FAULT, form=HALF, overflows=(At("sum_3", "ReduceSum"),)),
    Candidate("recommender-history", "recommender", FAULT, (rewritten(At("mul_4", "Mul"), ("Identity", ("$0",), "$out", {})),)),
    Candidate(
        "recommender-half-users-and-goods",
        "recommender",
        PAIR,
        (numbers(At("user", "Gather"), (0, _next_row)), numbers(At("goods", "MatMul"), (1, _turned))),
        form=HALF,
        level="extended",
        kept=(At("sum_3", "ReduceSum"), At("sqrt", "Sqrt")),
    ),
    Candidate(
        "recommender-half-guarded",
        "recommender",
        BENIGN,
        form=HALF,
        kept=(At("sum_3", "ReduceSum"), At("sqrt", "Sqrt")),
    ),
)

CANDIDATES: Final = (*_PICTURES, *_ATTENTION, *_SEQUENCES)
