"""numpy functions."""

from dllint.domains.dtype import (
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
)
from tests.ops.harness import Case as _Case
from tests.ops.harness import Loose, t

ALL = (FLOAT16, FLOAT32, FLOAT64, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BOOL)
X, S = t(2, 3, 4), t()
SHAPES = (S, t(0), t(2, 3), t(2, 0, 3))
TYPES = tuple(t(2, dtype=d) for d in ALL)
NUMERIC = TYPES[:-1]
FLOATS = TYPES[:3]
PAIRS = tuple((t(2, dtype=a), t(2, dtype=b)) for a in ALL for b in ALL)
NUMBERS = tuple((t(*s, dtype=a), n) for a in ALL for n in (1, 1.0, True) for s in ((2,), ()))
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
AXES = ((X, 0), (X, -1), (X, (0, 2)), (X, 3), (X, (0, 0)), (S,), (t(0, 3), 1), (X,))
L = INT64


def Case(op, name, params, samples, const=None):
    return _Case(op, name, params, samples, const or {}, "numpy")


FLOAT_FUNCTIONS = {
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log1p": "log1p", "log2": "log2", "log10": "log10",
        "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
}  # fmt: skip
UNARY = {
    "abs": "abs",
    "square": "square",
    "isnan": "isnan",
    "isinf": "isinf",
    "isfinite": "isfinite",
    "logical_not": "logical_not",
    "nan_to_num": "nan_to_num",
}
D33, D34, I33 = t(2, 3, 3, dtype=FLOAT64), t(2, 3, 4, dtype=FLOAT64), t(3, 3, dtype=INT64)

