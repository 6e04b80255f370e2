"""Functions of one tensor."""

from dllint.domains.dtype import BFLOAT16, BOOL, COMPLEX64, FLOAT16, FLOAT64, INT8, INT32, INT64, UINT8
from tests.ops.harness import Case, t

SHAPES = (t(), t(0), t(2, 3), t(2, 0, 3), t(1, 4, 5))
TYPES = tuple(t(2, 3, dtype=d) for d in (FLOAT16, BFLOAT16, FLOAT64, UINT8, INT8, INT32, INT64, BOOL))
PLAIN = (
    "abs", "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt", "square", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfinv", "erfc", "lgamma", "digamma",
    "reciprocal", "sigmoid", "sign", "trunc", "round", "floor", "ceil", "isnan", "isinf", "isfinite", "logical_not", "signbit",
    "neg", "nan_to_num", "clone", "detach", "deg2rad", "rad2deg", "sinc",
)  # fmt: skip
COMPLEX = frozenset(["abs", "exp", "log", "sqrt", "square", "sin", "cos", "tanh", "sigmoid", "reciprocal", "neg", "clone"])
ACTIVATIONS = (
    "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "logsigmoid", "softsign",
    "softshrink", "hardshrink", "tanhshrink", "hardtanh", "hardsigmoid", "hardswish",
)  # fmt: skip
MATRICES = tuple(t(4, 6, dtype=d) for d in (FLOAT64, INT64, BOOL))

CASES = [
    *(
        Case(op, f"torch.{op}", "input:x", (*SHAPES, *TYPES, *((t(2, dtype=COMPLEX64),) if op in COMPLEX else ())))
        for op in PLAIN
    ),
    *(Case(op, f"torch.nn.functional.{op}", "input:x", (*SHAPES, *TYPES)) for op in ACTIVATIONS),
    Case("bitwise_not", "torch.bitwise_not", "input:x", (t(dtype=INT64), t(0, dtype=INT64), *TYPES[3:])),
    Case("contiguous", "torch.Tensor.contiguous", "/self:x", (*SHAPES, *TYPES)),
    Case("threshold", "torch.nn.functional.threshold", "input:x threshold value", tuple((x, 0, 0) for x in (*SHAPES, *TYPES))),
    Case("dropout", "torch.nn.functional.dropout", "input:x p training",
        ((t(), 0.5), (t(0, 2), 0.1, False), (t(2, 3, dtype=FLOAT64),),
                                                                          (t(2), 1.5), (t(2), -0.1))),
    Case("softmax", "torch.softmax", "input:x dim dtype", (
        (t(), 0), (t(), -1), (t(), 1), (t(0, 3), 1), (t(2, 3), -1), (t(2, 3), -2), (t(2, 3), 2), (t(2, 3), -3),
        (t(2, 3, dtype=FLOAT64), 0), (t(2, 3, dtype=INT64), 0), (t(2, 3, dtype=INT64), 0, FLOAT64), (t(2, 3), 0, FLOAT16),
    )),
    Case("log_softmax", "torch.log_softmax", "input:x dim dtype", (
        (t(), 0), (t(0, 3), 1), (t(2, 3), -1), (t(2, 3), 2), (t(2, 3, dtype=FLOAT64), 0), (t(2, 3, dtype=INT64), 0),
    )),
    Case("gumbel_softmax", "torch.nn.functional.gumbel_softmax", "logits:x /tau /hard /eps dim",
        (t(2, 3), t(0, 2), t(2, dtype=FLOAT64), t(), (t(2, 3), 1.0, False, 1e-10, 0), (t(2, 3), 1.0, False, 1e-10, -2),
        (t(2, 3), 1.0, False, 1e-10, 2))),
    Case("softmin", "torch.nn.functional.softmin", "input:x dim", ((t(), 0), (t(0, 3), 1), (t(2, 3), -1), (t(2, 3), 2),
        (t(2, 3, dtype=FLOAT64), 0))),
    Case("normalize", "torch.nn.functional.normalize", "input:x p dim", (
        (t(), 2, 0), (t(0, 3), 2, 1), (t(2, 3), 2, -1), (t(2, 3), 1, 2), (t(2, 3, dtype=FLOAT64), 2, 0),
    )),
    Case("glu", "torch.nn.functional.glu", "input:x dim", (
        (t(4, 6), -1), (t(4, 6), 0), (t(4, 5), 1), (t(0, 6), 1), (t(4, 6), 2), *((m, -1) for m in MATRICES), (t(), 0),
    )),
    Case("prelu", "torch.nn.functional.prelu", "input:x weight", (
        (t(2, 3, 4), t(3)), (t(2, 3, 4), t(1)), (t(2, 3), t(4)), (t(0, 3), t(3)), (t(), t(1)), (t(2, 3), t(2)),
        (t(2, 3, dtype=FLOAT64), t(3, dtype=FLOAT64)),
    )),
    Case("clamp", "torch.clamp", "input:x min max", (
        (t(), 0), (t(0), 0, 1), (t(2, 3), None, 1.5), (t(2, 3, dtype=INT64), 0, 1.5), (t(2, 3, dtype=INT64), 0, 5),
        (t(2, 3), t(3), t(2, 1)), (t(2, 3), t(4)), (t(2, 3, dtype=FLOAT64), -1, 1), (t(2, 3), t(dtype=FLOAT64)),
    )),
    *(
        Case("cast", f"torch.Tensor.{method}", "/self:x", (*SHAPES, *TYPES), const={"dtype": dtype})
        for method, dtype in (("float", "float"), ("double", FLOAT64), ("half", FLOAT16), ("long", INT64), ("int", INT32),
            ("bool", BOOL))
        if method != "float"
    ),
    Case("cast", "torch.Tensor.to", "/self:x dtype", tuple((t(*s), d) for s in ((), (0,), (2, 3))
        for d in (FLOAT64, INT64, BOOL, BFLOAT16))),
]  # fmt: skip
