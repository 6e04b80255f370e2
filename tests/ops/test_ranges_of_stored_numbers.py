"""Numbers that are made elements of a tensor are cut, or become truth values, as its element type has it; of a type that is not
known they may be. Ranges against every constructor and write of the libraries."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np
import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.domains.interval import Interval
from tests.lower.tracing import lower, program

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


#: What makes elements of the type ``KIND`` of those of ``x``.
_CONVERSIONS: Final = {
    "torch": ("x.to(KIND)", "x.type(KIND)", "torch.ones(2, dtype=KIND).copy_(x)", "x.to(torch.ones(1, dtype=KIND))"),
    "numpy": ("x.astype(KIND)", "np.array(x, dtype=KIND)", "np.asarray(x, KIND)", "KIND(x)", "KIND(x[0])"),
    "tensorflow": ("tf.cast(x, KIND)",),
    "keras": ("keras.ops.cast(x, KIND)", "keras.ops.convert_to_tensor(x, KIND)"),
}

#: How elements of the type ``KIND`` are written out.
_WRITTEN: Final = {
    "torch": "torch.tensor([A, B], dtype=KIND)",
    "numpy": "np.array([A, B], dtype=KIND)",
    "tensorflow": "tf.cast(tf.constant([A, B], tf.float64), KIND)",
    "keras": "keras.ops.array([A, B], dtype=KIND)",
}


def _names(library: str, kind: object) -> dict[str, object]:
    """What the formulas of a library find."""
    names: dict[str, object] = {"kind": kind}
    header, spelled, like, _ = _LIBRARIES[library]
    exec(f"{header}\n{like}".replace("KIND", spelled.format(kind) if isinstance(kind, str) else "kind"), names)
    return names


def _statement(formula: str, kind: str, numbers: tuple[float, float], name: str) -> str:
    *lines, last = formula.replace("A", "{a}").replace("B", "{b}").splitlines()
    text = "\n".join([*lines, f"{name} = {last}"]).replace("KIND", kind)
    return text.replace("{a}", repr(numbers[0])).replace("{b}", repr(numbers[1]))


def _claimed(statements: Sequence[str]) -> list[Interval]:
    """What is claimed of the variables ``out0``, ``out1``, … of as many statements after the first ones."""
    lowered = lower("\n".join(statements))
    ranges = Ranges(next(traced for traced in lowered.programs if traced.entry == "<module>"))
    held = lowered.module.attrs
    return [ranges.of(held[f"out{number}"]) for number in range(sum(name.startswith("out") for name in held))]


def _seen(statement: str, names: Mapping[str, object], name: str) -> np.ndarray | None:
    found = dict(names)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(statement, found)
            out = np.asarray(found[name])
            return (out.real if out.dtype.kind == "c" else out).astype(np.float64)
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
    header, spelled, like, formulas = _LIBRARIES[library]
    ran = 0
    for turn, name in enumerate(_TYPES):
        kind, names = spelled.format(name), _names(library, name)
        found: dict[str, np.ndarray] = {}
        for place, formula in enumerate(formulas):
            numbers, out = _NUMBERS[(place + turn) % len(_NUMBERS)], f"out{len(found)}"
            statement = _statement(formula, kind, numbers, out)
            if (seen := _seen(statement, names, out)) is not None:
                found[statement] = seen
        for claimed, (statement, seen) in zip(
            _claimed([header, like.replace("KIND", kind), *found]), found.items(), strict=True
        ):
            _holds(claimed, seen, f"{statement}: {seen}")
        ran += len(found)
    assert ran >= 4 * len(formulas)


@pytest.mark.oracle
@pytest.mark.parametrize("library", _LIBRARIES)
def test_numbers_of_a_type_that_is_not_known_lie_in_the_range(library: str) -> None:
    module = pytest.importorskip(library)
    header, _, like, formulas = _LIBRARIES[library]
    kinds = {name: name if library == "keras" else getattr(module, name) for name in _TYPES}
    prepared = {name: _names(library, kind) for name, kind in kinds.items()}
    ran = 0
    for numbers in _NUMBERS:
        statements = [_statement(formula, "kind", numbers, f"out{number}") for number, formula in enumerate(formulas)]
        for number, claimed in enumerate(_claimed([header, like.replace("KIND", "kind"), *statements])):
            for name, names in prepared.items():
                seen = _seen(statements[number], names, f"out{number}") if name != "uint8" or min(numbers) >= 0 else None
                if seen is not None:
                    ran += 1
                    _holds(claimed, seen, f"{statements[number]} {name}: {seen}")
    assert ran >= 30 * len(formulas)


@pytest.mark.oracle
@pytest.mark.parametrize("library", _LIBRARIES)
@pytest.mark.parametrize("numbers", [(0.9974, 1 / 3), (1 / 3, 1e-9), (-0.1, 2049.3)], ids=str)
def test_numbers_that_are_converted_lie_in_the_range(library: str, numbers: tuple[float, float]) -> None:
    """From each element type to each."""
    pytest.importorskip(library)
    header, spelled, *_ = _LIBRARIES[library]
    types = (*_TYPES, "complex64", "complex128")
    ran = 0
    for first in types:
        names: dict[str, object] = {}
        made = _statement(_WRITTEN[library], spelled.format(first), numbers, "x")
        exec(header, names)
        if _seen(made, names, "x") is None:
            continue
        exec(made, names)
        found: dict[str, np.ndarray] = {}
        for formula, second in product(_CONVERSIONS[library], types):
            out = f"out{len(found)}"
            statement = _statement(formula, spelled.format(second), numbers, out)
            if (second != "uint8" or min(numbers) >= 0) and (seen := _seen(statement, names, out)) is not None:
                found[statement] = seen
        for claimed, (statement, seen) in zip(_claimed([header, made, *found]), found.items(), strict=True):
            _holds(claimed, seen, f"{made}; {statement}: {seen}")
        ran += len(found)
    assert ran >= 60


@pytest.mark.parametrize("kind", ["f(1)", "x.dtype"])
def test_what_only_whole_numbers_reach_is_not_known_to_be_reached(kind: str) -> None:
    text = f"import torch\nx = f(0)\ny = torch.full((3,), 1e-6, dtype={kind})\nz = torch.tensor([0.5, -1.5], dtype={kind})\n"
    traced = program(text)
    small, both = (Ranges(traced).of(op.output) for op in traced.ops[-2:])
    assert not small.known or not small.low.known
    assert both.low.value == -1.5
    assert both.low.known
