"""Matrix products, linear layers, Einstein sums."""

from dllint.domains.dtype import FLOAT64, INT64
from tests.ops.harness import Case, t

D, L = FLOAT64, INT64
RANKS = (
    (t(3), t(3)), (t(3), t(4)), (t(2, 3), t(3)), (t(2, 3), t(2)), (t(3), t(3, 4)), (t(2), t(3, 4)), (t(2, 3), t(3, 4)),
        (t(2, 3), t(2, 3)),
    (t(5, 2, 3), t(3, 4)), (t(5, 2, 3), t(3)), (t(3), t(5, 3, 4)), (t(2, 3), t(5, 3, 4)), (t(5, 2, 3), t(5, 3, 4)),
    (t(5, 1, 2, 3), t(6, 3, 4)), (t(5, 2, 3), t(6, 3, 4)), (t(1, 2, 3), t(6, 3, 4)), (t(), t(3)), (t(3), t()),
        (t(0, 3), t(3, 2)), (t(2, 0), t(0, 4)),
    (t(2, 3, dtype=D), t(3, 4)), (t(2, 3, dtype=D), t(3, 4, dtype=D)), (t(2, 3, dtype=L), t(3, 4, dtype=L)),
        (t(2, 3, dtype=L), t(3, 4)),
)  # fmt: skip
A, B = t(2, 3), t(3, 4)
STRICT = ((t(2, 3), t(3, 4)), (t(5, 2, 3), t(5, 3, 4)), (t(4, 2, 3), t(5, 3, 4)), (t(5, 2, 3), t(5, 2, 3)),
    (t(0, 2, 3), t(0, 3, 4)), (t(), t()), (t(5, 2, 3, dtype=D), t(5, 3, 4)),
          (t(5, 2, 3, dtype=D), t(5, 3, 4, dtype=D)), (t(1, 2, 3), t(5, 3, 4)))  # fmt: skip
MATRICES = (
    (A, B),
    (A, A),
    (t(0, 3), B),
    (t(3), B),
    (A, t(3)),
    (t(), t()),
    (t(2, 3, dtype=D), t(3, 4, dtype=D)),
    (t(2, 3, dtype=D), B),
    (t(5, 2, 3), t(5, 3, 4)),
)
SQUARE = (t(3, 3), t(2, 3, 3), t(3, 3, dtype=D), t(0, 0))
FUNCTIONS = (
    ("matrix_exp", "input:x"),
    ("linalg.matrix_exp", "input:x"),
    ("matrix_power", "input:x n", 2),
    ("linalg.matrix_power", "input:x n", 0),
)
SHEETS = (
    (t(3, 4), True),
    (t(4, 3), True),
    (t(2, 4, 3), False),
    (t(3, 4), False),
    (t(3, 3, dtype=D), True),
    (t(0, 3, 3), False),
)

