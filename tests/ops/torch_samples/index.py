"""Subscripts, gathering and scattering, masks, creation."""

from dllint.domains.dtype import BOOL, FLOAT16, FLOAT64, INT32, INT64
from tests.ops.harness import Case, Loose, Quiet, t

X, S = t(4, 5, 6), t()
L = INT64
ALL = slice(None)
I3, I2 = t(3, dtype=L), t(2, 1, dtype=L)
M4, M45 = t(4, dtype=BOOL), t(4, 5, dtype=BOOL)
ITEMS = (
    0, -1, 4, -5, (0, 0), (0, 1, 2), (0, 0, 0, 0), None, Ellipsis, (Ellipsis, 0), (0, Ellipsis), (ALL, None),
        (Ellipsis, None), (None, 0, None), slice(1, 3), slice(None, None, 2),
    slice(1, None, 2), slice(-2, None), slice(None, -1), slice(10, None), slice(3, 1), slice(0, 100, 3),
        (ALL, ALL, slice(0, None, 2)), (ALL, slice(2), 0), slice(None, None, -1), (ALL, 0), (ALL, 5), (ALL, ALL, ALL, 0),
    I3, (I3,), (ALL, I3), (I3, I3), (I2, I3), (I3, ALL, I3), (ALL, I3, I3), (ALL, I3, 0), (0, ALL, I3), (I3, 0),
        (I3, ALL, 0), (0, I3), (None, I3), (I3, None), (I3, None, I3), (I3, t(2, dtype=L)), (Ellipsis, I3), (t(dtype=L),),
    ((0, 1),), (ALL, (0, 1, 2)),  (t(0, dtype=L),), (I2,),
)  # fmt: skip
MASKS = (
    ((True, False, True, False),),
    M4,
    M45,
    (ALL, t(5, dtype=BOOL)),
    (M4, 0),
    (ALL, t(5, dtype=BOOL), 0),
    (M4, ALL, t(6, dtype=BOOL)),
    (Ellipsis, t(6, dtype=BOOL)),
    (None, M4),
    t(4, 5, 6, dtype=BOOL),
)
BAD_MASKS = (((True, False),), t(5, dtype=BOOL), t(4, 6, dtype=BOOL), (ALL, M4), t(4, 5, 6, 7, dtype=BOOL))
OTHERS = tuple((t(2, 3, dtype=d), (0,)) for d in (FLOAT64, INT64, BOOL, FLOAT16))

