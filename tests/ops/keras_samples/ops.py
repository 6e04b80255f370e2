"""``keras.ops`` functions, on the torch backend and on symbolic tensors.

64-bit types are left out where backends differ (TensorFlow keeps them, JAX and torch partly make them 32-bit ones).
"""

from dllint.domains.dtype import BFLOAT16, BOOL, FLOAT16, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, UINT8
from tests.ops.harness import Case as _Case
from tests.ops.harness import Loose, Quiet, t

ALL = (FLOAT16, BFLOAT16, FLOAT32, UINT8, INT8, INT16, INT32, BOOL)
X, S, L = t(2, 3, 4), t(), INT64
SHAPES = (S, t(0), t(2, 3), t(2, 0, 3))
TYPES = tuple(t(2, dtype=d) for d in ALL)
NUMERIC = TYPES[:-1]
SIGNED = tuple(x for x in NUMERIC if x.dtype != UINT8)
FLOAT_PAIRS = tuple((t(2, dtype=a), t(2, dtype=b)) for a in ALL[:3] for b in ALL[:3])
FLOATS = (t(2, dtype=FLOAT16), t(2, dtype=FLOAT64), t(2, dtype=BFLOAT16))
PAIRS = tuple((t(2, dtype=a), t(2, dtype=b)) for a in ALL for b in ALL)
NUMBERS = tuple((t(2, dtype=a), n) for a in ALL for n in (1, 1.0))
BROADCASTS = (
    (S, S),
    (X, S),
    (t(2, 3), t(3)),
    (t(2, 3), t(2, 1)),
    (t(0), t(1)),
    (t(2, 3), t(2)),
    (t(2, 3), t(3, 2)),
    (t(0), t(2)),
)
AXES = ((X, 0), (X, -1), (X, (0, 2)), (X, 3), (S,), (t(0, 3), 1), (X,))


def Case(op, name, params, samples, const=None):
    return _Case(op, f"keras.ops.{name}", params, samples, const or {}, "keras")


FLOAT_FUNCTIONS = {
    "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "log2": "log2", "log10": "log10", "sqrt": "sqrt",
        "rsqrt": "rsqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "floor": "floor", "ceil": "ceil",
        "reciprocal": "reciprocal",
}  # fmt: skip
KEPT = {
    "abs": "absolute",
    "square": "square",
    "sign": "sign",
    "isnan": "isnan",
    "isinf": "isinf",
    "isfinite": "isfinite",
    "logical_not": "logical_not",
}
ACTIVATIONS = {
    "relu": "relu", "relu6": "relu6", "leaky_relu": "leaky_relu", "elu": "elu", "selu": "selu", "gelu": "gelu", "silu": "silu",
    "softplus": "softplus", "softsign": "softsign", "sigmoid": "sigmoid", "logsigmoid": "log_sigmoid",
    "hardsigmoid": "hard_sigmoid", "hardtanh": "hard_tanh", "hardswish": "hard_silu",
}  # fmt: skip

