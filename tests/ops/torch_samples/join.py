"""Tensors joined and cut."""

from dllint.domains.dtype import BOOL, FLOAT16, FLOAT64, INT32, INT64
from tests.ops.harness import Case, Quiet, t

X = t(6, 4, 2)
ALL = (FLOAT16, FLOAT64, INT32, INT64, BOOL)
PAIRS = tuple(((t(2, dtype=a), t(2, dtype=b)),) for a in ALL for b in ALL)
S = t()
CUT = tuple(t(6, 4, dtype=d) for d in ALL)

CASES = [
    Case("cat", "torch.cat", "tensors dim", (((t(2, 3), t(4, 3)),), ((t(2, 3), t(2, 4)), 1), ((t(2, 3), t(2, 4)), -1),
        ((t(2, 3), t(2, 4)),), ((t(2, 3), t(2)),), ((t(2, 3), t(2, 3)), 2), ((t(0), t(2, 3)),), ((t(2, 3), t(0)), 1),
         ((t(0, 3), t(2, 3)),), ((S, S),), ((t(2),),), ((t(0),),), ((t(2, 3), t(2, 3), t(3, 3)), 1), *PAIRS)),
    Case("stack", "torch.stack", "tensors dim", (((t(2, 3), t(2, 3)),), ((t(2, 3), t(2, 3)), -1), ((t(2, 3), t(2, 3)), 2),
        ((t(2, 3), t(2, 3)), 3), ((t(2, 3), t(2, 4)),), ((t(2, 3), t(2)),), ((S, S, S),), ((t(0), t(0)), 1), *PAIRS)),
    Case("hstack", "torch.hstack", "tensors", (((t(2), t(3)),), ((S, S),), ((t(2, 3), t(2, 4)),), ((t(2, 3), t(3, 4)),),
        ((t(2, 0), t(2, 4)),), ((t(2, dtype=INT64), t(3)),))),
    Case("vstack", "torch.vstack", "tensors", (((t(2), t(2)),), ((S, S),), ((t(2, 3), t(4, 3)),), ((t(2, 3), t(3)),),
        ((t(2, 3), t(3, 4)),), ((t(0, 4), t(2, 4)),), ((t(2, dtype=INT64), t(2)),))),
    Case("dstack", "torch.dstack", "tensors", (((t(2), t(2)),), ((S, S),), ((t(2, 3), t(2, 3)),), ((t(2, 3), t(3, 4)),),
        ((t(0, 4), t(0, 4)),), ((t(2, dtype=INT64), t(2)),), ((t(2, 3), t(2, 3, 4)),))),
    Case("column_stack", "torch.column_stack", "tensors", (((t(2), t(2)),), ((S, S),), ((t(2, 3), t(2)),),
        ((t(2, 3), t(3, 4)),), ((t(0, 4), t(0)),), ((t(2, dtype=INT64), t(2)),))),
    Case("meshgrid", "torch.meshgrid", "*tensors", ((t(2), t(3)), (t(2), S), (t(0), t(3)),
        (t(2, dtype=INT64), t(3, dtype=INT64), t(4, dtype=INT64)))),
    Case("broadcast_tensors", "torch.broadcast_tensors", "*tensors", ((t(2, 1), t(3)), (t(3), S), (t(0, 1), t(1, 3)), (t(2),),
        (t(2), t(3)), (t(2, 1, dtype=INT64), t(1, 3), t(4, 1, 1)))),
    Case("block_diag", "torch.block_diag", "*tensors", ((t(2, 3), t(4, 5)), (t(2), S), (t(0, 2), t(3)),
        (t(2, 2, dtype=INT64), t(3, dtype=INT64)))),
    Case("cartesian_prod", "torch.cartesian_prod", "*tensors", ((t(2), t(3)), (t(2),), (t(0), t(3)), Quiet((S, t(3))),
        (t(2, dtype=INT64), t(3, dtype=INT64)))),
    Case("split", "torch.split", "tensor:x split_size_or_sections:sections dim",
        ((X, 2), (X, 4), (X, 6), (X, 7), (X, (1, 2, 3)), (X, (1, 2)), (X, (1, 3), 1), (X, 2, -1), (X, 2, 3), (X, 0),
        (X, -1), (S, 1), (t(0, 3), 2), (t(0, 3), 0), *((x, 2) for x in CUT))),
    Case("chunk", "torch.chunk", "input:x chunks dim", ((X, 2), (X, 4), (X, 6), (X, 7), (X, 5), (X, 3, -1), (X, 2, 3),
        (X, 0), (S, 1), (t(0, 3), 2), *((x, 2, 1) for x in CUT))),
    Case("tensor_split", "torch.tensor_split", "/input:x /indices_or_sections:sections dim",
        ((X, 2), (X, 4), (X, 7), (X, (1, 4)), (X, (4, 1)), (X, (2, 9)), (X, 3, -1), (X, 2, 3), (X, 0), (S, 1), (t(0, 3), 2),
        *((x, 3, 1) for x in CUT))),
    Case("unbind", "torch.unbind", "input:x dim", ((X,), (X, 1), (X, -1), (X, 3), (S,), (t(0, 3),), (t(0, 3), 1),
        *((x,) for x in CUT))),
]  # fmt: skip
