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
    ("torch.range(0, 5, 2)", "torch.arange(0, 6, 2, dtype=torch.get_default_dtype())"),
    ("torch.range(4, 2, -2)", "torch.arange(4, 1, -2, dtype=torch.get_default_dtype())"),
    ("torch.range(end=3, start=1)", "torch.arange(end=4, start=1, dtype=torch.get_default_dtype())"),
    ("torch.range(0, len(a) - 1, dtype=torch.int32)", "torch.arange(0, len(a), dtype=torch.int32)"),
    ("torch.range(1, -len(a) * 2, step=-1)", "torch.arange(1, -len(a) * 2 - 1, step=-1, dtype=torch.get_default_dtype())"),
    ("torch.cholesky(p, False)", "torch.linalg.cholesky(p)"),
    ("torch.cholesky(p, upper=False)", "torch.linalg.cholesky(p)"),
    ("torch.qr(a, some=True)[1]", "torch.linalg.qr(a)[1]"),
    ("torch.qr(a, False)[0]", 'torch.linalg.qr(a, mode="complete")[0]'),
    ("torch.chain_matmul(a, p, a)", "torch.linalg.multi_dot([a, p, a])"),
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
KEPT = [
    "torch.norm(a, p=1)",
    "torch.range(0, n)",
    "torch.range(0, 1, 0.5)",
    "torch.range(0, 7 / 2)",
    "torch.qr(a, some=u)",
    "torch.symeig(p)",
    "torch.solve(a, p)",
    "torch.cholesky(p, upper=u)",
]
PLACES = ["x = {}", "def f(a, p, i, n, u):\n    return {}"]


@pytest.mark.parametrize("place", PLACES)
def test_each_call(place):
    for old, new in [*RUN, *REFUSED, *((text, text) for text in KEPT)]:
        if "chain_matmul" in old:
            continue  # a rule rewrites it
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


@pytest.mark.parametrize(
    ("bound", "is_whole"),
    [
        ("n = 5", True),
        ("m = 2\nn = m * 3", True),
        ("n = 5\nn = 2.5", False),
        ("n = 5\nn += 0.5", False),
        ("n = 5 / 2", False),
        ("n, m = 1, 2", False),
        ("from sizes import n", False),
        ("def n(): pass", False),
        ("n = 5\ndef f(n): pass", False),
        ("n = 5\nfor n in numbers: pass", False),
        ("n = n", False),
        ("len = float\nn = len(3)", False),
    ],
)
def test_bounds_of_a_range_that_are_names(bound, is_whole):
    new = "torch.arange(0, n + 1, dtype=torch.get_default_dtype())" if is_whole else "torch.range(0, n)"
    text = f"import torch\n{bound}\nx = {{}}\n"
    assert step(text.format("torch.range(0, n)"), "torch2")[0] == text.format(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from torch import ger", "from torch import outer as ger"),
        ("from torch import ger as g, nn", "from torch import outer as g, nn"),
        ("from functorch import vmap, make_functional", "from torch.func import vmap\nfrom functorch import make_functional"),
        ("from torch.utils.data._utils.collate import default_collate", "from torch.utils.data import default_collate"),
        ("from torch.cuda.amp import autocast", "from torch.cuda.amp import autocast"),
        ("from torch import qr", "from torch import qr"),
    ],
)
def test_imports_of_names_that_moved(old, new):
    assert step(f"{old}\n", "torch2")[0] == f"{new}\n"
