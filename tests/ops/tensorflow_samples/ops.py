"""TensorFlow functions: no promotion of element types."""

from dllint.domains.dtype import BOOL, FLOAT16, FLOAT32, FLOAT64, INT32, INT64
from tests.ops.harness import Case as _Case
from tests.ops.harness import Loose, t

X, S = t(2, 3, 4), t()
SHAPES = (S, t(0), t(2, 3), t(2, 0, 3))
FLOATS = (t(2, dtype=FLOAT16), t(2, dtype=FLOAT64))
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
TYPES = (FLOAT16, FLOAT32, INT32)
PAIRS = tuple((t(2, dtype=a), t(2, dtype=b)) for a in TYPES for b in TYPES)
NUMBERS = tuple((t(2, dtype=d), n) for d in (*TYPES, FLOAT64, INT64) for n in (1, 1.5))
AXES = ((X, 0), (X, -1), (X, (0, 2)), (X, 3), (S,), (t(0, 3), 1), (X,), (X, 0, True))


def Case(op, name, params, samples):
    return _Case(op, f"tensorflow.{name}", params, samples, {}, "tensorflow")


CASES = [
    *(Case(op, f"math.{op}", "x", (*SHAPES, *FLOATS, t(2, dtype=INT32))) for op in ("exp", "sin", "log", "sigmoid")),
    *(Case(op, f"math.{op}", "x", (*SHAPES, *FLOATS, t(2, dtype=INT32))) for op in ("abs", "square", "sign")),
    *(
        Case(op, f"math.{name}", "x y", (*BROADCASTS, *PAIRS, *NUMBERS))
        for op, name in (("add", "add"), ("mul", "multiply"), ("sub", "subtract"), ("maximum", "maximum"))
    ),
    *(Case(op, f"math.{name}", "x y", (*BROADCASTS, *PAIRS)) for op, name in (("eq", "equal"), ("lt", "less"))
      if op != "eq"),
    Case("div", "math.divide", "x y", (*BROADCASTS, *((a, b) for a, b in PAIRS if a.dtype == b.dtype))),
    *(
        Case(op, f"math.{name}", "input_tensor:x axis:dim keepdims:keepdim", (*AXES, (t(2, dtype=INT32), 0)))
        for op, name in (("sum", "reduce_sum"), ("mean", "reduce_mean"), ("amax", "reduce_max"), ("prod", "reduce_prod"))
    ),
    Case("std", "math.reduce_std", "input_tensor:x axis:dim keepdims:keepdim", (*AXES, (t(2, dtype=INT32), 0))),
    Case("argmax", "argmax", "input:x axis:dim", ((X,), (X, 1), (X, -1), (X, 3), (t(0, 3), 1), (t(2, dtype=INT32),))),
    Case("cumsum", "cumsum", "x axis:dim", ((X,), (X, 1), (X, -1), (X, 3), (t(0, 3), 1), (t(2, dtype=INT32),))),
    Case("matmul", "matmul", "a:x b:y transpose_a transpose_b", (
        (t(2, 3), t(3, 4)), (t(2, 3), t(2, 3)), (t(2, 3), t(4, 3), False, True), (t(3, 2), t(3, 4), True),
            (t(5, 2, 3), t(5, 3, 4)),
        (t(0, 3), t(3, 2)), (t(2, 3, dtype=FLOAT16), t(3, 4)),
    )),
    Case("reshape", "reshape", "tensor:x shape", ((X, (6, 4)), (X, (2, -1)), (X, (5, -1)), (X, (5, 5)), (S, (1,)),
        (t(0, 3), (3, 0)))),
    Case("permute", "transpose", "a:x perm:dims", ((X,), (X, (2, 0, 1)), (X, (0, 1)), (t(0, 3),), (t(2, 3, dtype=INT32),))),
    Case("unsqueeze", "expand_dims", "input:x axis:dim", ((X, 0), (X, -1), (X, 4), (S, 0), (t(0), 1), (t(2, dtype=INT32), 0))),
    Case("squeeze", "squeeze", "input:x axis:dim", ((t(1, 3, 1),), (t(1, 3, 1), 0), (t(1, 3, 1), 1), (t(1, 3, 1), (0, 2)))),
    Case("cat", "concat", "values:tensors axis:dim", (
        ((t(2, 3), t(4, 3)), 0), ((t(2, 3), t(2, 4)), -1), ((t(2, 3), t(2, 4)), 0), ((t(2, 3), t(2, 3)), 2),
    )),
    Case("stack", "stack", "values:tensors axis:dim", (((t(2, 3), t(2, 3)),), ((t(2, 3), t(2, 3)), -1),
        ((t(2, 3), t(2, 4)),), ((S, S),))),
    Case("unbind", "unstack", "value:x /num axis:dim", ((t(2, 3),), (t(2, 3), None, -1), (t(2, 3), None, 2),
        (t(2, 3, dtype=INT32),))),
    Case("split", "split", "value:x num_or_size_splits:sections axis:dim", (
        (t(6, 4), 2), (t(6, 4), 4), (t(6, 4), (1, 2, 3)), (t(6, 4), (1, 2)), (t(6, 4), (2, -1)), (t(6, 4), 2, -1),
            (t(6, 4), 2, 2),
    )),
    Case("tile", "tile", "input:x multiples:repeats", ((X, (2, 1, 3)), (X, (2,)), (t(0, 3), (2, 2)),
        (t(2, dtype=INT32), (2,)))),
    Case("repeat_interleave", "repeat", "input:x repeats axis:dim", ((X, 2), (X, 2, 1), (X, 2, -1), (X, 2, 3),
        (t(0, 3), 2, 0))),
    Case("broadcast_to", "broadcast_to", "input:x shape", ((t(1, 3), (2, 3)), (t(2, 3), (4, 3)), (S, (2,)),
        (t(1, dtype=INT32), (4,)))),
    Case("take", "gather", "params:x indices:index", ((X, t(1, dtype=INT32)), (X, t(5, 2, dtype=INT32)), (X, 0),
        (t(2, dtype=INT32), 0))),
    Case("tensor_diag_part", "linalg.tensor_diag_part", "input:x", ((t(3, 3),), (S,), (t(2, 3, 2, 3),), (t(2, 3),),
        (t(2, 3, 4),), (t(2, 3, 3, 2),), (t(2, 2, dtype=INT32),))),
    Case("one_hot", "one_hot", "indices:x depth:num_classes", ((t(2, 3, dtype=INT32), 5), (t(dtype=INT32), 3),
        (t(0, dtype=INT32), 4))),
    Case("cast", "cast", "x dtype", ((X, FLOAT16), (S, INT64), (t(0), BOOL), (t(2, dtype=INT32), FLOAT32))),
    Case("where", "where", "condition x y", (
        (t(2, 3, dtype=BOOL), t(3), t(2, 1)), (t(2, dtype=BOOL), t(3), t(2)), (t(dtype=BOOL), S, S),
            Loose((t(2, 3, dtype=BOOL),)),
    )),
    Case("clamp", "clip_by_value", "t:x clip_value_min:min clip_value_max:max", ((X, 0.0, 1.0), (S, 0, 1), (t(0), 0.0, 1.0))),
    Case("zeros", "zeros", "shape dtype", (((2, 3),), ((0, 2),), ((2,), INT64))),
    Case("full", "fill", "dims:shape value:fill_value", (((2, 3), 1.0), ((2,), 1))),
    Case("arange", "range", "/start limit:end delta:step", (5, 5.0, (2, 7), (2, 7, 2), (0.0, 1.0, 0.25),
         *((0.0, 1.0, 1.0 / n) for n in (3, 6, 7, 15, 49)), (0.1, 0.7, 0.1))),
    Case("eye", "eye", "/num_rows:n /num_columns:m", (3, (3, 4), 0)),
    Case("topk", "math.top_k", "input:x k", ((X, 2), (t(5), 3), (t(0, 3), 2), (X, 5), (t(5, dtype=FLOAT64), 2))),
    Case("softmax", "nn.softmax", "logits:x axis:dim", ((X,), (X, 0), (X, -2), (t(0, 3), 1), (t(2, 3, dtype=FLOAT16),))),
    *(
        Case("norm", "linalg.norm", "tensor:x ord:p axis:dim keepdims:keepdim", tuple(
            (t(2, 3, dtype=dtype), order, axis) for dtype in (FLOAT64, INT32, INT64) for axis in (None, 0, 1)))
        for order in ("euclidean", 1, 2.0, float("inf"), 3)
    ),
    Case("tensordot", "tensordot", "a:x b:y axes:dims", ((t(2, 3, 4), t(3, 4, 5), 2), (t(2, 3), t(4, 3), ((1,), (1,))),
        (t(2, 3), t(4, 5), 1))),
    Case("einsum", "einsum", "/equation *operands", (("ij,jk->ik", t(2, 3), t(3, 4)), ("ij,jk->ik", t(2, 3), t(2, 3)))),
]  # fmt: skip
