"""Memory layout: strides through chains of torch operations, and when ``view`` is impossible."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dllint.domains.dim import symbol
from dllint.domains.lattice import Unknown
from dllint.ops.spec import apply
from tests.ops.harness import real, stride_mismatch, t

STEPS = (
    ("transpose", "transpose", (0, 1), ("dim0", "dim1")),
    ("transpose", "transpose", (1, -1), ("dim0", "dim1")),
    ("permute", "permute", ((2, 0, 1),), ("dims",)),
    ("permute", "permute", ((0, 2, 1),), ("dims",)),
    ("unsqueeze", "unsqueeze", (1,), ("dim",)),
    ("squeeze", "squeeze", (), ()),
    ("getitem", "__getitem__", ((slice(None), slice(0, None, 2)),), ("index",)),
    ("getitem", "__getitem__", ((Ellipsis, slice(1, 3)),), ("index",)),
    ("getitem", "__getitem__", (0,), ("index",)),
    ("getitem", "__getitem__", ((slice(None), None),), ("index",)),
    ("flatten", "flatten", (0, 1), ("start_dim", "end_dim")),
    ("reshape", "reshape", ((-1, 2),), ("shape",)),
    ("contiguous", "contiguous", (), ()),
    ("relu", "relu", (), ()),
    ("adjoint", "adjoint", (), ()),
    ("unbind", "unbind", (-1,), ("dim",)),
    ("chunk", "chunk", (2, -1), ("chunks", "dim")),
    ("narrow", "narrow", (0, 0, 1), ("dim", "start", "length")),
    ("select", "select", (-1, 0), ("dim", "index")),
)
TARGETS = ((-1,), (-1, 2), (2, -1), (4, -1), (2, 2, -1), (-1, 3), (3, -1), (1, -1, 2), (6, 4), (4, 6))


def run(start, steps):
    """Both values after the steps that torch accepts."""
    ours, torchs = t(*start), real(t(*start), "torch")
    for op, method, args, names in steps:
        try:
            after = getattr(torchs, method)(*args)
        except (RuntimeError, IndexError):
            continue
        outcome = apply(op, "torch", {"x": ours, **dict(zip(names, args, strict=True))})
        assert not outcome.faults
        if isinstance(outcome.result, tuple) and not after:  # no parts along an axis of size 0
            assert outcome.result == ()
            continue
        ours, torchs = (outcome.result[0], after[0]) if isinstance(outcome.result, tuple) else (outcome.result, after)
        assert ours.shape == tuple(torchs.shape)
        assert stride_mismatch(ours, torchs) is None
        assert ours.strides is not None or torchs.is_contiguous()
    return ours, torchs


@pytest.mark.oracle
@settings(max_examples=400, deadline=None, phases=(Phase.generate,))
@given(
    st.sampled_from([(2, 3, 4), (4, 6), (1, 3, 4), (2, 1, 6), (2, 2, 3, 4)]),
    st.lists(st.sampled_from(STEPS), max_size=4),
    st.sampled_from(TARGETS),
)
def test_view_is_a_fault_exactly_if_torch_refuses(start, steps, target):
    ours, torchs = run(start, steps)
    outcome = apply("view", "torch", {"x": ours, "shape": target})
    try:
        torchs.view(target)
        refused = False
    except RuntimeError:
        refused = True
    if isinstance(ours.strides, Unknown):
        assert refused or not outcome.faults
    else:
        assert bool(outcome.faults) == refused


def test_merging_moved_axes_of_symbolic_sizes_is_a_fault():
    batch, heads, length = symbol("B"), symbol("H"), symbol("T")
    x = apply("transpose", "torch", {"x": t(batch, heads, length, 64), "dim0": 1, "dim1": 2}).result
    outcome = apply("view", "torch", {"x": x, "shape": (batch, length, heads * 64)})
    assert [f.kind for f in outcome.faults] == ["view-stride"]
    assert outcome.faults[0].shapes == ((batch, length, heads, 64), (batch, length, heads * 64))
    assert outcome.result.shape == (batch, length, 64 * heads)


def test_splitting_a_moved_axis_is_no_fault():
    batch, length = symbol("B"), symbol("T")
    x = apply("transpose", "torch", {"x": t(batch, 8, length, 64), "dim0": 1, "dim1": 2}).result
    outcome = apply("view", "torch", {"x": x, "shape": (batch, length, 2, 4, 64)})
    assert not outcome.faults


def test_contiguous_repairs_the_layout():
    x = apply("transpose", "torch", {"x": t(2, 3, 4), "dim0": 0, "dim1": 2}).result
    x = apply("contiguous", "torch", {"x": x}).result
    assert not apply("view", "torch", {"x": x, "shape": (24,)}).faults
