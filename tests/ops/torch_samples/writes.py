"""Methods that replace the elements of their tensor."""

from dllint.domains.dtype import BFLOAT16, BOOL, COMPLEX64, FLOAT16, FLOAT64, INT8, INT64, UINT8
from tests.ops.harness import Case, t

X, S = t(2, 3), t()
TYPES = tuple(t(2, 3, dtype=d) for d in (BOOL, UINT8, INT8, INT64, FLOAT16, BFLOAT16, FLOAT64, COMPLEX64))
FITTING = (0, 1, -1, 1.7, True, 255, -255, 256, -256, 1e6, float("inf"), float("nan"), 2j, 3 + 0j)
DISTRIBUTIONS = {
    "uniform": ((0.0, 1.0), "from:low to:high"), "normal": ((0.0, 1.0), "mean std"), "exponential": ((1.0,), "lambd"),
    "log_normal": ((1.0, 2.0), "mean std"), "cauchy": ((0.0, 1.0), "median sigma"), "geometric": ((0.5,), "p"),
    "random": ((0, 2), "from:low to:high"),
}  # fmt: skip

CASES = [
    Case("fill_with", "torch.Tensor.fill_", "/self:x value",
         ((S, 1), (t(0, 3), 1), (X, S), (X, t(1)), (X, t(dtype=INT64)), *((x, n) for x in (X, *TYPES) for n in FITTING))),
    Case("copy_into", "torch.Tensor.copy_", "/self:x other:src",
         ((X, X), (X, t(3)), (X, t(2, 1)), (X, S), (X, t(2)), (X, t(1, 2, 3)), (X, t(2, 2, 3)), (t(0, 3), t(3)), (S, S),
          (S, t(1)), *((x, y) for x in TYPES for y in TYPES))),
    *(Case("draw_into", f"torch.Tensor.{name}_", f"/self:x {params}", tuple((x, *args) for x in (X, S, t(0, 3), *TYPES)),
           {"distribution": name})
      for name, (args, params) in DISTRIBUTIONS.items()),
    Case("as_array", "torch.Tensor.numpy", "/self:x", tuple((x,) for x in (X, S, t(0, 3), *TYPES))),
]  # fmt: skip
