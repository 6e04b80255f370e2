"""Node types of TensorFlow's graphs: which canonical operation each is, and what its inputs and attributes are called there.

Beside what :mod:`dllint.lower.graphs.rows` says of operands: ``dim!`` is one whose numbers must be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.ir.values import Value
from dllint.lower.graphs.rows import EMPTY, OperatorRow, row


def _rows(
    names: Mapping[str, str], inputs: str, attributes: Mapping[str, str] = EMPTY, **const: Value
) -> Iterator[tuple[str, OperatorRow]]:
    """Rows for ``{canonical operation: "node types"}``."""
    for op, types in names.items():
        for type_ in types.split():
            yield type_, row(op, inputs, attributes, **const)


#: Functions of one tensor, element by element.
UNARY: Final = {
    "neg": "Neg", "abs": "Abs ComplexAbs", "exp": "Exp", "expm1": "Expm1", "log": "Log", "log1p": "Log1p", "sqrt": "Sqrt",
    "rsqrt": "Rsqrt", "square": "Square", "reciprocal": "Reciprocal Inv", "sin": "Sin", "cos": "Cos", "tan": "Tan",
    "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh", "asinh": "Asinh",
    "acosh": "Acosh", "atanh": "Atanh", "sigmoid": "Sigmoid", "erf": "Erf", "erfc": "Erfc", "erfinv": "Erfinv Ndtri",
    "lgamma": "Lgamma", "digamma": "Digamma", "floor": "Floor", "ceil": "Ceil", "round": "Round Rint", "sign": "Sign",
    "isnan": "IsNan", "isinf": "IsInf", "isfinite": "IsFinite", "logical_not": "LogicalNot", "bitwise_not": "Invert",
    "relu": "Relu", "relu6": "Relu6", "elu": "Elu", "selu": "Selu", "leaky_relu": "LeakyRelu", "softplus": "Softplus",
    "softsign": "Softsign", "detach": "StopGradient", "zeros_like": "ZerosLike", "ones_like": "OnesLike",
    "diag_embed": "Diag MatrixDiag", "diagonal": "DiagPart",
    "identity": (
        "Identity RefIdentity PreventGradient CheckNumerics CheckNumericsV2 Snapshot Print Enter RefEnter Exit RefExit "
        "NextIteration RefNextIteration LoopCond ReadVariableOp EnsureShape DeepCopy CopyHost RandomShuffle "
        "FakeQuantWithMinMaxVars FakeQuantWithMinMaxArgs PlaceholderWithDefault DebugIdentity DebugIdentityV2"
    ),
}  # fmt: skip
#: Functions of two tensors, element by element.
BINARY: Final = {
    "add": "Add AddV2", "sub": "Sub", "mul": "Mul MulNoNan", "div": "RealDiv", "floor_divide": "FloorDiv TruncateDiv",
    "mod": "FloorMod", "fmod": "Mod TruncateMod", "pow": "Pow", "maximum": "Maximum", "minimum": "Minimum", "atan2": "Atan2",
    "xlogy": "Xlogy", "eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual",
    "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr",
    "bitwise_xor": "BitwiseXor",
}  # fmt: skip
REDUCTIONS: Final = {
    "sum": "Sum", "mean": "Mean", "prod": "Prod", "amax": "Max", "amin": "Min", "all": "All", "any": "Any",
    "norm": "EuclideanNorm",
}  # fmt: skip
WINDOW: Final = {"strides": "stride", "padding": "padding", "data_format": "data_format"}
CONVOLUTION: Final = {**WINDOW, "dilations": "dilation"}
POOL: Final = {**WINDOW, "ksize": "kernel_size"}
TYPE: Final = {"dtype": "dtype"}

ROWS: Final[Mapping[str, OperatorRow]] = dict([
    *_rows(UNARY, "x"),
    *_rows({"softmax": "Softmax", "log_softmax": "LogSoftmax"}, "x", dim=-1),
    *_rows(BINARY, "x y"),
    *_rows({"clamp": "ClipByValue"}, "x min max"),
    *_rows(REDUCTIONS, "x dim!", {"keep_dims": "keepdim"}),
    *_rows({"argmax": "ArgMax", "argmin": "ArgMin"}, "x dim!", {"output_type": "dtype"}),
    *_rows({"cumsum": "Cumsum", "cumprod": "Cumprod"}, "x dim!"),
    *_rows({"matmul": "MatMul"}, "x y", {"transpose_a": "transpose_a", "transpose_b": "transpose_b"}),
    *_rows({"matmul": "BatchMatMul BatchMatMulV2 BatchMatMulV3"}, "x y", {"adj_x": "transpose_a", "adj_y": "transpose_b"}),
    *_rows({"einsum": "Einsum"}, "*operands", {"equation": "equation"}),
    *_rows({"reshape": "Reshape", "broadcast_to": "BroadcastTo"}, "x shape!"),
    *_rows({"permute": "Transpose"}, "x dims!"),
    *_rows({"unsqueeze": "ExpandDims"}, "x dim!"),
    *_rows({"tile": "Tile"}, "x repeats!"),
    *_rows({"stack": "Pack"}, "*tensors", {"axis": "dim"}),
    *_rows({"unbind": "Unpack"}, "x", {"axis": "dim"}),
    *_rows({"split": "Split"}, "dim! x", {"num_split": "sections"}),
    *_rows({"split": "SplitV"}, "x sections! dim!"),
    *_rows({"slice": "Slice"}, "x begin! size!"),
    *_rows({"take": "GatherV2"}, "x index dim!"),
    *_rows({"take": "Gather ResourceGather"}, "x index", dim=0),
    *_rows({"gather_nd": "GatherNd"}, "x index"),
    *_rows({"scatter_nd": "ScatterNd"}, "index src shape!"),
    *_rows({"pad": "Pad PadV2"}, "x pad! value"),
    *_rows({"pad": "MirrorPad"}, "x pad!", {"mode": "mode"}),
    *_rows({"flip": "ReverseV2"}, "x dims!"),
    *_rows({"cast": "Cast"}, "x", {"DstT": "dtype"}),
    *_rows({"full": "Fill"}, "shape! fill_value"),
    *_rows({"arange": "Range"}, "start! end! step!"),
    *_rows({"linspace": "LinSpace"}, "start end steps!"),
    *_rows({"topk": "TopKV2"}, "x k!"),
    *_rows({"topk": "TopK"}, "x", {"k": "k"}),
    *_rows({"in_top_k": "InTopK InTopKV2"}, "x target"),
    *_rows({"nonzero": "Where"}, "x"),
    *_rows({"segment": "UnsortedSegmentSum UnsortedSegmentMean"}, "x segment_ids num_segments!"),
    *_rows({"segment": "SegmentSum SegmentMean SegmentMax SegmentMin SegmentProd"}, "x segment_ids"),
    *_rows({"tril": "MatrixBandPart"}, "x"),
    *_rows({"det": "MatrixDeterminant"}, "x"),
    *_rows({"solve": "MatrixSolve MatrixTriangularSolve"}, "x y"),
    *_rows({"conv": "Conv2D"}, "x weight", CONVOLUTION, spatial=2),
    *_rows({"conv": "Conv3D"}, "x weight", CONVOLUTION, spatial=3),
    *_rows({"depthwise_conv": "DepthwiseConv2dNative"}, "x weight", CONVOLUTION, spatial=2),
    *_rows({"conv_transpose": "Conv2DBackpropInput"}, "output_size! weight x", CONVOLUTION, spatial=2),
    *_rows({"conv_transpose": "Conv3DBackpropInputV2"}, "output_size! weight x", CONVOLUTION, spatial=3),
    *_rows({"max_pool": "MaxPool", "avg_pool": "AvgPool"}, "x", POOL, spatial=2),
    *_rows({"max_pool": "MaxPool3D", "avg_pool": "AvgPool3D"}, "x", POOL, spatial=3),
    *_rows({"local_response_norm": "LRN"}, "x", {"depth_radius": "window"}),
    *_rows({"resize_image": "ResizeBilinear ResizeBicubic ResizeArea"}, "x shape!"),
    *_rows({"resize_image": "ResizeNearestNeighbor"}, "x shape!", mode="nearest"),
    *_rows({"space_to_depth": "SpaceToDepth", "depth_to_space": "DepthToSpace"}, "x",
           {"block_size": "block_size", "data_format": "data_format"}),
    *_rows({"rand": "RandomUniform StatelessRandomUniform StatelessRandomUniformV2",
            "randn": "RandomStandardNormal TruncatedNormal StatelessRandomNormal StatelessRandomNormalV2 "
                     "StatelessTruncatedNormal StatelessTruncatedNormalV2"}, "shape!", TYPE),
    *_rows({"randint": "RandomUniformInt"}, "shape! low! high!", {"Tout": "dtype"}),
    *_rows({"multinomial": "Multinomial"}, "x num_samples!"),
    *_rows({"phi": "Merge RefMerge"}, "x y"),
])  # fmt: skip
#: Operations of two tensors in which a number takes part as a number.
WITH_NUMBERS: Final = frozenset({*BINARY, "clamp", "full"})
