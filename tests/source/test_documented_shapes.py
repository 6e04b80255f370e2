"""Shapes in docstrings and comments: which texts tell one, and which do not."""

from __future__ import annotations

import pytest

from dllint.source.documented_shapes import in_comment, in_docstring, shape_in


@pytest.mark.parametrize(
    "line",
    [
        "x (torch.Tensor): input of shape (B, T, C)",
        "x (Tensor): [B, T, C]",
        "x (`torch.FloatTensor` of shape `(B, T, C)`): the states",
        "x: Tensor of shape (B, T, C)",
        "x : torch.Tensor, shape (B, T, C)",
        ":param x: tensor of size [B, T, C]",
        "- x: B x T x C",
        "x (Tensor):\n        features with shape\n        (B, T, C)",
        "x (Tensor): of shape (B, T, C) or, packed, (B*N, T, C)",
    ],
)
def test_styles_of_docstrings(line):
    found = in_docstring(f"Run.\n\n    Args:\n    {line}\n", ["x"])["x"]
    assert found == ("B", "T", "C")


@pytest.mark.parametrize(
    "line",
    [
        "x (Tensor, optional): what it is",
        "x (Tensor): either (B, C) or (B, T, C)",
        "x (Tensor): shape (B, *, C)",
        "x (Tensor): shape (B, ..., C)",
        "x (Tensor): as usual (see below, please)",
        "x: one of (list, tuple)",
        "y (Tensor): shape (B, C)",
        "the x of shape (B, C)",
    ],
)
def test_what_tells_no_shape(line):
    assert in_docstring(f"Run.\n\n    Args:\n    {line}\n", ["x"]) == {}


def test_numbers_and_arithmetic():
    assert shape_in("shape (B, 3, H//4, 2*C)") == ("B", "3", "H//4", "2*C")
    assert shape_in("shape (N,)") == ("N",)


@pytest.mark.parametrize("text", ["# x: (B, T)", "# x shape: [B, T]", "# x is B x T", "# x.shape = (B, T)", "# `x` (B, T)"])
def test_comments(text):
    assert in_comment(text, ["x"]) == {"x": ("B", "T")}


@pytest.mark.parametrize("text", ["# xs: (B, T)", "# (B, T)", "# x goes first (a, b)", "# x -> (B, T)", "# take x"])
def test_comments_that_tell_nothing(text):
    assert in_comment(text, ["x"]) == {}
