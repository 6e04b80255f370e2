"""Numbers that are made elements of a tensor are cut, or become truth values, as its element type has it; of a type that is not
known they may be. Ranges against every constructor and write of the libraries."""

from __future__ import annotations

from itertools import product
from types import CodeType
from typing import Final

import numpy as np
import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.domains.interval import Interval
from dllint.ir.program import Op
from tests.lower.tracing import program

#: By library: its import, how an element type is named, and what makes elements of a type of the numbers ``A`` and ``B``.
#: ``KIND`` is the element type, ``like`` are three elements of it.
_LIBRARIES: Final = {
    "torch": (
        "import torch",
        "torch.{}",
        "like = torch.ones(3, dtype=KIND)",
        (
            "like.new_tensor([A, B])",
            "like.new_full((2,), A)",
            "torch.full_like(like, A)",
            "torch.full((2,), A, dtype=KIND)",
            "torch.tensor([A, B], dtype=KIND)",
            "torch.tensor(A, dtype=KIND)",
            "torch.as_tensor([A, B], dtype=KIND)",
            "torch.asarray([A, B], dtype=KIND)",
            "torch.tensor([A, B]).to(dtype=KIND)",
            "torch.tensor([A, B]).to(like)",
            "torch.tensor([A, B]).type_as(like)",
            "torch.tensor([A, B]).type(KIND)",
            "like.masked_fill(torch.tensor([True, False, True]), A)",
            "like.scatter(0, torch.tensor([1]), A)",
            "like.index_fill(0, torch.tensor([1]), A)",
            "like.index_put((torch.tensor([1]),), torch.tensor(A).to(like))",
            "like.clone().fill_(A)",
            "like.clone().copy_(torch.tensor([A, B, A]))",
            "torch.nn.functional.pad(like, (1, 1), value=A)",
            "torch.linspace(A, B, 4, dtype=KIND)",
            "torch.sum(torch.tensor([A, B]), dtype=KIND)",
            "torch.prod(torch.tensor([A, B]), dtype=KIND)",
            "torch.mean(torch.tensor([A, B]), dtype=KIND)",
            "torch.cumsum(torch.tensor([A, B]), 0, dtype=KIND)",
            "torch.cumprod(torch.tensor([A, B]), 0, dtype=KIND)",
            "z = like.clone()\nz[0] = A\nz * 1",
            "z = like.clone()\nz[1:] = torch.tensor([A, B])\nz * 1",
            "z = like.clone()\nz[z == 1] = A\nz * 1",
        ),
    ),
    "numpy": (
        "import numpy as np",
        "np.{}",
        "like = np.ones(3).astype(KIND)",
        (
            "np.array([A, B], dtype=KIND)",
            "np.asarray([A, B], dtype=KIND)",
            "np.full((2,), A, dtype=KIND)",
            "np.full_like(like, A)",
            "np.array([A, B]).astype(KIND)",
            "np.array([A, B]).astype(like.dtype)",
            "np.linspace(A, B, 4, dtype=KIND)",
            "np.sum(np.array([A, B]), dtype=KIND)",
            "np.mean(np.array([A, B]), dtype=KIND)",
            "np.cumsum(np.array([A, B]), dtype=KIND)",
            "z = like.copy()\nz[0] = A\nz * 1",
            "z = like.copy()\nz[1:] = np.array([A, B])\nz * 1",
            "z = like.copy()\nz.fill(A)\nz * 1",
        ),
    ),
    "tensorflow": (
        "import tensorflow as tf",
        "tf.{}",
        "like = tf.cast(tf.ones(3), KIND)",
        (
            "tf.constant([A, B], dtype=KIND)",
            "tf.convert_to_tensor([A, B], dtype=KIND)",
            "tf.cast([A, B], KIND)",
            "tf.cast(tf.constant([A, B]), like.dtype)",
            "tf.fill([2], tf.cast(A, KIND))",
            "tf.pad(like, [[1, 1]], constant_values=tf.cast(A, KIND))",
        ),
    ),
    "keras": (
        "import keras",
        "'{}'",
        "like = keras.ops.cast(keras.ops.ones(3), KIND)",
        (
            "keras.ops.array([A, B], dtype=KIND)",
            "keras.ops.convert_to_tensor([A, B], dtype=KIND)",
            "keras.ops.full((2,), A, dtype=KIND)",
            "keras.ops.full_like(like, A)",
            "keras.ops.cast(keras.ops.array([A, B]), KIND)",
            "keras.ops.linspace(A, B, 4, dtype=KIND)",
        ),
    ),
}  # fmt: skip

