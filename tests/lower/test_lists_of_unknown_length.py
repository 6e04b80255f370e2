"""What is made of a list that a loop of unknown length has filled has the shape of its elements behind or beside a length, as
the libraries make it of lists of any length."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from dllint.domains.dim import Dim, DimExpr, is_known, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.substitution import substitute
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

#: Ways to fill a list, by ``{row}``, and what is made of it.
FILLED = (
    "made = []\nfor row in rows:\n    made.append({row})",
    "made = [{row} for row in rows]",
    "made = [{row}]\nfor row in rows:\n    made.append({row})",
    "made = list()\nfor row in rows:\n    made.extend([{row}, {row}])",
)
SHAPES = ((), (3,), (3, 1), (2, 3, 4))
JOINED: dict[str, tuple[str, tuple[str, ...]]] = {
    "numpy": (
        "np.zeros({shape}, dtype=np.float32)",
        ("np.array({0})", "np.asarray({0})", "np.stack({0})", "np.stack({0}, axis=-1)", "np.concatenate({0})",
         "np.concatenate({0}, axis=-1)", "np.concatenate({0}, axis=1)", "np.vstack({0})", "np.hstack({0})", "np.dstack({0})",
         "np.column_stack({0})", "torch.tensor({0})"),
    ),
    "torch": (
        "torch.zeros({shape})",
        ("torch.stack({0})", "torch.stack({0}, dim=1)", "torch.stack({0}, dim=-1)", "torch.cat({0})", "torch.cat({0}, dim=-1)",
         "torch.cat({0}, 1)", "torch.vstack({0})", "torch.hstack({0})"),
    ),
    "tensorflow": (
        "tf.zeros({shape})",
        ("tf.stack({0})", "tf.stack({0}, axis=1)", "tf.concat({0}, 0)", "tf.concat({0}, axis=-1)"),
    ),
}  # fmt: skip
PLAIN = (("1.5", ()), ("7", ()), ("[1.0, 2.0]", (2,)), ("(1, 2, 3)", (3,)), ("[[1], [2]]", (2, 1)))


def cases() -> Iterator[tuple[str, str, str]]:
    for element, ways in JOINED.values():
        for filled, shape, way in product(FILLED, SHAPES, ways):
            yield filled.format(row=element.format(shape=shape)), way.format("made"), element
    for filled, (row, _), way in product(FILLED, PLAIN, ("np.array(made)", "torch.tensor(made)")):
        yield filled.format(row=row), way, row


def functions() -> dict[str, str]:
    """A function for each case, by name."""
    return {
        f"case_{number}": f"def case_{number}(rows):\n{textwrap.indent(filled, '    ')}\n    return {way}\n"
        for number, (filled, way, _) in enumerate(cases())
    }


@pytest.mark.oracle
def test_shapes_are_those_that_the_libraries_make_for_every_length() -> None:
    numpy, torch, tensorflow = map(pytest.importorskip, ("numpy", "torch", "tensorflow"))
    texts = functions()
    namespace: dict[str, Any] = {"np": numpy, "torch": torch, "tf": tensorflow}
    exec("\n".join(texts.values()), namespace)
    source = "import numpy as np\nimport torch\nimport tensorflow as tf\n" + "\n".join(texts.values())
    found = {program.entry: program.results for program in lower(source).programs}
    wrong, known = [], 0
    for name, text in texts.items():
        wanted = {length: _shape(namespace[name], length) for length in (2, 3)}
        shape = found[name].shape if isinstance(found[name], TensorVal) else Unknown("raises")
        if isinstance(shape, Unknown) or None in wanted.values():
            continue
        assert all(map(is_known, shape)), text
        known += 1
        if not any(_are(shape, wanted, more, times) for more, times in ((0, 1), (1, 1), (0, 2))):
            wrong.append(f"{text}{shape} {wanted}")
    assert wrong == []
    assert known > 0.7 * len(texts)


def _shape(function: Any, length: int) -> tuple[int, ...] | None:
    """The shape that a library makes; ``None`` if it refuses."""
    try:
        return tuple(function(range(length)).shape)
    except Exception:
        return None


def _are(shape: tuple[Dim, ...], wanted: dict[int, tuple[int, ...] | None], more: int, times: int) -> bool:
    """Whether sizes are those wanted where lists have ``more + times * rows`` elements."""
    return all(tuple(_at(size, more + times * rows) for size in shape) == sizes for rows, sizes in wanted.items())


def _at(size: Dim, length: int) -> Dim:
    return substitute(size, dict.fromkeys(symbols(size), length)) if isinstance(size, DimExpr) else size


MIXED = """
import numpy as np
import torch

def f(rows, files):
    made = []
    for row in rows:
        made.append({row})
    return {way}
"""


@pytest.mark.parametrize(
    ("row", "way"),
    [
        ("np.zeros(len(row))", "np.array(made)"),  # ragged
        ("[float(part) for part in row]", "np.array(made)"),
        ("torch.zeros(3)", "torch.tensor(made)"),  # refused
        ("row", "np.array(made)"),
        ("np.zeros(3) if row else np.zeros((3, 1))", "np.stack(made)"),
        ("torch.zeros(3) if row else None", "torch.stack(made)"),
    ],
)
def test_nothing_is_known_of_elements_that_may_differ(row: str, way: str) -> None:
    (result,) = [program.results for program in lower(MIXED.format(row=row, way=way)).programs if program.entry == "f"]
    assert not isinstance(result, TensorVal) or isinstance(result.shape, Unknown)
    assert not isinstance(result, TensorVal) or result.producer is None or not result.producer.faults