CASES = [
    Case("svd", "numpy.linalg.svd", "a:x full_matrices compute_uv", ((D34, True), (D34, False), (I33, True),
        (D34, True, False)), {"order": "rows"}),
    Case("qr", "numpy.linalg.qr", "a:x mode", ((D34,), (D34, "complete"), (I33,))),
    Case("eigh", "numpy.linalg.eigh", "a:x", ((D33,), (I33,))),
    Case("slogdet", "numpy.linalg.slogdet", "a:x", ((D33,), (I33,))),
    Case("pinv", "numpy.linalg.pinv", "a:x", ((D34,), (I33,))),
    Case("matrix_function", "numpy.linalg.matrix_power", "a:x n", ((D33, 2),)),
    *(Case(op, f"numpy.{name}", "/x", (*SHAPES, *TYPES)) for op, name in (FLOAT_FUNCTIONS | UNARY).items()),
    *(Case(op, f"numpy.{op}", "/x", (*SHAPES, *NUMERIC)) for op in ("sign", "floor", "ceil", "trunc", "reciprocal")),
    Case("neg", "numpy.negative", "/x", (*SHAPES, *TYPES)),
    Case("round", "numpy.round", "a:x", (*SHAPES, *NUMERIC)),
    *(Case(op, f"numpy.{name}", "/x1:x /x2:y", (*BROADCASTS, *PAIRS, *NUMBERS)) for op,
        name in (("add", "add"), ("mul", "multiply"), ("div", "divide"), ("sub", "subtract"), ("maximum", "maximum"),
        ("minimum", "minimum"), ("eq", "equal"), ("lt", "less"), ("logical_and", "logical_and"))
      if op != "sub"),
    Case("sub", "numpy.subtract", "/x1:x /x2:y", (*BROADCASTS, *PAIRS)),
    *(Case(op, f"numpy.{name}", "/x1:x /x2:y", (*BROADCASTS, *(p for p in PAIRS if BOOL not in (p[0].dtype, p[1].dtype))))
        for op, name in (("pow", "power"), ("mod", "mod"), ("floor_divide", "floor_divide"))),
    *(Case(op, f"numpy.{op}", "/x1:x /x2:y", (*PAIRS, *((t(*a.shape, dtype=L), t(*b.shape, dtype=L)) for a, b in BROADCASTS),
        (t(2, dtype=L), 3), (t(2, dtype=UINT8), 3), (t(2, dtype=BOOL), 3), (t(2, dtype=BOOL), True))) for op in ("gcd", "lcm")),
    Case("atan2", "numpy.arctan2", "/x1:x /x2:y", (*BROADCASTS, *PAIRS)),
    Case("where", "numpy.where", "/condition /x /y", ((t(2, 3, dtype=BOOL), t(3), t(2, 1)), (t(2, dtype=BOOL), t(3), t(2)),
        (t(2, dtype=BOOL), t(2, dtype=L), 0.5), Loose((t(2, 3, dtype=BOOL),)))),
    Case("clamp", "numpy.clip", "a:x a_min:min a_max:max", ((X, 0, 1), (S, 0, 1), (t(0), 0, 1), (t(2, dtype=L), 0, 1),
        (t(2, 3), t(3), t(2, 1)), (t(2, 3), t(4), None), (t(2, dtype=L), 0, 1.5))),
    *(Case(op, f"numpy.{op}", "a:x axis:dim", (*AXES, *((x, 0) for x in TYPES)))
        for op in ("sum", "mean", "prod", "all", "any", "std", "var")),
    *(Case(op, f"numpy.{op}", "a:x axis:dim", (*AXES, *((x, 0) for x in TYPES), (t(0, 3), 0), (t(0),)))
        for op in ("amax", "amin")),
    *(Case(op, f"numpy.{op}", "a:x axis:dim", ((X, 0), (X, -1), (X, 3), (X,), (S,), (t(0, 3), 1), (t(0, 3), 0),
        (t(2, dtype=BOOL), 0))) for op in ("argmax", "argmin")),
    *(Case(op, f"numpy.{op}", "a:x axis:dim", ((X, 0), (X, -1), (X, 3), (X,), (S,), (t(0, 3), 0), *((x, 0) for x in TYPES)))
        for op in ("cumsum", "cumprod")),
    Case("median", "numpy.median", "a:x axis:dim", (*AXES[:3], (X,), *((x, 0) for x in TYPES[1:-1]))),
    Case("norm", "numpy.linalg.norm", "x /ord axis:dim", tuple((x, None, *r) for x,
        *r in ((X,), (X, 0), (X, -1), (X, (0, 1)), (t(2, dtype=L), 0), (S,)))),
    Case("count_nonzero", "numpy.count_nonzero", "a:x axis:dim", ((X, 0), (X, -1), (X, 3), (t(0), 0), (t(2, dtype=BOOL), 0))),
    Case("sort", "numpy.sort", "a:x axis:dim", ((X,), (X, 0), (X, -2), (X, 3), (X, None), (t(0, 3), 0), (t(2, dtype=L),))),
    Case("argsort", "numpy.argsort", "a:x axis:dim", ((X,), (X, 0), (X, -2), (X, 3), (X, None), (t(0, 3), 0),
        (t(2, dtype=L),))),
    Case("matmul", "numpy.matmul", "/x /y", ((t(3), t(3)), (t(2, 3), t(3, 4)), (t(2, 3), t(2, 3)), (t(5, 2, 3), t(3, 4)),
        (t(5, 1, 2, 3), t(6, 3, 4)), (t(5, 2, 3), t(6, 3, 4)), (S, t(3)), (t(0, 3), t(3, 2)), (t(2, 3, dtype=L), t(3, 4)))),
    Case("np_dot", "numpy.dot", "/a:x /b:y", ((t(3), t(3)), (t(2, 3), t(3, 4)), (t(2, 3), t(2, 3)), (t(5, 2, 3), t(3, 4)),
        (t(5, 2, 3), t(6, 3, 4)), (S, t(3)), (t(0, 3), t(3, 2)), (t(2, 3, dtype=L), t(3, 4)))),
    Case("outer", "numpy.outer", "a:x b:y", ((t(3), t(4)), (t(2, 3), t(4)), (S, t(3)), (t(0), t(2)), (t(2, dtype=L), t(2)))),
    Case("kron", "numpy.kron", "a:x b:y", ((t(3), t(4)), (t(2, 3), t(4)), (S, t(3)), (t(0), t(2)), (t(2, dtype=L), t(2)))),
    Case("tensordot", "numpy.tensordot", "a:x b:y axes:dims", ((t(2, 3, 4), t(3, 4, 5), 2),
        (t(2, 3), t(4, 3), ((-1,), (-1,))), (t(2, 3), t(4, 5), 1), (t(2, 3, dtype=L), t(3, 4), 1))),
    Case("einsum", "numpy.einsum", "/equation *operands", (("ij,jk->ik", t(2, 3), t(3, 4)), ("ij,jk->ik", t(2, 3), t(2, 3)),
        ("ii->i", t(3, 3)), ("...i,i->...", t(2, 5, 3), t(3)), ("ij,jk->ik", t(2, 3, dtype=L), t(3, 4)))),
    Case("reshape", "numpy.reshape", "/a:x shape", ((X, (6, 4)), (X, -1), (X, (5, -1)), (X, (5, 5)), (S, (1,)),
        (t(0, 3), (3, 0)), (t(2, dtype=L), (2, 1)))),
    Case("ravel", "numpy.ravel", "a:x", (X, S, t(0, 3), t(2, dtype=L))),
    Case("squeeze", "numpy.squeeze", "a:x axis:dim", ((t(1, 3, 1),), (t(1, 3, 1), 0), (t(1, 3, 1), 1), (t(1, 3, 1), -1),
        (t(1, 3, 1), (0, 2)), (t(1, 3, 1), 3), (S,), (t(1, 0),), (t(1, 2, dtype=L), 0))),
    Case("unsqueeze", "numpy.expand_dims", "a:x axis:dim", ((X, 0), (X, -1), (X, (0, 2)), (X, 4), (S, 0), (t(0), 1),
        (t(2, dtype=L), 0))),
    Case("permute", "numpy.transpose", "a:x axes:dims", ((X,), (X, (2, 0, 1)), (X, (-1, 0, 1)), (X, (0, 1)), (X, (0, 0, 1)),
        (S,), (t(0, 3),), (t(2, 3, dtype=L),))),
    Case("swapaxes", "numpy.swapaxes", "a:x axis1:dim0 axis2:dim1", ((X, 0, 1), (X, -1, -2), (X, 0, 3), (t(0, 3), 0, 1),
        (t(2, 3, dtype=L), 0, 1))),
    Case("movedim", "numpy.moveaxis", "a:x source destination", ((X, 0, 2), (X, -1, 0), (X, (0, 1), (1, 2)), (X, 3, 0),
        (X, (0, 1), (1,)), (t(0, 3), 0, 1), (t(2, 3, dtype=L), 0, 1))),
    Case("broadcast_to", "numpy.broadcast_to", "array:x shape", ((t(1, 3), (2, 3)), (t(2, 3), (4, 3)), (S, (2,)),
        (t(0, 1), (0, 3)), (t(1, dtype=L), (4,)))),
    Case("tile", "numpy.tile", "A:x reps:repeats", ((X, (2, 1, 3)), (X, 2), (t(3), (2, 2)), (S, (3,)), (t(0, 3), (2, 2)),
        (t(2, dtype=L), 2))),
    Case("repeat_interleave", "numpy.repeat", "a:x repeats axis:dim", ((X, 2), (X, 2, 1), (X, 2, -1), (X, 2, 3),
        (X, (1, 2), 0), (X, (1, 2, 3), 0), (S, 2), (t(0, 3), 2, 0), (t(2, dtype=L), 2))),
    Case("flip", "numpy.flip", "m:x axis:dim", ((X,), (X, 0), (X, (0, -1)), (X, 3), (t(0, 3), 0), (t(2, dtype=L),))),
    Case("roll", "numpy.roll", "a:x shift:shifts axis:dim", ((X, 1), (X, 1, 0), (X, (1, 2), (0, -1)), (X, 1, 3), (S, 1),
        (t(0, 3), 1, 0), (t(2, dtype=L), 1))),
    Case("cat", "numpy.concatenate", "/tensors axis:dim", (((t(2, 3), t(4, 3)),), ((t(2, 3), t(2, 4)), -1),
        ((t(2, 3), t(2, 4)),), ((t(2, 3), t(2)),), ((t(2, 3), t(2, 3)), 2), ((t(0), t(2, 3)),), ((t(0, 3), t(2, 3)),),
        ((S, S),), *((p,) for p in PAIRS))),
    Case("stack", "numpy.stack", "arrays:tensors axis:dim", (((t(2, 3), t(2, 3)),), ((t(2, 3), t(2, 3)), -1),
        ((t(2, 3), t(2, 3)), 3), ((t(2, 3), t(2, 4)),), ((S, S),), ((t(0), t(0)), 1), ((t(2, dtype=L), t(2)),))),
    Case("hstack", "numpy.hstack", "tup:tensors", (((t(2), t(3)),), ((S, S),), ((t(2, 3), t(2, 4)),), ((t(2, 3), t(3, 4)),),
        ((t(2, dtype=L), t(3)),), ((t(0), t(3)),))),
    Case("vstack", "numpy.vstack", "tup:tensors", (((t(2), t(2)),), ((S, S),), ((t(2, 3), t(4, 3)),), ((t(2, 3), t(3)),),
        ((t(2, 3), t(3, 4)),), ((t(2, dtype=L), t(2)),), ((t(0, 2), t(2)),))),
    Case("split", "numpy.split", "ary:x indices_or_sections:sections axis:dim",
        ((t(6, 4), 2), (t(6, 4), 4), (t(6, 4), (1, 4)), (t(6, 4), 2, -1), (t(6, 4), 2, 2), (t(0, 3), 2), (t(2, dtype=L), 2))),
    Case("tensor_split", "numpy.array_split", "ary:x indices_or_sections:sections axis:dim",
        ((t(6, 4), 2), (t(6, 4), 4), (t(6, 4), (1, 4)), (t(6, 4), 3, -1), (t(6, 4), 2, 2), (t(0, 3), 2), (t(2, dtype=L), 2))),
    Case("take", "numpy.take", "a:x indices:index axis:dim", ((X, t(3, dtype=L)), (X, t(3, dtype=L), 1),
        (X, t(5, 2, dtype=L), -1), (X, 0, 0), (X, t(3, dtype=L), 3), (X, t(0, dtype=L)), (t(2, dtype=L), t(dtype=L)))),
    Case("tril", "numpy.tril", "m:x k:diagonal", ((X,), (t(3),), (t(2, 3), 1), (t(0, 3),), (t(2, 2, dtype=L),))),
    Case("diag", "numpy.diag", "v:x k:diagonal", ((t(3),), (t(3), -2), (t(2, 3), 1), (X,), (t(0),), (t(2, 2, dtype=L),))),
    Case("getitem", "numpy.ndarray.__getitem__", "/x /index", tuple((X, i)
        for i in (0, -1, 2, (0, 0, 0, 0), None, Ellipsis, (Ellipsis, 0), slice(None, None, -1), slice(1, None),
        (t(3, dtype=L), 0), (0, slice(None), t(3, dtype=L)), (slice(None), t(3, dtype=L), 0),
         (t(3, dtype=L), slice(None), t(3, dtype=L)), ((0, 1),), t(2, 1, dtype=L), slice(5, 0, -2), slice(None, 0, -1)))),
    Case("zeros", "numpy.zeros", "shape dtype", (((2, 3),), (5,), ((0, 2),), ((2,), L), ((2, -1),))),
    Case("ones", "numpy.ones", "shape dtype", (((2, 3),), (5,), ((0, 2),), ((2,), L), ((2, -1),))),
    Case("full", "numpy.full", "shape fill_value dtype", (((2, 3), 1.0), ((2,), 1), ((2,), True), (3, 0, FLOAT32))),
    Case("zeros_like", "numpy.zeros_like", "a:x", (X, S, t(0), t(2, dtype=L))),
    Case("eye", "numpy.eye", "N:n M:m", (3, (3, 4), 0)),
    Case("arange", "numpy.arange", "/start /end /step", (5, 5.0, (2, 7), (2, 7, 2), (0, 1, 0.25), (5, 0, -1), (5, 0),
         *((0, 1, 1.0 / n) for n in (3, 6, 7, 15, 49)), *((1, 0, -1.0 / n) for n in (6, 11, 13, 49)), (0.1, 0.7, 0.1))),
    Case("linspace", "numpy.linspace", "start stop:end num:steps", ((0, 1), (0, 1, 5), (0, 1, 0))),
    Case("array", "numpy.array", "/data", (((1, 2),), ((1.0, 2),), (((1, 2), (3, 4)),), ((True,),), 1, 1.5, ((),),
        ((1, 2j),), X)),
    Case("nonzero", "numpy.nonzero", "a:x", tuple(map(Loose, ((X,), (t(0),), (t(2, dtype=L),))))),
    Case("meshgrid", "numpy.meshgrid", "*tensors", ((t(2), t(3)), (t(0), t(3)), (t(2, dtype=L), t(3)), (t(2),))),
    *(_Case("array", "tests.ops.library_calls.array", "/data /dtype", (((1, 2), d), (S, d), ((), d)), {}, "numpy")
        for d in (FLOAT32, L, BOOL)),
]  # fmt: skip
