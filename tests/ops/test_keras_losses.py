"""Keras's losses: accepted targets and per-sample shapes against the real losses."""

from __future__ import annotations

import os

import pytest

import dllint.ops.all
from dllint.domains.dim import symbol
from dllint.domains.dtype import FLOAT32, INT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.keras.losses import CLASSES
from dllint.ops.keras_loss import OWN_LAYOUT, WHOLE
from dllint.ops.spec import Outcome, apply

assert dllint.ops.all
os.environ.setdefault("KERAS_BACKEND", "torch")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

#: Targets and predictions.
SHAPES: list[tuple[Shape, Shape]] = [
    ((4, 5), (4, 5)), ((4,), (4, 5)), ((4, 1), (4, 5)), ((4,), (4, 1)), ((4, 1), (4,)), ((4,), (4,)), ((4, 3), (4, 5)),
    ((4, 6, 5), (4, 6, 5)), ((4, 6), (4, 6, 5)), ((4, 6, 1), (4, 6, 5)), ((4, 5), (4, 6, 5)), ((4, 6), (4, 6, 1)),
    ((4, 6, 6, 1), (4, 6, 6)), ((3, 5), (4, 5)), ((3,), (4, 5)), ((4, 5), (4,)),
]  # fmt: skip
KINDS = sorted((name, kind) for name, kind in CLASSES.items() if kind not in OWN_LAYOUT)


def ours(kind: str, target: Shape, prediction: Shape) -> Outcome:
    dtype = INT32 if kind.startswith("sparse") else FLOAT32
    args = {"x": TensorType(prediction, FLOAT32), "target": TensorType(target, dtype), "kind": kind, "reduction": None}
    return apply("keras_loss", "keras", {**args, **({"dim": None} if kind in WHOLE else {})})


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_loss_accepts_what_keras_accepts(name: str, kind: str) -> None:
    import numpy as np

    keras = pytest.importorskip("keras")
    loss = getattr(keras.losses, name)(reduction=None)
    for target, prediction in SHAPES:
        dtype = "int32" if kind.startswith("sparse") else "float32"
        outcome = ours(kind, target, prediction)
        try:
            real = tuple(loss(np.zeros(target, dtype=dtype), np.full(prediction, 0.3, dtype="float32")).shape)
        except (RuntimeError, ValueError, IndexError):
            assert outcome.faults, f"{target} against {prediction}"
        else:
            assert not outcome.faults, f"{target} against {prediction}"
            assert outcome.result.shape == real, f"{target} against {prediction}"


def test_an_axis_that_may_be_one_is_not_judged() -> None:
    batch, width = symbol("B"), symbol("C")
    outcome = ours("mean_squared_error", (batch,), (batch, width))
    assert not outcome.faults
    assert isinstance(outcome.result.shape, Unknown)


def test_a_reduced_loss_is_a_scalar() -> None:
    args = {"x": TensorType((4, 5), FLOAT32), "target": TensorType((4, 5), FLOAT32), "kind": "mean_squared_error"}
    assert apply("keras_loss", "keras", args).result == TensorType((), FLOAT32)
