"""einops patterns against einops itself."""

import pytest

from dllint.domains.dim import symbol
from dllint.domains.dtype import FLOAT64, INT64
from dllint.domains.shape import TensorType
from dllint.ops.spec import apply
from tests.ops.harness import real, t, type_of

REARRANGE = (
    (t(2, 3, 8, 8), "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", {"p1": 4, "p2": 2}),
    (t(2, 3, 8, 8), "b c h w -> b (c h w)", {}),
    (t(2, 3, 8, 8), "b ... -> b (...)", {}),
    (t(2, 3, 8, 8), "b c ... -> b ... c", {}),
    (t(2, 10, 96), "b n (qkv h d) -> qkv b h n d", {"qkv": 3, "h": 4}),
    (t(2, 10, 96), "b n (qkv h d) -> qkv b h n d", {"qkv": 3, "h": 5}),
    (t(2, 10, 96), "b n (h d) -> b h n d", {}),
    (t(2, 10, 96), "b n d -> b n", {}),
    (t(2, 10, 96), "b n -> n b", {}),
    (t(2, 10, 96), "b n d -> b n d x", {}),
    (t(2, 1, 5), "b 1 d -> b d", {}),
    (t(2, 3, 5), "b 1 d -> b d", {}),
    (t(2, 5), "b d -> b 1 d ()", {}),
    (t(2, 5), "b d -> (b d", {}),
    (t(0, 5), "b d -> d b", {}),
    (t(), "-> 1", {}),
    (t(6), "(a b) -> a b", {"a": 2, "b": 4}),
    (t(6, dtype=INT64), "(a b) -> a b", {"b": 2}),
    (t(4, dtype=FLOAT64), "a -> 1 a", {}),
    ((t(2, 3), t(2, 3)), "n b c -> b (n c)", {}),
    (t(2, 3, 4), "b (c 1) d -> b c d", {}),
    (t(2, 3), "b c d -> b c d", {}),
)
REPEAT = (
    (t(1, 1, 5), "1 1 d -> b 1 d", {"b": 4}),
    (t(2, 5), "b d -> b n d", {"n": 3}),
    (t(2, 5), "b d -> b n d", {}),
    (t(2, 5), "b d -> b (d n)", {"n": 3}),
    (t(2, 5), "b d -> b 3 d", {}),
    (t(2, 5), "b d -> d", {}),
    (t(), "-> n", {"n": 3}),
    (t(0, 5), "b d -> b 2 d", {}),
    (t(4, dtype=INT64), "a -> b a", {"b": 2}),
)
REDUCE = (
    (t(2, 3, 8, 8), "b c h w -> b c", "mean"),
    (t(2, 3, 8, 8), "b c (h 2) (w 2) -> b c h w", "max"),
    (t(2, 3, 8, 8), "b c h w -> b c 1 1", "sum"),
    (t(2, 3, 9, 8), "b c (h 2) (w 2) -> b c h w", "max"),
    (t(2, 3), "b c -> ", "mean"),
    (t(2, 3), "b c -> b d", "mean"),
    (t(2, 3, dtype=INT64), "b c -> b", "sum"),
    (t(2, 3, dtype=INT64), "b c -> b", "mean"),
    (t(2, 3, dtype=INT64), "b c -> b", "max"),
    (t(2, 3, dtype=FLOAT64), "b ... -> ...", "min"),
)


def agrees(op, function, x, pattern, sizes, *middle):
    """Whether the library raises exactly if we record a fault, and the types are the same otherwise."""
    extra = {"reduction": middle[0]} if middle else {}
    found = apply(op, "torch", {"x": x, "pattern": pattern, "sizes": sizes, **extra})
    tensors = [real(part, "torch") for part in x] if isinstance(x, tuple) else real(x, "torch")
    try:
        wanted = type_of(function(tensors, pattern, *middle, **sizes))
    except Exception:
        assert found.faults, (pattern, found.result)
        return
    assert not found.faults, (pattern, found.faults)
    assert (found.result.shape, found.result.dtype) == (wanted.shape, wanted.dtype)


@pytest.mark.oracle
@pytest.mark.parametrize(("x", "pattern", "sizes"), REARRANGE, ids=[f"{x}-{p}" for x, p, _ in REARRANGE])
def test_rearrange(x, pattern, sizes):
    import einops

    agrees("rearrange", einops.rearrange, x, pattern, sizes)


@pytest.mark.oracle
@pytest.mark.parametrize(("x", "pattern", "sizes"), REPEAT, ids=[f"{x}-{p}" for x, p, _ in REPEAT])
def test_repeat(x, pattern, sizes):
    import einops

    agrees("einops_repeat", einops.repeat, x, pattern, sizes)


@pytest.mark.oracle
@pytest.mark.parametrize(("x", "pattern", "reduction"), REDUCE, ids=[f"{x}-{p}-{r}" for x, p, r in REDUCE])
def test_reduce(x, pattern, reduction):
    import einops

    agrees("einops_reduce", einops.reduce, x, pattern, {}, reduction)


def test_symbolic_sizes_are_divided():
    batch, channels = symbol("B"), symbol("C")
    x = TensorType((batch, 3 * 8 * channels, 32), FLOAT64)
    found = apply("rearrange", "torch", {"x": x, "pattern": "b (k h c) n -> k b h n c", "sizes": {"k": 3, "h": 8}})
    assert not found.faults
    assert found.result.shape == (3, batch, 8, 32, channels)
