"""The forty deployed models: which network, in which form, at which level of ONNX Runtime, with which edits.

Float edits are made in the exported graph before it is converted to half precision or quantised, as if the exporter had made
the mistake; the edits of ``late`` are made afterwards, since they concern the conversion itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from onnx import TensorProto

from benchmarks.bisection.second.edits import (
    At,
    Change,
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


def _turned(array: np.ndarray) -> np.ndarray:
    return array.T


def _crosswise(array: np.ndarray) -> np.ndarray:
    return array.transpose(0, 1, 3, 2)


def _backwards(array: np.ndarray) -> np.ndarray:
    return array[..., ::-1]


def _blank(array: np.ndarray) -> np.ndarray:
    return np.zeros_like(array)


def _next_row(array: np.ndarray) -> np.ndarray:
    return np.roll(array, 1, 0)


def _filled(number: float) -> Change:
    return lambda array: np.full_like(array, number)


def _thirds(*order: int) -> Change:
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
#: A sum whose result is held in half precision.
_SUM_IN_HALF: Final[tuple[Step, ...]] = (
    ("ReduceSum", ("$0", "$1"), "sum", {"keepdims": 1}),
    ("Cast", ("sum",), "low", _HALF),
    ("Cast", ("low",), "$out", _FULL),
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
    Candidate("resnet-shifted-padding", "resnet", FAULT, (attribute(At("stage.0.norm_one", "Conv"), pads=[2, 2, 0, 0]),)),
    Candidate("resnet-int8-range", "resnet", FAULT, late=(cut_range("relu_4", 0.07),), form=INT8),
    Candidate(
        "resnet-int8-kernel-and-range",
        "resnet",
        PAIR,
        (numbers(At("stage.0.norm_two", "Conv"), (1, _crosswise)),),
        late=(cut_range("relu_4", 0.08),),
        form=INT8,
        level="extended",
    ),
    Candidate(
        "resnet-half-shuffled",
        "resnet",
        BENIGN,
        decoys=(shuffled(At("stage.1.norm_one", "Conv"), At("stage.1.norm_two", "Conv")),),
        form=HALF,
    ),
    Candidate("mobile-int8-zero-point", "mobile", FAULT, late=(shifted_zero("hardswish_2", 12),), form=INT8),
    Candidate(
        "mobile-activation",
        "mobile",
        FAULT,
        (rewritten(At("block.1", "HardSwish"), ("Relu", ("$0",), "$out", {})),),
        (magnified(At("block.2.less", "Conv"), At("block.2.more", "Conv"), 4.0),),
    ),
    Candidate(
        "mobile-int8-kernel-and-clip",
        "mobile",
        PAIR,
        (
            numbers(At("block.0.depth_norm", "Conv"), (1, _crosswise)),
            numbers(At("block.1", "Clip"), (2, _filled(1.0))),
        ),
        form=INT8,
    ),
    Candidate("mobile-int8", "mobile", BENIGN, form=INT8),
    Candidate(
        "unet-joined-wrong-way",
        "unet",
        FAULT,
        (rewritten(At("cat", "Concat"), ("Concat", ("$1", "$0"), "$out", {"axis": 1})),),
        (rewritten(At("lower", "LeakyRelu"), *_LEAKY),),
    ),
    Candidate("unet-half-overflow", "unet", FAULT, (rewritten(At("left.norm", "InstanceNormalization"), *_OVERFLOWING),)),
    Candidate(
        "unet-half-slope-and-stale",
        "unet",
        PAIR,
        (stale(At("left.one", "Conv")), attribute(At("upper", "LeakyRelu"), alpha=1.0)),
        form=HALF,
        level="extended",
    ),
    Candidate("unet-channels-last", "unet", BENIGN, decoys=(rewritten(At("lower", "LeakyRelu"), *_LEAKY),), level="basic"),
    Candidate("superres-depth-to-space", "superres", FAULT, (attribute(At("pixel_shuffle", "DepthToSpace"), mode="DCR"),)),
    Candidate(
        "superres-asymmetric",
        "superres",
        FAULT,
        (attribute(At("upsample_bicubic2d", "Resize"), coordinate_transformation_mode="asymmetric"),),
        (shuffled(At("enter", "Conv"), At("inner", "Conv")),),
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
    Candidate("bert-mask-dropped", "bert", FAULT, (_open(At("layer.0.own", "Add", 3)),), (reordered,)),
    Candidate("bert-softmax-axis", "bert", FAULT, (attribute(At("layer.1.own", "Softmax"), axis=2),), level="basic"),
    Candidate(
        "bert-words-and-values",
        "bert",
        PAIR,
        (numbers(At("word", "Gather"), (0, _next_row)), numbers(At("layer.0.own.v", "MatMul"), (1, _turned))),
        level="extended",
    ),
    Candidate(
        "bert-joined-reordered",
        "bert",
        BENIGN,
        decoys=(joined([At(f"layer.0.own.{part}", "MatMul") for part in "qkv"]), reordered),
        level="extended",
    ),
    Candidate(
        "translator-open-future",
        "translator",
        FAULT,
        (_open(At("decoder.own", "Add", 3)),),
        (joined([At(f"encoder.own.{part}", "MatMul") for part in "qkv"]),),
    ),
    Candidate(
        "translator-half-epsilon",
        "translator",
        FAULT,
        (attribute(At("decoder.norm.0", "LayerNormalization"), epsilon=30.0),),
        form=HALF,
    ),
    Candidate(
        "translator-transposed-and-stale",
        "translator",
        PAIR,
        (numbers(At("decoder.own.v", "MatMul"), (1, _turned)), stale(At("decoder.down", "MatMul"))),
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
    Candidate("gru-without-bias", "gru", FAULT, (numbers(At("both", "GRU"), (3, _blank)),), level="disable"),
    Candidate(
        "gru-gates-and-epsilon",
        "gru",
        PAIR,
        (
            attribute(At("norm", "LayerNormalization"), epsilon=10.0),
            numbers(At("over", "GRU"), (1, gates), (2, gates), (3, gates)),
        ),
        (two_directions(At("both", "GRU")),),
    ),
    Candidate("gru-two-directions", "gru", BENIGN, decoys=(two_directions(At("both", "GRU")),)),
    Candidate("audio-flipped-kernel", "audio", FAULT, (numbers(At("first", "Conv"), (1, _backwards)),)),
    Candidate("audio-int8-range", "audio", FAULT, late=(cut_range("conv1d", 0.12),), form=INT8, level="extended"),
    Candidate(
        "audio-epsilon-and-axis",
        "audio",
        PAIR,
        (attribute(At("norm", "InstanceNormalization"), epsilon=30.0), attribute(At("softmax", "Softmax"), axis=1)),
    ),
    Candidate("audio-flat", "audio", BENIGN, decoys=(flat(At("first", "Conv")),)),
    Candidate("recommender-overflow", "recommender", FAULT, (rewritten(At("sum_3", "ReduceSum"), *_SUM_IN_HALF),)),
    Candidate("recommender-history", "recommender", FAULT, (rewritten(At("mul_4", "Mul"), ("Identity", ("$0",), "$out", {})),)),
    Candidate(
        "recommender-half-users-and-history",
        "recommender",
        PAIR,
        (
            numbers(At("user", "Gather"), (0, _next_row)),
            rewritten(At("mul_4", "Mul"), ("Mul", ("$0", 0.15), "$out", {})),
        ),
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
