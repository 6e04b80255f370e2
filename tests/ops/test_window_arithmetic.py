"""Convolution and pooling arithmetic against torch, for random windows and sizes, concrete and symbolic."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dllint.ops.all
from dllint.domains.dim import symbol
from dllint.domains.dtype import FLOAT32
from dllint.domains.shape import TensorType
from dllint.ops.constraints import constraints
from dllint.ops.spec import apply
from tests.ops.symbolic import instantiate

assert dllint.ops.all
pytestmark = pytest.mark.oracle
torch = pytest.importorskip("torch")

sizes = st.tuples(st.integers(1, 14), st.integers(1, 14))
pairs = st.tuples(st.integers(1, 4), st.integers(1, 4))
small = st.tuples(st.integers(0, 3), st.integers(0, 3))
maybe_one = st.one_of(st.integers(1, 4), pairs)


def check(kind: str, real: Any, args: dict[str, Any], image: tuple[int, int], channels: int) -> None:
    """Our result on numbers is torch's, and so is the symbolic result once the sizes are put in."""
    args = {"spatial": 2, **args}
    concrete = apply(kind, "torch", {"x": TensorType((2, channels, *image), FLOAT32), **args})
    height, width = symbol("H"), symbol("W")
    general = apply(kind, "torch", {"x": TensorType((2, channels, height, width), FLOAT32), **args})
    assert not general.faults
    violated = constraints(kind, "torch", args)
    try:
        expected = tuple(real(torch.zeros(2, channels, *image)).shape)
    except (RuntimeError, ValueError):
        # Whether a transposed convolution may give nothing at all depends on the kernel that torch selects.
        assert concrete.faults or violated or 0 in concrete.result.shape
        return
    assert not concrete.faults
    assert not violated
    assert concrete.result.shape == expected
    assert instantiate(general.result.shape, {height: image[0], width: image[1]}) == expected


@settings(max_examples=300, deadline=None)
@given(sizes, maybe_one, maybe_one, st.one_of(st.integers(0, 3), small, st.sampled_from(["same", "valid"])), maybe_one)
def test_convolution(image: tuple[int, int], kernel: Any, stride: Any, padding: Any, dilation: Any) -> None:
    args = {"kernel_size": kernel, "stride": stride, "padding": padding, "dilation": dilation}

    def real(x: Any) -> Any:
        return torch.nn.Conv2d(3, 5, **args)(x)

    check("conv", real, {"in_channels": 3, "out_channels": 5, **args}, image, 3)


@settings(max_examples=300, deadline=None)
@given(sizes, maybe_one, maybe_one, small, small, maybe_one)
def test_transposed_convolution(
    image: tuple[int, int], kernel: Any, stride: Any, padding: Any, output_padding: Any, dilation: Any
) -> None:
    args = {"kernel_size": kernel, "stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}

    def real(x: Any) -> Any:
        return torch.nn.ConvTranspose2d(3, 5, **args)(x)

    check("conv_transpose", real, {"in_channels": 3, "out_channels": 5, **args}, image, 3)


@settings(max_examples=400, deadline=None)
@given(sizes, maybe_one, st.one_of(st.none(), maybe_one), small, st.booleans(), maybe_one)
def test_max_pooling(image: tuple[int, int], kernel: Any, stride: Any, padding: Any, ceil: bool, dilation: Any) -> None:
    args = {"kernel_size": kernel, "stride": stride, "padding": padding, "ceil_mode": ceil, "dilation": dilation}

    def real(x: Any) -> Any:
        return torch.nn.functional.max_pool2d(x, **args)

    check("max_pool", real, args, image, 3)


@settings(max_examples=200, deadline=None)
@given(sizes, maybe_one, maybe_one, small, st.booleans())
def test_average_pooling(image: tuple[int, int], kernel: Any, stride: Any, padding: Any, ceil: bool) -> None:
    args = {"kernel_size": kernel, "stride": stride, "padding": padding, "ceil_mode": ceil}

    def real(x: Any) -> Any:
        return torch.nn.functional.avg_pool2d(x, **args)

    check("avg_pool", real, args, image, 3)


@settings(max_examples=200, deadline=None)
@given(sizes, st.sampled_from([0.5, 0.25, 1.5, 2.0, 2, 3, 0.3, 1.7]))
def test_interpolation_by_a_factor(image: tuple[int, int], factor: float) -> None:
    assume(min(image) * factor >= 1)

    def real(x: Any) -> Any:
        return torch.nn.functional.interpolate(x, scale_factor=factor)

    concrete = apply("interpolate", "torch", {"x": TensorType((2, 3, *image), FLOAT32), "scale_factor": factor})
    assert concrete.result.shape == tuple(real(torch.zeros(2, 3, *image)).shape)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-3, 4), min_size=1, max_size=8), st.sampled_from(["constant", "reflect", "replicate", "circular"]))
def test_padding(pad: list[int], mode: str) -> None:
    shape = (2, 3, 4, 5)
    outcome = apply("pad", "torch", {"x": TensorType(shape, FLOAT32), "pad": tuple(pad), "mode": mode})
    try:
        expected = tuple(torch.nn.functional.pad(torch.zeros(shape), pad, mode).shape)
    except (RuntimeError, ValueError, NotImplementedError, AssertionError):
        assert outcome.faults
        return
    assert not outcome.faults
    assert outcome.result.shape == expected
