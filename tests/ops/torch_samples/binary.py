"""Functions of operands that broadcast."""

from dllint.domains.dtype import BFLOAT16, BOOL, COMPLEX64, FLOAT16, FLOAT32, FLOAT64, INT8, INT32, INT64, UINT8
from tests.ops.harness import Case, Loose, Quiet, t

SHAPES = (
    (t(), t()), (t(2, 3), t()), (t(), t(2, 3)), (t(2, 3), t(3)), (t(2, 3), t(2, 1)), (t(2, 1, 4), t(3, 1)), (t(0), t(1)),
    (t(0, 3), t(3)), (t(2, 3), t(2)), (t(2, 3), t(4, 3)), (t(2, 3), t(3, 2)), (t(0), t(2)), (t(1, 1), t(5, 1, 2, 3)),
    (t(2, 3), 2), (t(2, 3), 2.5), (t(2, 3), True),
)  # fmt: skip
ALL = (FLOAT16, BFLOAT16, FLOAT32, FLOAT64, UINT8, INT8, INT32, INT64, BOOL)
PAIRS = tuple((t(2, dtype=a), t(2, dtype=b)) for a in ALL for b in ALL)
ZERO = tuple((t(2, dtype=a), t(dtype=b)) for a in ALL for b in (FLOAT64, INT64, BOOL, FLOAT32, FLOAT16))
NUMBERS = tuple((t(*s, dtype=a), n) for a in ALL for n in (1, 1.0, True) for s in ((2,), ()))
TYPES = (*PAIRS, *ZERO, *NUMBERS)
COMPLEX = (
    (t(2, dtype=COMPLEX64), t(2)),
    (t(2), 1j),
    (t(2, dtype=FLOAT64), 1j),
    (t(2, dtype=INT64), 1j),
    (t(2, dtype=COMPLEX64), t(dtype=FLOAT64)),
)
ARITHMETIC = {"add": "add", "mul": "mul", "div": "div", "sub": "sub"}
COMPARISON = ["eq", "ne", "lt", "le", "gt", "ge"]
TENSORS = tuple((a, b) for a, b in SHAPES if not isinstance(b, int | float))
INTEGERS = tuple((t(2, 3, dtype=a), t(3, dtype=b)) for a in (INT64, BOOL, UINT8, FLOAT32) for b in (INT64, BOOL, INT32))

CASES = [
    *(Case(op, f"torch.{name}", "input:x other:y", (*SHAPES, *TYPES, *COMPLEX)) for op, name in ARITHMETIC.items()),
    *(Case(op, f"torch.{op}", "input:x other:y", (*SHAPES, *TYPES)) for op in COMPARISON),
    *(Case(op, f"torch.{op}", "input:x other:y", (*TENSORS, *PAIRS)) for op in ("maximum", "minimum", "logical_and",
        "logical_or", "logical_xor")),
    Case("pow", "torch.pow", "input:x exponent:y", (*SHAPES, *(p for p in TYPES
        if BOOL not in (p[0].dtype, getattr(p[1], "dtype", 0)) and p[1] is not True))),
    *(Case(op, f"torch.{op}", "input:x other:y", (*INTEGERS, (t(0, dtype=INT64),
        t(1, dtype=INT64)), (t(dtype=INT64), t(2, dtype=INT64)),
      (t(2, dtype=INT64), t(3, dtype=INT64)))) for op in ("bitwise_and", "bitwise_or", "bitwise_xor")),
    *(Case(op, f"torch.{op}", "input:x other:y", (*PAIRS, *ZERO,
        *((t(*a.shape, dtype=INT32), t(*b.shape, dtype=INT8)) for a, b in TENSORS))) for op in ("gcd", "lcm")),
    Case("atan2", "torch.atan2", "input:x other:y", (*TENSORS, *((t(2, dtype=a), t(2, dtype=b))
        for a in (FLOAT32, FLOAT64, INT64) for b in (FLOAT32, INT64, FLOAT64)))),
    Case("hypot", "torch.hypot", "input:x other:y", (*TENSORS, (t(2, dtype=FLOAT64), t(2)))),
    Case("xlogy", "torch.xlogy", "input:x other:y", (*TENSORS, (t(2, dtype=FLOAT64), t(2)),
        (t(2, dtype=INT64), t(2, dtype=INT64)))),
    Case("fmod", "torch.fmod", "input:x other:y", (*TENSORS, (t(2, dtype=FLOAT64), t(2)))),
    Case("remainder", "torch.remainder", "input:x other:y", (*TENSORS, (t(2, dtype=FLOAT64), t(2)))),
    Case("mod", "torch.remainder", "input:x other:y", (*TENSORS, (t(2, dtype=FLOAT64), t(2)), (t(2, dtype=INT64), 3),
        (t(2, dtype=INT64), 2.5))),
    Case("floor_divide", "torch.floor_divide", "input:x other:y", (*TENSORS, (t(2, dtype=FLOAT64), t(2)),
        (t(2, dtype=INT64), 3), (t(2, dtype=INT64), 2.5))),
    Case("isclose", "torch.isclose", "input:x other:y", (*TENSORS, Quiet((t(2, dtype=FLOAT64), t(2))),
        (t(2, dtype=FLOAT64), t(2, dtype=FLOAT64)))),
    Case("where", "torch.where", "condition input:x other:y", (
        (t(2, 3, dtype=BOOL), t(3), t(2, 1)), (t(dtype=BOOL), t(), t()), (t(0, dtype=BOOL), t(1), t(1)),
            (t(2, dtype=BOOL), t(2), 1.0),
        (t(2, dtype=BOOL), t(3), t(2)), (t(2, dtype=BOOL), t(2, dtype=INT64), 0), (t(2, dtype=BOOL), t(2, dtype=FLOAT64), t(2)),
        (t(2, dtype=BOOL), t(2, dtype=INT64), 1.5), Loose((t(2, 3, dtype=BOOL),)),
    )),
    Case("lerp", "torch.lerp", "input:x end:y weight", (
        (t(2, 3), t(3), 0.5), (t(2, 3), t(2, 3), t(2, 1)), (t(), t(), 0.1), (t(0, 3), t(3), 0.1), (t(2), t(3), 0.5),
        (t(2, dtype=FLOAT64), t(2, dtype=FLOAT64), 0.5),
    )),
    Case("addcmul", "torch.addcmul", "input:x tensor1 tensor2", (
        (t(2, 3), t(3), t(2, 1)), (t(), t(), t()), (t(0, 3), t(3), t(1)), (t(2), t(3), t(1)), (t(2, dtype=FLOAT64), t(2), t(2)),
    )),
    Case("addcdiv", "torch.addcdiv", "input:x tensor1 tensor2", (
        (t(2, 3), t(3), t(2, 1)), (t(), t(), t()), (t(0, 3), t(3), t(1)), (t(2), t(3), t(1)), (t(2, dtype=FLOAT64), t(2), t(2)),
    )),
]  # fmt: skip
