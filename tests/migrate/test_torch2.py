"""Calls of torch that are rewritten: results before and after are the same, where torch still has the old call."""

from __future__ import annotations

import pytest

from tests.migrate.test_tf2 import step

#: Old call → new call; both are run, but for those that today's torch refuses.
RUN = [
    ("torch.norm(a)", "torch.linalg.vector_norm(a)"),
    ("torch.cholesky(p, upper=True)", "torch.linalg.cholesky(p).mH"),
    ("torch.cholesky(p, True)", "torch.linalg.cholesky(p).mH"),
    ("torch.range(1, 3)", "torch.arange(1, 4, dtype=torch.get_default_dtype())"),
    ("torch.range(3, -2, -1)", "torch.arange(3, -3, -1, dtype=torch.get_default_dtype())"),
    ("torch.nn.UpsamplingNearest2d(scale_factor=2)(i)", 'torch.nn.Upsample(scale_factor=2, mode="nearest")(i)'),
    ("torch.nn.UpsamplingBilinear2d(6)(i)", 'torch.nn.Upsample(6, mode="bilinear", align_corners=True)(i)'),
    (
        "torch.nn.functional.upsample_bilinear(i, scale_factor=2)",
        'torch.nn.functional.interpolate(i, scale_factor=2, mode="bilinear", align_corners=True)',
    ),
]
REFUSED = [
    ("torch.symeig(p, eigenvectors=True)", 'torch.linalg.eigh(p, UPLO="U")'),
    ("torch.symeig(p)[0]", 'torch.linalg.eigvalsh(p, UPLO="U")'),
    ("torch.solve(a, p)[0]", "torch.linalg.solve(p, a)"),
]
KEPT = ["torch.norm(a, p=1)", "torch.range(0, n)", "torch.symeig(p)", "torch.solve(a, p)", "torch.cholesky(p, upper=u)"]
PLACES = ["x = {}", "def f(a, p, i, n, u):\n    return {}"]


@pytest.mark.parametrize("place", PLACES)
def test_each_call(place):
    for old, new in [*RUN, *REFUSED, *((text, text) for text in KEPT)]:
        assert step(f"import torch\n{place.format(old)}\n", "torch2")[0] == f"import torch\n{place.format(new)}\n"


def test_schedulers_lose_verbose():
    text = "from torch.optim.lr_scheduler import StepLR\ns = StepLR(o, 3, verbose=True)\n"
    assert step(text, "torch2")[0] == text.replace(", verbose=True", "")


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_results_are_the_same():
    torch = pytest.importorskip("torch")
    a = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    names = {"torch": torch, "a": a, "p": a @ a.mT + torch.eye(2), "i": torch.arange(9.0).reshape(1, 1, 3, 3)}
    for old, new in RUN:
        one, other = eval(old, names), eval(new, names)
        assert one.dtype == other.dtype
        assert torch.allclose(one, other)
    for _, new in REFUSED:
        eval(new, names)