CASES = [
    *(Case(op, name, "x", (*SHAPES, *NUMERIC)) for op, name in FLOAT_FUNCTIONS.items()),
    *(Case(op, name, "x", (*SHAPES, *NUMERIC)) for op, name in KEPT.items()),
    *(Case(op, name, "x", (*SHAPES, *FLOATS)) for op, name in ACTIVATIONS.items()),
    *(Case(op, name, "x1:x x2:y", (*BROADCASTS, *PAIRS, *NUMBERS)) for op,
        name in (("add", "add"), ("mul", "multiply"), ("div", "divide"), ("eq", "equal"), ("lt", "less"),
        ("ge", "greater_equal"), ("logical_and", "logical_and"), ("maximum", "maximum"), ("minimum", "minimum"))),
    *(Case(op, name, "x1:x x2:y", (*BROADCASTS, *(p for p in (*PAIRS, *NUMBERS)
        if BOOL not in (p[0].dtype, getattr(p[1], "dtype", 0))))) for op, name in (("sub", "subtract"), ("pow", "power"))),
    *(Case(op, op, "x1:x x2:y", (*BROADCASTS, *FLOAT_PAIRS)) for op in ("mod", "floor_divide")),
    Case("where", "where", "condition x1:x x2:y", ((t(2, 3, dtype=BOOL), t(3), t(2, 1)), (t(2, dtype=BOOL), t(3), t(2)),
        (t(dtype=BOOL), S, S), (t(0, dtype=BOOL), t(1), t(1)), *((t(2, dtype=BOOL), a, b) for a, b in PAIRS[:30]))),
    Case("clamp", "clip", "x x_min:min x_max:max", ((X, 0, 1), (S, 0, 1), (t(0), 0, 1), (t(2, dtype=INT32), 0, 1))),
    *(Case(op, op, "x axis:dim keepdims:keepdim", (*AXES, (X, 0, True), (X, (0, -1), True), *((x, 0) for x in SIGNED)))
        for op in ("sum", "mean", "all", "any")),
    *(Case(op, op, "x axis:dim keepdims:keepdim", ((X, 0), (X, -1), (X, 3), (S,), (t(0, 3), 1), (X,), (X, 0, True),
        *((x, 0) for x in SIGNED))) for op in ("prod", "std", "var")),
    *(Case(op, name, "x axis:dim keepdims:keepdim", (*AXES[:5], (X,), Quiet(AXES[5]), (X, 0, True),
        *((x, 0) for x in NUMERIC))) for op, name in (("amax", "max"), ("amin", "min"))),
    *(Case(op, op, "x axis:dim keepdims:keepdim", ((X, 0), (X, -1), (X, 3), (X,), (S,), (t(0, 3), 1), (X, 0, True),
        (t(2, dtype=L), 0))) for op in ("argmax", "argmin")),
    Case("logsumexp", "logsumexp", "x axis:dim keepdims:keepdim", ((X, 0), (X, -1), (X, (0, 2)), (X, 0, True), (X,),
        (t(2, dtype=FLOAT64), 0))),
    *(Case(op, op, "x axis:dim", ((X, 0), (X, -1), (X, 3), (X,), (t(0, 3), 0), *((x, 0) for x in NUMERIC)))
        for op in ("cumsum", "cumprod")),
    Case("median", "median", "x axis:dim keepdims:keepdim", ((X, 0), (X, -1), (X,), (X, (0, 1)), (X, 0, True),
        (t(2, dtype=INT32), 0), (t(2, dtype=FLOAT16), 0))),
    Case("sort", "sort", "x axis:dim", ((X,), (X, 0), (X, -2), (X, 3), (t(0, 3), 0), (t(2, dtype=L),))),
    Case("argsort", "argsort", "x axis:dim", ((X,), (X, 0), (X, -2), (X, 3), (t(0, 3), 0), (t(2, dtype=L),))),
    Case("topk", "top_k", "x k", tuple(map(Loose, ((X, 2), (t(5), 3), (t(0, 3), 2), (t(5, dtype=FLOAT64), 2))))),
    Case("softmax", "softmax", "x axis:dim", ((X,), (X, 0), (X, -2), (t(0, 3), 1), (X, (1, 2)), (t(2, 3, dtype=FLOAT16),))),
    Case("log_softmax", "log_softmax", "x axis:dim", ((X,), (X, 0), (X, -2), (t(0, 3), 1), (t(2, 3, dtype=FLOAT16),))),
    Case("matmul", "matmul", "x1:x x2:y", ((t(3), t(3)), (t(2, 3), t(3)), (t(2, 3), t(3, 4)), (t(2, 3), t(2, 3)),
        (t(5, 2, 3), t(3, 4)), (t(5, 1, 2, 3), t(6, 3, 4)), (t(5, 2, 3), t(6, 3, 4)), (S, t(3)), (t(0, 3), t(3, 2)),
        (t(2, 3, dtype=FLOAT16), t(3, 4)))),
    Case("np_dot", "dot", "x1:x x2:y", ((t(3), t(3)), (t(2, 3), t(3, 4)), (t(2, 3), t(2, 3)), (t(5, 2, 3), t(3, 4)),
        (S, t(3)), (t(0, 3), t(3, 2)), (t(2, 3, dtype=FLOAT16), t(3, 4)))),
    Case("outer", "outer", "x1:x x2:y", ((t(3), t(4)), (t(2, 3), t(4)), (S, t(3)), (t(0), t(2)), (t(2, dtype=L), t(2)))),
    Case("tensordot", "tensordot", "x1:x x2:y axes:dims", ((t(2, 3, 4), t(3, 4, 5), 2), (t(2, 3), t(4, 3), ((-1,), (-1,))),
        (t(2, 3), t(4, 5), 1), (t(2, 1), t(4, 5), 1), (t(2, 3), t(1, 5), 1), (t(2, 3, dtype=FLOAT16), t(3, 4), 1))),
    Case("einsum", "einsum", "/equation *operands", (("ij,jk->ik", t(2, 3), t(3, 4)), ("ij,jk->ik", t(2, 3), t(2, 3)),
        ("...i,i->...", t(2, 5, 3), t(3)), ("bhqd,bhkd->bhqk", t(2, 4, 5, 8), t(2, 4, 6, 8)),
        ("ij,jk->ik", t(2, 3, dtype=FLOAT16), t(3, 4, dtype=FLOAT16)))),
    Case("reshape", "reshape", "x newshape:shape", ((X, (6, 4)), (X, (2, -1)), (X, (5, -1)), (X, (5, 5)), (S, (1,)),
        (t(0, 3), (3, 0)), (t(2, dtype=L), (2, 1)))),
    Case("ravel", "ravel", "x", (X, S, t(0, 3), t(2, dtype=L))),
    Case("squeeze", "squeeze", "x axis:dim", ((t(1, 3, 1),), (t(1, 3, 1), 0), (t(1, 3, 1), -1), (t(1, 3, 1), 3), (t(1, 0),),
        (t(1, 2, dtype=L), 0))),
    Case("unsqueeze", "expand_dims", "x axis:dim", ((X, 0), (X, -1), (X, (0, 2)), (X, 4), (S, 0), (t(0), 1),
        (t(2, dtype=L), 0))),
    Case("permute", "transpose", "x axes:dims", ((X,), (X, (2, 0, 1)), (X, (-1, 0, 1)), (X, (0, 1)), (t(0, 3),),
        (t(2, 3, dtype=L),))),
    Case("swapaxes", "swapaxes", "x axis1:dim0 axis2:dim1", ((X, 0, 1), (X, -1, -2), (X, 0, 3), (t(0, 3), 0, 1),
        (t(2, 3, dtype=L), 0, 1))),
    Case("movedim", "moveaxis", "x source destination", ((X, 0, 2), (X, -1, 0), (X, (0, 1), (1, 2)), (X, 3, 0),
        (t(0, 3), 0, 1), (t(2, 3, dtype=L), 0, 1))),
    Case("broadcast_to", "broadcast_to", "x shape", ((t(1, 3), (2, 3)), (t(2, 3), (4, 3)), (S, (2,)), (t(0, 1), (0, 3)),
        (t(1, dtype=L), (4,)))),
    Case("tile", "tile", "x repeats", ((X, (2, 1, 3)), (X, 2), (t(3), (2, 2)), (t(0, 3), (2, 2)), (t(2, dtype=L), 2))),
    Case("repeat_interleave", "repeat", "x repeats axis:dim", ((X, 2), (X, 2, 1), (X, 2, -1), (X, 2, 3), (S, 2),
        (t(0, 3), 2, 0), (t(2, dtype=L), 2))),
    Case("flip", "flip", "x axis:dim", ((X,), (X, 0), (X, (0, -1)), (X, 3), (t(0, 3), 0), (t(2, dtype=L),))),
    Case("roll", "roll", "x shift:shifts axis:dim", ((X, 1), (X, 1, 0), (X, 1, 3), (t(0, 3), 1, 0), (t(2, dtype=L), 1))),
    Case("cat", "concatenate", "xs:tensors axis:dim", (((t(2, 3), t(4, 3)), 0), ((t(2, 3), t(2, 4)), -1),
        ((t(2, 3), t(2, 4)), 0), ((t(2, 3), t(2, 3)), 2), ((t(0, 3), t(2, 3)), 0), *((p, 0) for p in PAIRS))),
    Case("stack", "stack", "x:tensors axis:dim", (((t(2, 3), t(2, 3)),), ((t(2, 3), t(2, 3)), -1), ((t(2, 3), t(2, 3)), 3),
        ((t(2, 3), t(2, 4)),), ((S, S),), ((t(0), t(0)), 1), *((p, 0) for p in PAIRS[:30]))),
    Case("hstack", "hstack", "xs:tensors", (((t(2), t(3)),), ((t(2, 3), t(2, 4)),), ((t(2, 3), t(3, 4)),),
        ((t(2, dtype=L), t(3)),), ((t(0), t(3)),))),
    Case("vstack", "vstack", "xs:tensors", (((t(2), t(2)),), ((t(2, 3), t(4, 3)),), ((t(2, 3), t(3, 4)),),
        ((t(2, dtype=L), t(2)),), ((t(0, 2), t(2, 2)),))),
    Case("split", "split", "x indices_or_sections:sections axis:dim", ((t(6, 4), 2), (t(6, 4), 4), (t(6, 4), (1, 4)),
        (t(6, 4), 2, -1), (t(6, 4), 2, 2), (t(0, 3), 2), (t(2, dtype=L), 2))),
    Case("unbind", "unstack", "x /num axis:dim", ((t(2, 3),), (t(2, 3), None, -1), (t(2, 3), None, 2), (t(2, 0),),
        (t(2, 3, dtype=L),))),
    Case("take", "take", "x indices:index axis:dim", ((X, t(3, dtype=L)), (X, t(3, dtype=L), 1), (X, t(5, 2, dtype=L), -1),
        (X, t(3, dtype=L), 3), (X, t(0, dtype=L)), (t(2, dtype=L), t(dtype=L)))),
    Case("take_along_dim", "take_along_axis", "x indices:index axis:dim",
        ((X, t(2, 3, 1, dtype=L), -1), (X, t(2, 3, 1, dtype=L), 2), (X, t(2, 3, dtype=L), 1),
        (t(0, 3), t(0, 1, dtype=L), 1), (t(2, 3, dtype=FLOAT64), t(2, 1, dtype=L), 1))),
    Case("tril", "tril", "x k:diagonal", ((X,), (X, 1), (t(0, 3),), (t(2, 2, dtype=L),))),
    Case("diag", "diag", "x k:diagonal", ((t(3),), (t(3), -2), (t(2, 3), 1), (t(0),), (t(2, 2, dtype=L),))),
    Case("diagonal", "diagonal", "x offset axis1:dim1 axis2:dim2", ((X,), (X, 0, 1, 2), (X, 1, -2, -1), (X, -1, 0, 2),
        (t(0, 3),), (t(2, 2, dtype=L),))),
    Case("trace", "trace", "x", (X, t(3, 3), t(2, 3), t(0, 3), t(2, 2, dtype=L), t(2, 2, dtype=BOOL))),
    Case("one_hot", "one_hot", "x num_classes axis:dim dtype", ((t(2, 3, dtype=L), 5), (t(2, 3, dtype=L), 5, 0),
        (t(2, 3, dtype=L), 5, -1), (t(dtype=L), 3), (t(0, dtype=L), 4), (t(2, dtype=INT32), 3, -1, FLOAT16))),
    Case("nonzero", "nonzero", "x", tuple(map(Loose, ((X,), (t(0),), (t(2, dtype=L),))))),
    Case("meshgrid", "meshgrid", "*tensors", ((t(2), t(3)), (t(0), t(3)), (t(2, dtype=L), t(3, dtype=L)))),
    Case("zeros", "zeros", "shape dtype", (((2, 3),), ((0, 2),), ((2,), L))),
    Case("ones", "ones", "shape dtype", (((2, 3),), ((0, 2),), ((2,), L))),
    Case("full", "full", "shape fill_value dtype", (((2, 3), 1.0), ((2,), 1), ((2,), 0, FLOAT16))),
    Case("zeros_like", "zeros_like", "x", (X, S, t(0), t(2, dtype=L))),
    Case("eye", "eye", "/N:n /M:m", (3, (3, 4), 0)),
    Case("arange", "arange", "/start stop:end step dtype", (5, 5.0, (2, 7), (2, 7, 2), (0, 5, 1, FLOAT64))),
    Case("linspace", "linspace", "start stop:end num:steps", ((0, 1), (0, 1, 5), (0, 1, 0))),
    Case("cast", "cast", "x dtype", ((X, FLOAT16), (S, L), (t(0), BOOL), (t(2, dtype=L), FLOAT32))),
    Case("normalize", "normalize", "x axis:dim order:p", ((X,), (X, 0, 2), (X, -1, 1), (t(0, 3),), (t(2, 3, dtype=FLOAT64),))),
    _Case("batch_dot", "tests.ops.library_calls.dot_layer", "/x /y /axes", (
        (t(2, 3), t(2, 3), 1), (t(2, 3, 4), t(2, 3, 5), 1), (t(2, 3, 4), t(2, 5, 4), 2), (t(2, 3, 4), t(2, 4, 5), (2, 1)),
            (t(2, 3), t(2, 4), 1),
        (t(2, 3, 4), t(2, 5, 4), -1), (t(2, 3, 4), t(2, 5, 4), 1),
    ), {}, "keras"),
]  # fmt: skip
