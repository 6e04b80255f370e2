"""Reductions, cumulative operations and orderings."""

from dllint.domains.dtype import BOOL, FLOAT16, FLOAT64, INT32, INT64, UINT8
from tests.ops.harness import Case, Loose, Quiet, t

X = t(2, 3, 4)
TYPES = (FLOAT16, FLOAT64, UINT8, INT32, INT64, BOOL)
AXES = (
    (X, 0),
    (X, -1),
    (X, 1, True),
    (X, -2, True),
    (X, 3),
    (X, -4),
    (t(), 0),
    (t(), -1),
    (t(), 1),
    (t(0, 3), 1),
    (t(0, 3), 1, True),
)
TUPLES = ((X, (0, 2)), (X, (0, -1), True), (X, (0, 0)), (X, (0, 5)), (X, ()), (X, (1,)))
WHOLE = ((X,), (t(),), (t(0),), (t(2, 0),))
EMPTY = ((t(0, 3), 0), (t(0, 3), 0, True))


def typed(*rest):
    return tuple((t(2, 3, dtype=d), *rest) for d in TYPES)


CASES = [
    *(Case("quantile", f"torch.{name}", "input:x q dim keepdim", ((t(2, 3), 0.5), (t(2, 3), 0.5, 1), (t(2, 3), t(4), 0),
        (t(2, 3), t(4)), (t(2, 3), 0.5, -1, True), (t(2, 3), 0.5, 2), (t(5, dtype=FLOAT64), 0.1), (t(2, 3, dtype=INT64), 0.5)))
      for name in ("quantile", "nanquantile")),
    *(Case(op, f"torch.{op}", "input:x dim keepdim", (*WHOLE, *AXES, *TUPLES, *EMPTY, *typed(), *typed(1)))
        for op in ("sum", "mean", "all", "any", "nansum")),
    Case("sum", "torch.sum", "input:x dim keepdim", (*((t(2, dtype=d), 0) for d in TYPES),)),
    Case("prod", "torch.prod", "input:x dim keepdim", (*WHOLE, *AXES, *EMPTY, *typed(), *typed(1))),
    *(Case(op, f"torch.{op}", "input:x dim keepdim", (*WHOLE, *AXES, *TUPLES, *EMPTY, *typed(1))) for op in ("amax", "amin")),
    *(Case(op, f"torch.{op}", "input:x dim keepdim", (*WHOLE, *AXES, *EMPTY, (t(2, 3, dtype=FLOAT64), 1),
        (t(2, 3, dtype=INT64), 1))) for op in ("argmax", "argmin")),
    *(Case(op, f"torch.{name}", "input:x dim keepdim", (*WHOLE, *AXES, *EMPTY, *typed(), *typed(1))) for op,
        name in (("max_dim", "max"), ("min_dim", "min"))),
    *(Case(op, f"torch.{op[:3]}", "input:x other:y", ((X, t(4)), (X, t(5)), (t(), t(3)), (t(0), t(1))))
        for op in ("max_dim", "min_dim")),
    *(Case(op, f"torch.{op}", "input:x dim", ((X,), (t(),), (t(0),), (X, 0), (X, -1), (X, (0, 1)), (X, 3),
        (t(2, 3, dtype=FLOAT64), 1), (t(2, 3, dtype=INT64), 1))) for op in ("std", "var")),
    Case("logsumexp", "torch.logsumexp", "input:x dim keepdim", (*AXES, *TUPLES[:4], (t(2, 3, dtype=FLOAT64), 1),
        (t(2, 3, dtype=INT64), 1), (t(0, 3), 0))),
    Case("norm", "torch.linalg.vector_norm", "/x:x ord:p dim keepdim", (*((x, 2, *r) for x, *r in (*WHOLE, *AXES, *TUPLES)),
        (t(2, 3, dtype=FLOAT64), 2, 1), (t(2, 3, dtype=INT64), 2, 1))),
    Case("median", "torch.median", "input:x dim keepdim", ((X,), (t(),), *AXES[:-2], (t(2, 3, dtype=FLOAT64), 1),
        (t(2, 3, dtype=INT64), 1), (t(3, 0, 2), 0))),
    Case("kthvalue", "torch.kthvalue", "input:x k dim keepdim", ((X, 1), (X, 1, 0), (X, 2, -2, True), (X, 1, 3), (t(), 1, 0),
        (t(0, 3), 1, 1), (t(2, 3, dtype=FLOAT64), 1, 1), (t(2, 3, dtype=INT64), 1, 1))),
    Case("nanmean", "torch.nanmean", "input:x dim keepdim", (*WHOLE, *AXES, *TUPLES, (t(2, 3, dtype=FLOAT64), 1),
        (t(2, 3, dtype=INT64), 1))),
    Case("mode", "torch.mode", "input:x dim keepdim", (*AXES[:-2], (t(2, 3, dtype=FLOAT64), 1), (t(2, 3, dtype=INT64), 1),
        (t(3, 0, 2), 0))),
    Case("aminmax", "torch._aminmax", "/input:x /dim /keepdim", ((X,), (t(),), (t(2, dtype=INT64),), (X, -1), (X, 0, True),
        (X, 3), (t(0, 2), -1))),
    Case("count_nonzero", "torch.count_nonzero", "input:x dim", ((X,), (t(),), (t(0),), (X, 0), (X, -1), (X, (0, 1)),
        (X, 3), (t(2, dtype=BOOL), 0))),
    *(Case(op, f"torch.{op}", "input:x dim", ((X, 0), (X, -1), (X, 3), (t(), 0), (t(), 1), (t(0, 3), 0), *typed(1)))
        for op in ("cumsum", "cumprod")),
    Case("logcumsumexp", "torch.logcumsumexp", "input:x dim", ((X, 0), (X, -1), (X, 3), (t(), 0), (t(0, 3), 0),
        (t(2, dtype=FLOAT64), 0))),
    *(Case(op, f"torch.{op}", "input:x dim", ((X, 0), (X, -1), (X, 3), (t(), 0), (t(0, 3), 0), *typed(1)[1:]))
        for op in ("cummax", "cummin")),
    Case("sort", "torch.sort", "input:x dim descending", ((X,), (X, 0), (X, -2, True), (X, 3), (t(), 0), (t(0, 3), 0),
        *typed(1))),
    Case("argsort", "torch.argsort", "input:x dim descending", ((X,), (X, 0), (X, -2, True), (X, 3), (t(), 0), (t(0, 3), 0),
        *typed(1))),
    Case("topk", "torch.topk", "input:x k dim", ((X, 2), (X, 2, 0), (X, 5), (X, 3, -2), (X, 2, 3), (t(), 1), (t(0, 3), 2),
        (t(0, 3), 0, 0), *typed(2, -1)[:-1])),
    Case("unique", "torch.unique", "input:x", tuple(map(Loose, ((X,), (t(),), (t(0),), (t(2, dtype=INT64),),
        (t(2, dtype=BOOL),))))),
    Case("bincount", "torch.bincount", "input:x weights:weight minlength",
        (Loose((t(4, dtype=INT64),)), Loose((t(0, dtype=INT64), None, 5)), (t(2, 2, dtype=INT64),),
         Loose((t(4, dtype=INT64), t(4))), Quiet((t(dtype=INT64),)), Loose((t(3, dtype=INT32),)))),
    Case("unique", "torch.functional.unique", "/input:x /sorted /return_inverse /return_counts /dim",
        tuple(map(Loose, ((X, True, True, True), (X, True, False, False, -1))))),
    Case("histc", "torch.histc", "input:x bins", ((X,), (X, 10), (t(), 5), (t(0), 3), (t(2, dtype=FLOAT64), 3))),
    Case("searchsorted", "torch.searchsorted", "sorted_sequence:x input:y",
        ((t(5), t(2, 3)), (t(5), t()), (t(5), t(0)), (t(5, dtype=FLOAT64), t(2, dtype=FLOAT64)))),
]  # fmt: skip