_TYPES: Final = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
_NUMBERS: Final = ((0.5, 0.25), (-1.5, 1e-6), (-1, 1e-6), (2.7, 3), (-0.3, -2.5), (1e-6, 1e-3), (0, 1), (True, 0.4))


def _text(library: str, formula: str, kind: str, numbers: tuple[float, float]) -> str:
    header, _, like, _ = _LIBRARIES[library]
    *lines, last = formula.replace("A", "{a}").replace("B", "{b}").splitlines()
    body = "\n".join([like, *lines, f"out = {last}"])
    return f"{header}\n{body}\n".replace("KIND", kind).replace("{a}", repr(numbers[0])).replace("{b}", repr(numbers[1]))


def _claimed(text: str) -> Interval:
    traced = program(text)
    made = [item for item in traced.trace if isinstance(item, Op) and item.outputs]
    return Ranges(traced).of(made[-1].output)


def _seen(code: CodeType, kind: object) -> np.ndarray | None:
    names = {"kind": kind}
    try:
        exec(code, names)
        return np.asarray(names["out"]).astype(np.float64)
    except Exception:
        return None  # the library does not do it


def _holds(claimed: Interval, seen: np.ndarray, text: str) -> None:
    assert claimed.low.value <= seen.min(), text
    assert seen.max() <= claimed.high.value, text
    assert claimed.has_zero or (seen != 0).all(), text


@pytest.mark.oracle
@pytest.mark.parametrize("library", _LIBRARIES)
def test_numbers_of_a_type_that_is_known_lie_in_the_range(library: str) -> None:
    """Each formula with each type, and in turn with each pair of numbers."""
    pytest.importorskip(library)
    _, spelled, _, formulas = _LIBRARIES[library]
    ran = 0
    for (place, formula), (turn, name) in product(enumerate(formulas), enumerate(_TYPES)):
        text = _text(library, formula, spelled.format(name), _NUMBERS[(place + turn) % len(_NUMBERS)])
        seen = _seen(compile(text, "stored", "exec"), None)
        if seen is not None:
            ran += 1
            _holds(_claimed(text), seen, f"{text}{seen}")
    assert ran >= 4 * len(formulas)


@pytest.mark.oracle
@pytest.mark.parametrize("library", _LIBRARIES)
def test_numbers_of_a_type_that_is_not_known_lie_in_the_range(library: str) -> None:
    module = pytest.importorskip(library)
    ran = 0
    formulas = _LIBRARIES[library][3]
    for formula, numbers in product(formulas, _NUMBERS):
        text = _text(library, formula, "kind", numbers)
        claimed, code = _claimed(text), compile(text, "stored", "exec")
        for name in _TYPES:
            kind = name if library == "keras" else getattr(module, name)
            seen = _seen(code, kind) if name != "uint8" or min(numbers) >= 0 else None
            if seen is not None:
                ran += 1
                _holds(claimed, seen, f"{text}{name}: {seen}")
    assert ran >= 30 * len(formulas)


@pytest.mark.parametrize("kind", ["f(1)", "x.dtype"])
def test_what_only_whole_numbers_reach_is_not_known_to_be_reached(kind: str) -> None:
    text = f"import torch\nx = f(0)\ny = torch.full((3,), 1e-6, dtype={kind})\nz = torch.tensor([0.5, -1.5], dtype={kind})\n"
    traced = program(text)
    small, both = (Ranges(traced).of(op.output) for op in traced.ops[-2:])
    assert not small.known or not small.low.known
    assert both.low.value == -1.5
    assert both.low.known