CASES = [
    *(Case("matrix_function", f"torch.{name}", parameters, tuple((x, *more) for x in SQUARE))
        for name, parameters, *more in FUNCTIONS),
    Case("svd", "torch.linalg.svd", "/A:x full_matrices", SHEETS, {"order": "rows"}),
    Case("svd", "torch.svd", "input:x", tuple((x,) for x, _ in SHEETS), {"order": "columns"}),
    Case("qr", "torch.linalg.qr", "/A:x mode", tuple((x, mode) for x, *_ in SHEETS for mode in ("reduced", "complete"))),
    *(Case(op, f"torch.linalg.{op}", "/A:x", (t(3, 3), t(2, 3, 3), t(3, 3, dtype=D))) for op in ("eigh", "eig", "slogdet")),
    Case("pinv", "torch.linalg.pinv", "/A:x", (t(3, 4), t(2, 4, 3), t(3, 3, dtype=D))),
    Case("cross", "torch.cross", "input:x other:y dim", ((t(4, 3), t(4, 3), 1), (t(4, 3), t(1, 3), 1),
        (t(3, 4), t(3, 4), 0))),
    Case("cross", "torch.linalg.cross", "input:x other:y", ((t(4, 3), t(4, 3)), (t(2, 4, 3), t(1, 4, 3)))),
    Case("isin", "torch.isin", "elements:x test_elements:y", ((t(2, 3), t(4)), (t(), t(4)), (t(2, 3, dtype=L), t(2, dtype=L)))),
    *(Case("covariance", f"torch.{name}", "input:x", (t(3, 5), t(5), t(), t(3, 5, dtype=D))) for name in ("cov", "corrcoef")),
    *(Case("matmul", f"torch.{name}", "input:x other:y", RANKS) for name in ("matmul", "linalg.matmul")),
    Case("mm", "torch.mm", "input:x mat2:y", MATRICES),
    Case("bmm", "torch.bmm", "input:x mat2:y", STRICT),
    Case("mv", "torch.mv", "input:x vec:y", ((A, t(3)), (A, t(2)), (t(0, 3), t(3)), (t(3), t(3)), (t(), t()), (A, B),
        (t(2, 3, dtype=D), t(3, dtype=D)), (t(2, 3, dtype=D), t(3)))),
    Case("dot", "torch.dot", "input:x tensor:y", ((t(3), t(3)), (t(3), t(4)), (t(0), t(0)), (t(), t(1)), (A, t(3)),
        (t(3, dtype=D), t(3, dtype=D)), (t(3, dtype=D), t(3)))),
    Case("addmm", "torch.addmm", "input:x mat1 mat2", ((t(4), A, B), (t(2, 1), A, B), (t(5), A, B), (t(), A, B),
        (t(4), A, A), (t(4), t(0, 3), B), (t(4, dtype=D), t(2, 3, dtype=D), t(3, 4, dtype=D)))),
    Case("baddbmm", "torch.baddbmm", "input:x batch1 batch2", ((t(4), t(5, 2, 3), t(5, 3, 4)),
        (t(5, 2, 4), t(5, 2, 3), t(5, 3, 4)), (t(3), t(5, 2, 3), t(5, 3, 4)), (t(), t(5, 2, 3), t(5, 3, 4)),
         (t(1), t(0, 2, 3), t(0, 3, 4)), (t(4, dtype=D), t(5, 2, 3, dtype=D), t(5, 3, 4, dtype=D)),
             (t(4), t(5, 2, 3), t(6, 3, 4)))),
    Case("outer", "torch.outer", "input:x vec2:y", ((t(3), t(4)), (t(0), t(4)), (t(), t(3)), (A, t(3)), (t(3, dtype=D), t(4)))),
    Case("kron", "torch.kron", "input:x other:y", ((A, t(2)), (A, B), (t(), A), (t(0), A), (t(3, dtype=D), t(4)))),
    Case("tensordot", "torch.tensordot", "a:x b:y dims", ((t(2, 3, 4), t(3, 4, 5), 2), (t(2, 3, 4), t(4, 5), 1), (A, B, 0),
        (A, B, 3), (A, t(4, 3), ((1,), (1,))), (A, t(4, 3), ((-1,), (-1,))),
         (A, t(4, 5), ((1,), (1,))), (t(0, 3), B, 1), (t(), t(), 0), (t(2, 3, dtype=D), t(3, 4, dtype=D), 1), (A, B, 1),
             (A, t(2, 3), ((0, 1), (0,))))),
    Case("cdist", "torch.cdist", "x1:x x2:y p", ((A, t(4, 3)), (A, t(4, 2)), (t(5, 2, 3), t(4, 3)),
        (t(5, 2, 3), t(6, 4, 3)), (t(0, 3), t(4, 3)), (t(3), t(4, 3)), (t(), t()), (t(2, 3, dtype=D), t(4, 3, dtype=D)))),
    Case("linear", "torch.nn.functional.linear", "input:x weight bias",
        ((A, t(5, 3)), (t(2, 4, 3), t(5, 3), t(5)), (A, t(5, 4)), (t(3), t(5, 3)), (t(), t(5, 3)), (t(0, 3), t(5, 3)),
        (A, t(3)),
         (t(2, 3, dtype=D), t(5, 3)), (t(2, 3, dtype=D), t(5, 3, dtype=D)), (t(2, 3, dtype=L), t(5, 3)))),
    Case("bilinear", "torch.nn.functional.bilinear", "input1:x input2:y weight",
        ((A, t(2, 4), t(5, 3, 4)), (A, t(2, 3), t(5, 3, 4)), (A, t(3, 4), t(5, 3, 4)), (t(0, 3), t(0, 4), t(5, 3, 4)),
         (t(), t(), t(5, 3, 4)), (t(2, 3, dtype=D), t(2, 4, dtype=D), t(5, 3, 4, dtype=D)),
             (t(6, 2, 3), t(6, 2, 4), t(5, 3, 4)))),
    Case("einsum", "torch.einsum", "/equation *operands", (
        ("ij,jk->ik", A, B), ("ij,jk", A, B), ("ij,jk->ik", A, A), ("bhqd,bhkd->bhqk", t(2, 4, 5, 8), t(2, 4, 6, 8)),
            ("...ij,...jk->...ik", t(7, 2, 3), t(3, 4)),
        ("ii->i", t(3, 3)), ("ii", t(3, 3)), ("ii", t(3, 4)), ("ij->ji", A), ("ij", A), ("ba", A), ("i,j->ij", t(3), t(4)),
            ("->", t()), ("i->", t(0)), ("ij,k->ik", A, t(4)), ("ij->k", A), ("ij,jk->ik", A),
        ("ijk->ik", A), ("...->...", A), ("b...->...", t(2, 3, 4)), (" i j , j k -> i k ", A, B),
            ("ij,jk->ik", t(2, 3, dtype=D), t(3, 4, dtype=D)), ("ij,jk->ik", t(2, 1), B),
        ("i", t()), ("ab,abc->c", t(2, 3), t(2, 3, 4)), ("...i,...i->...", t(5, 1, 3), t(4, 3)),
            ("...i,...i->...", t(5, 2, 3), t(4, 3)), ("i1->i", A),
    )),
    Case("transformer_encoder", "tests.ops.library_calls.transformer_encoder", "/src /d_model", (
        (t(5, 2, 8), 8), (t(5, 8), 8), (t(5, 2, 6), 8), (t(8), 8), (t(0, 2, 8), 8), (t(5, 2, 8, dtype=D), 8),
    )),
    Case("transformer_decoder", "tests.ops.library_calls.transformer_decoder", "/tgt /memory /d_model", (
        (t(5, 2, 8), t(7, 2, 8), 8), (t(5, 2, 6), t(7, 2, 8), 8), (t(5, 2, 8), t(7, 3, 8), 8), (t(5, 2, 8), t(7, 2, 6), 8),
        (t(5, 2, 8, dtype=D), t(7, 2, 8), 8),
    )),
]  # fmt: skip