CASES = [
    Case("getitem", "torch.Tensor.__getitem__", "/self:x /index", (*((X, item) for item in (*ITEMS, *BAD_MASKS)),
        *(Loose((X, item)) for item in MASKS), (S, None), (S, Ellipsis), (S, 0), (t(0, 3), 0), (t(0, 3), ALL),
        (t(0, 3), (ALL, -1)), *OTHERS)),
    Case("setitem", "tests.ops.library_calls.assign", "/x /index /value", (
        (X, 0, 1.0), (X, 0, t(5, 6)), (X, 0, t(6)), (X, 0, t(5, 1)), (X, 0, t(5)), (X, 0, t(1, 5, 6)),
            (X, 0, t(1, 1, 5, 6)), (X, 0, t(2, 5, 6)), (X, (ALL, slice(0, None, 2)), t(4, 3, 6)),
            (X, (ALL, slice(0, None, 2)), t(4, 2, 6)),
        (X, (ALL, slice(1, None, 2)), t(4, 3, 6)), (X, I3, t(3, 5, 6)), (X, I3, t(2, 5, 6)), (X, 9, 1.0), (X, M4, 0.0),
            (S, Ellipsis, 1.0), (t(0, 3), 0, 1.0), (t(0, 3), ALL, t(3)), (t(2, 3, dtype=L), 0, t(3, dtype=L)),
            (t(2, 3, dtype=L), 0, S),
        (X, (0, -1), t(6)),
    )),
    Case("select", "torch.select", "input:x dim index", ((X, 0, 1), (X, -1, 5), (X, 1, 5), (X, 3, 0), (S, 0, 0),
        (t(0, 3), 1, 2), (t(2, 3, dtype=L), 0, -1))),
    Case("narrow", "torch.narrow", "input:x dim start length", ((X, 0, 1, 2), (X, -1, 2, 4), (X, 1, 2, 4), (X, 3, 0, 1),
        (S, 0, 0, 1), (t(0, 3), 1, 0, 2), (t(2, 3, dtype=L), 0, 0, 0), (X, 0, -2, 2))),
    Case("gather", "torch.gather", "input:x dim index", ((X, 0, t(2, 5, 6, dtype=L)), (X, 1, t(4, 9, 6, dtype=L)),
        (X, -1, t(4, 5, 1, dtype=L)), (X, 1, t(5, 5, 6, dtype=L)), (X, 1, t(4, 5, dtype=L)), (X, 3, t(4, 5, 6, dtype=L)),
        (X, 0, t(4, 5, 6)),
         (S, 0, t(dtype=L)), (t(0, 3), 1, t(0, 2, dtype=L)), (t(2, 3, dtype=FLOAT64), 1, t(2, 1, dtype=L)),
             (X, 0, t(2, 3, 4, dtype=INT32)))),
    *(Case(op, f"torch.{op}", "input:x dim index src", ((X, 0, t(2, 5, 6, dtype=L), t(2, 5, 6)),
        (X, 0, t(2, 5, 6, dtype=L), t(4, 5, 6)), (X, 0, t(2, 5, 6, dtype=L), t(1, 5, 6)),
        (X, -1, t(4, 5, 2, dtype=L), t(4, 5, 2)), (X, 1, t(5, 5, 6, dtype=L), t(5, 5, 6)),
           (X, 1, t(4, 5, dtype=L), t(4, 5, 6)), (X, 3, t(4, 5, 6, dtype=L), t(4, 5, 6)),
               (X, 0, t(2, 5, 6, dtype=L), t(2, 5, 6, dtype=FLOAT64)), (S, 0, t(dtype=L), S),
               (t(0, 3), 1, t(0, 2, dtype=L), t(0, 3)), (t(2, 3, dtype=L), 0, t(1, 1, dtype=L), t(1, 1, dtype=L))))
      for op in ("scatter", "scatter_add")),
    Case("scatter_reduce", "torch.scatter_reduce", "input:x dim index src reduce",
        ((X, 0, t(2, 5, 6, dtype=L), t(2, 5, 6), "sum"), (X, -1, t(4, 5, 2, dtype=L), t(4, 5, 2), "amax"),
        (X, 3, t(4, 5, 6, dtype=L), t(4, 5, 6), "sum"), (S, 0, t(dtype=L), S, "sum"),
         (t(0, 3), 1, t(0, 2, dtype=L), t(0, 3), "sum"), (t(2, 3, dtype=L), 0, t(1, 1, dtype=L), t(1, 1, dtype=L), "sum"))),
    Case("index_select", "torch.index_select", "input:x dim index", ((X, 0, I3), (X, -1, I3), (X, 3, I3), (X, 0, I2),
        (X, 0, t(3)), (X, 0, t(0, dtype=L)), (S, 0, t(1, dtype=L)), (X, 1, t(dtype=L)),
        (t(2, 3, dtype=FLOAT64), 1, t(2, dtype=INT32)))),
    Case("index_add", "torch.index_add", "input:x dim index source:src",
        ((X, 0, I3, t(3, 5, 6)), (X, -1, I3, t(4, 5, 3)), (X, 3, I3, t(3)), Quiet((S, 0, t(1, dtype=L), t(1))),
        (t(0, 3), 1, t(1, dtype=L), t(0, 1)), (t(2, 3, dtype=FLOAT64), 0, t(1, dtype=L), t(1, 3, dtype=FLOAT64)),
        (X, 0, I3, t(2, 5, 6)), (X, 0, I3, t(3, 4, 6)))),
    Case("index_copy", "torch.index_copy", "input:x dim index source:src",
        ((X, 0, I3, t(3, 5, 6)), (X, -1, I3, t(4, 5, 3)), (X, 3, I3, t(3)), (t(0, 3), 1, t(1, dtype=L), t(0, 1)),
        (t(2, 3, dtype=FLOAT64), 0, t(1, dtype=L), t(1, 3, dtype=FLOAT64)), (S, 0, t(1, dtype=L), t(1)))),
    Case("index_fill", "torch.index_fill", "input:x dim index value", ((X, 0, I3, 1.0), (X, -1, I3, 0.0), (X, 3, I3, 0.0),
        (S, 0, t(1, dtype=L), 1.0), (t(0, 3), 1, t(1, dtype=L), 1.0), (t(2, 3, dtype=FLOAT64), 0, t(1, dtype=L), 2.0))),
    Case("index_put", "torch.index_put", "input:x indices:index values:value", ((X, (I3,), t(3, 5, 6)), (X, (I3,), t(6)),
        (X, (I3, I3), t(3, 6)), (X, (I2, I3), t(2, 3, 1)), (X, (I3,), S), (X, (I3,), t(2, 5, 6)), (X, (I3,), t(1, 3, 5, 6)),
        (X, (I3,), t(3, 5, 6, dtype=FLOAT64)), (X, (I3,), t(dtype=L)), (X, (M4,), S), (X, (t(3, dtype=INT32),), S),
        (X, (t(3),), S), (X, (I3, I3, I3, I3), t(3)), (t(2, 3, dtype=L), (t(1, dtype=L),), t(3, dtype=L)))),
    Case("take", "torch.take", "input:x index", ((X, I3), (X, I2), (S, t(dtype=L)), (X, t(0, dtype=L)), (X, t(3)),
        (t(2, 3, dtype=FLOAT64), I3))),
    Case("take_along_dim", "torch.take_along_dim", "input:x indices:index dim",
        ((X, t(4, 5, 2, dtype=L), -1), (X, t(1, 5, 2, dtype=L), 2), (X, t(4, 3, 2, dtype=L), 2), (X, t(4, 5, dtype=L), 1),
        (X, I3), (X, t(4, 5, 6, dtype=L), 3), (t(0, 3), t(0, 1, dtype=L), 1),
         (S, t(dtype=L), 0), (t(2, 3, dtype=FLOAT64), t(2, 1, dtype=L), 1))),
    Case("masked_select", "torch.masked_select", "input:x mask", (*map(Loose,
        ((X, t(4, 5, 6, dtype=BOOL)), (X, t(6, dtype=BOOL)), (S, t(dtype=BOOL)), (t(0), t(1, dtype=BOOL)),
        (t(2, dtype=L), t(dtype=BOOL)))), (X, t(5, dtype=BOOL)), (X, t(6)))),
    Case("masked_fill", "torch.masked_fill", "input:x mask value", ((X, t(6, dtype=BOOL), 0.0), (X, t(5, 1, dtype=BOOL), S),
        (X, t(5, dtype=BOOL), 0.0), (X, t(6), 0.0), (S, t(dtype=BOOL), 1.0), (t(0, 3), t(3, dtype=BOOL), 1.0),
        (t(2, dtype=L), t(2, dtype=BOOL), 1), (X, t(6, dtype=BOOL), t(6)),
         (t(3), t(2, 3, dtype=BOOL), 0.0))),
    Case("masked_scatter", "torch.masked_scatter", "input:x mask source:src",
        ((X, t(6, dtype=BOOL), X), (X, t(5, dtype=BOOL), X), (S, t(dtype=BOOL), S), (t(0, 3), t(3, dtype=BOOL), t(0)),
        (t(2, dtype=L), t(2, dtype=BOOL), t(2, dtype=L)))),
    Case("nonzero", "torch.nonzero", "input:x", tuple(map(Loose, ((X,), (S,), (t(0, 3),), (t(2, dtype=L),))))),
    Case("one_hot", "torch.nn.functional.one_hot", "/tensor:x /num_classes",
        ((t(2, 3, dtype=L), 5), (t(dtype=L), 3), (t(0, dtype=L), 4), Loose((t(2, dtype=L),)), (t(2), 3),
        (t(2, dtype=INT32), 3))),
    *(Case(op, f"torch.{op}", "*shape", ((2, 3), (0,), (4,), ((2, 3),), (-1, 2)))
        for op in ("zeros", "ones", "empty", "rand", "randn")),
    *(Case(op, f"torch.{op}", "*size:shape", ((2, 3), (0,), ((2, 3),)), {"dtype": None}) for op in ("zeros", "ones")),
    *(Case(op, "tests.ops.library_calls.created", "/name /dtype /shape", tuple((op, d, s) for s in ((2, 3), (0,), ())
        for d in (FLOAT64, L, BOOL))) for op in ("zeros", "ones", "empty")),
    *(Case(op, "tests.ops.library_calls.created", "/name /dtype /shape", tuple((op, d, s) for s in ((2, 3), (0,), ())
        for d in (FLOAT64, FLOAT16))) for op in ("rand", "randn")),
    Case("full", "torch.full", "size:shape fill_value", (((2, 3), 1.0), ((2,), 1), ((), True), ((0, 2), 0.5), ((2, -1), 0.0))),
    *(Case(op, f"torch.{op}", "input:x", (X, S, t(0, 3), t(2, dtype=FLOAT64), t(2, dtype=FLOAT16)))
        for op in ("zeros_like", "ones_like", "empty_like", "rand_like", "randn_like")),
    *(Case(op, f"torch.{op}", "input:x", (t(2, dtype=L), t(2, dtype=BOOL)))
        for op in ("zeros_like", "ones_like", "empty_like")),
    Case("full_like", "torch.full_like", "input:x fill_value", ((X, 1), (S, 1), (t(0, 3), 1), (t(2, dtype=L), 1),
        (t(2, dtype=BOOL), 1))),
    Case("randint_like", "torch.randint_like", "input:x high", ((X, 5), (S, 5), (t(0, 3), 5), (t(2, dtype=L), 5))),
    *(Case(op, f"torch.Tensor.{op}", "/self:x *shape", ((X, 2, 3), (S, 2), (X, 0), (t(0), 3), (t(2, dtype=L), 3),
        (t(2, dtype=L), (3, 4)))) for op in ("new_zeros", "new_ones", "new_empty")),
    Case("new_full", "torch.Tensor.new_full", "/self:x size:shape fill_value",
        ((X, (2, 3), 1.0), (t(0), (3,), 1.0), (S, (2,), 1), (X, (0,), 1), (t(2, dtype=L), (3,), 1))),
    Case("randint", "torch.randint", "/low /high size:shape", ((0, 10, (2, 3)), (0, 10, ()), (0, 10, (0,)))),
    Case("multinomial", "torch.Tensor.multinomial", "/self:x num_samples", (
        Quiet((t(2, 3), 2)), Quiet((t(3), 2)), (X, 1), (S, 1),
        Quiet((t(0, 3), 2)), Quiet((t(2, 3, dtype=FLOAT64), 1)))),
    Case("from_numpy", "tests.ops.library_calls.from_numpy", "/x", (X, S, t(0, 3), t(2, dtype=L), t(2, dtype=FLOAT64))),
    Case("identity", "torch.Tensor.requires_grad_", "/self:x", (X, S, t(0, 3), t(2, dtype=FLOAT64))),
    Case("randperm", "torch.randperm", "/n", (5, 0)),
    Case("arange", "torch.arange", "/start /end /step", (5, 5.0, 0, (2, 7), (2, 7, 2), (2, 7.0, 2), (0, 1, 0.3), (5, 0, -1),
        (5, 0), (0, 0), (1, 8, 3))),
    Case("linspace", "torch.linspace", "start end steps", ((0, 1, 5), (0.0, 1.0, 0), (0, 1, 1))),
    Case("logspace", "torch.logspace", "start end steps", ((0, 1, 5), (0.0, 1.0, 0), (0, 1, 1))),
    Case("eye", "torch.eye", "/n /m", (3, (3, 4), 0, (0, 2))),
    Case("tensor", "torch.tensor", "/data", (1, 1.0, True, ((1, 2),), ((1, 2.0), ), ((),), (((1, 2), (3, 4)),),
        ((True, False),), (1j,), (((),),))),
    Case("normal", "torch.normal", "/mean /std size:shape", ((0.0, 1.0, (2, 3)), (0.0, 1.0, (0,)), (0.0, 1.0, ()))),
    Case("normal", "torch.normal", "mean std", ((t(2, 3), t(3)), (t(2, 3), 1.0), (0.0, t(3)), (S, S), (t(0), t(1)),
        (t(2), t(3)))),
    Case("bernoulli", "torch.bernoulli", "input:x", (X, S, t(0, 3), t(2, dtype=FLOAT64))),
    *(Case(op, f"torch.{op}", "/window_length:n", (5, 0, 1)) for op in ("hann_window", "hamming_window", "blackman_window",
        "bartlett_window", "kaiser_window")),
    *(
        Case(op, "tests.ops.library_calls.created", f"/name /dtype {params}", tuple((op, d, *args) for d in types))
        for op, params, args, types in (
            ("full", "/shape /fill_value", ((2,), 1), (FLOAT64, L, BOOL)),
                *(("arange", "/start /end /step", given, (FLOAT64, L, INT32)) for given in (
                    (0, 5, 1), (0, 3.1, 1), (0.5, 3.9, 1), (1.5, 9.7, 2.5), (0, 10, 2.5), (5.5, 1.2, -1.1), (-0.5, 0.9, 1.0))),
                ("linspace", "/start /end /steps", (0, 1, 5), (FLOAT64, FLOAT16)),
            ("logspace", "/start /end /steps", (0, 1, 5), (FLOAT64, FLOAT16)), ("eye", "/n", (3,), (FLOAT64, L)),
                ("randint", "/low /high /shape", (0, 5, (2,)), (FLOAT64, INT32)), ("randperm", "/n", (5,), (FLOAT64, INT32)),
            ("tensor", "/data", ((1, 2),), (FLOAT64, BOOL)), ("normal", "/mean /std /shape", (0.0, 1.0, (2,)),
                (FLOAT64, FLOAT16)),
            *((op, "/n", (5,), (FLOAT64, FLOAT16)) for op in ("hann_window", "hamming_window", "blackman_window",
                "bartlett_window", "kaiser_window")),
            *((op, "/x", (X,), (FLOAT64, FLOAT16)) for op in ("zeros_like", "ones_like", "empty_like", "rand_like",
                "randn_like")),
        )
    ),
]  # fmt: skip
