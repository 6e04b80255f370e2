"""torch's losses in their functional form."""

from dllint.domains.dtype import BOOL, FLOAT64, INT32, INT64, UINT8
from tests.ops.harness import Case, t

F = "torch.nn.functional"
P = t(4, 5)
CLASSES = t(4, dtype=INT64)
#: Pairs of prediction and target for losses that compare element by element.
PAIRS = (
    (P, P),
    (P, t(5)),
    (P, t(4, 1)),
    (P, t(4, 3)),
    (t(4, 1), t(4)),
    (t(), t()),
    (t(0, 5), t(0, 5)),
    (P, t(4, 5, dtype=FLOAT64)),
    (t(4, 5, dtype=FLOAT64), P),
    (P, t(4, 5, dtype=INT64)),
    (P, t(4, 5, dtype=BOOL)),
)
KEEP = {"reduction": "none"}


def pairwise(op, name):
    return (
        Case(op, f"{F}.{name}", "input:x target", PAIRS),
        Case(op, f"{__name__}.{name}_each", "input:x target", PAIRS, KEEP),
    )


def _each(name):
    def call(input, target):
        import torch

        return getattr(torch.nn.functional, name)(input, target, reduction="none")

    return call


NAMES = {
    "mse_loss": "mse_loss",
    "l1_loss": "l1_loss",
    "smooth_l1_loss": "smooth_l1_loss",
    "huber_loss": "huber_loss",
    "kl_div": "kl_div",
    "poisson_nll": "poisson_nll_loss",
    "soft_margin_loss": "soft_margin_loss",
    "hinge_embedding_loss": "hinge_embedding_loss",
    "binary_cross_entropy": "binary_cross_entropy",
    "bce_with_logits": "binary_cross_entropy_with_logits",
}
globals().update({f"{name}_each": _each(name) for name in NAMES.values()})

CASES = [
    *(case for op, name in NAMES.items() for case in pairwise(op, name)),
    Case(
        "cross_entropy",
        f"{F}.cross_entropy",
        "input:x target weight",
        (
            (P, CLASSES),
            (P, P),
            (P, t(4, 5, dtype=INT64)),
            (P, t(4, 1, dtype=INT64)),
            (P, t(4)),
            (P, t(4, dtype=INT32)),
            (P, t(4, dtype=UINT8)),
            (P, t(3, dtype=INT64)),
            (P, CLASSES, t(5)),
            (P, CLASSES, t(4)),
            (P, P, t(5)),
            (t(5), t(dtype=INT64)),
            (t(5), t(1, dtype=INT64)),
            (t(5), t(5)),
            (t(), t(dtype=INT64)),
            (P, t(dtype=INT64)),
            (t(4, 5, 6), t(4, 6, dtype=INT64)),
            (t(4, 6, 5), t(4, 6, dtype=INT64)),
            (t(4, 5, 6), t(4, 5, 6)),
            (t(4, 5, 6, 7), t(4, 6, 7, dtype=INT64)),
            (t(4, 5, 6, 7), t(4, 1, 6, 7)),
            (t(0, 5), t(0, dtype=INT64)),
            (t(4, 5, dtype=FLOAT64), CLASSES),
            (t(4, 5, dtype=INT64), CLASSES),
            (t(4, 5, dtype=FLOAT64), P),
            (t(4, 5, 6, 7, 8), t(4, 6, 7, 8, dtype=INT64)),
        ),
    ),
    Case(
        "nll_loss",
        f"{F}.nll_loss",
        "input:x target weight",
        (
            (P, CLASSES),
            (P, P),
            (P, t(4, 1, dtype=INT64)),
            (P, t(4)),
            (P, t(3, dtype=INT64)),
            (P, CLASSES, t(4)),
            (t(5), t(dtype=INT64)),
            (t(4, 5, 6), t(4, 6, dtype=INT64)),
            (t(4, 5, 6, 7), t(4, 6, 7, dtype=INT64)),
            (t(4, 5, 6, 7), t(4, 6, 6, dtype=INT64)),
            (t(), t(dtype=INT64)),
            (t(0, 5), t(0, dtype=INT64)),
            (t(4, 5, dtype=FLOAT64), CLASSES),
        ),
    ),
    Case(
        "multi_margin_loss",
        f"{F}.multi_margin_loss",
        "input:x target",
        (
            (P, CLASSES),
            (P, t(4, 1, dtype=INT64)),
            (P, t(3, dtype=INT64)),
            (P, t(4)),
            (t(5), t(dtype=INT64)),
            (t(5), t(1, dtype=INT64)),
            (t(4, 5, dtype=FLOAT64), CLASSES),
        ),
    ),
    Case(
        "multilabel_margin_loss",
        f"{F}.multilabel_margin_loss",
        "input:x target",
        (
            (P, t(4, 5, dtype=INT64)),
            (P, t(4, 3, dtype=INT64)),
            (P, P),
            (t(5), t(5, dtype=INT64)),
            (t(4, 5, dtype=FLOAT64), t(4, 5, dtype=INT64)),
        ),
    ),
    Case(
        "multilabel_soft_margin_loss",
        f"{F}.multilabel_soft_margin_loss",
        "input:x target",
        ((P, P), (P, t(4, 3)), (P, t(4, 5, dtype=INT64)), (P, t(4, 5, dtype=BOOL))),
    ),
    Case(
        "gaussian_nll_loss",
        f"{F}.gaussian_nll_loss",
        "input:x target var",
        ((P, P, P), (P, P, t(4, 1)), (P, P, t(4)), (P, t(4, 3), P)),
    ),
    Case(
        "cosine_embedding_loss",
        f"{F}.cosine_embedding_loss",
        "input1:x input2:y target",
        (
            (P, P, t(4)),
            (P, P, t(4, 1)),
            (P, P, t(3)),
            (P, t(4, 3), t(4)),
            (t(5), t(5), t()),
            (t(4, 5, 6), t(4, 5, 6), t(4)),
            (P, P, t(4, dtype=INT64)),
        ),
    ),
    Case(
        "margin_ranking_loss",
        f"{F}.margin_ranking_loss",
        "input1:x input2:y target",
        (
            (t(4), t(4), t(4)),
            (t(4, 1), t(4, 1), t(4)),
            (t(4), t(1), t(4)),
            (t(4), t(3), t(4)),
            (t(), t(), t()),
            (t(0), t(0), t(0)),
        ),
    ),
    Case(
        "triplet_margin_loss",
        f"{F}.triplet_margin_loss",
        "anchor positive negative",
        (
            (P, P, P),
            (P, P, t(4, 3)),
            (P, P, t(1, 5)),
            (P, P, t(5)),
            (t(5), t(5), t(5)),
            (t(4, 3, 5), t(4, 3, 5), t(4, 3, 5)),
            (t(0, 5), t(0, 5), t(0, 5)),
        ),
    ),
    Case(
        "ctc_loss",
        "tests.ops.library_calls.ctc_loss",
        "/x /target",
        (
            (t(5, 2, 7), t(2, 3, dtype=INT64)),
            (t(5, 2, 7), t(3, 3, dtype=INT64)),
            (t(5, 2, 7, dtype=FLOAT64), t(2, 3, dtype=INT64)),
        ),
    ),
]
