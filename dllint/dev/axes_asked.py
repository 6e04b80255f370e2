"""How many axes functions of one tensor take, and whether the last two have to be of one size, found by calling them with
tensors of many shapes."""

from __future__ import annotations

import itertools
import json
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

_SIGNATURES: Final = Path(__file__).parents[1] / "frameworks" / "signatures"
#: Where functions do nothing but compute, by library.
_HOMES: Final = {
    "torch": ("torch.linalg.", "torch.fft.", "torch.special."),
    "numpy": ("numpy.linalg.", "numpy.fft."),
    "tensorflow": ("tensorflow.linalg.", "tensorflow.image.", "tensorflow.math."),
}
#: Functions outside of them, most of them about matrices.
_MORE: Final = (
    "numpy.corrcoef", "numpy.cov", "numpy.matrix_transpose", "numpy.tril", "numpy.triu", "numpy.trace", "numpy.rot90",
    "numpy.fliplr", "numpy.flipud", "numpy.diag", "numpy.diagonal", "numpy.bincount", "numpy.trim_zeros", "numpy.vander",
    *(f"torch.{name}" for name in (
        "det", "logdet", "slogdet", "inverse", "pinverse", "cholesky", "cholesky_inverse", "matrix_exp", "trace", "t", "t_copy",
        "tril", "triu", "diag", "diagonal", "rot90", "fliplr", "flipud", "bincount", "corrcoef", "cov", "cartesian_prod",
        "combinations", "pdist", "qr", "svd", "geqrf", "nonzero", "logcumsumexp", "adjoint", "vander", "unique_consecutive",
    )),
)  # fmt: skip
#: Functions that few shapes of a rank fit.
_LEFT_OUT: Final = ("torch.linalg.tensorinv", "numpy.linalg.tensorinv")
_MOST_AXES: Final = 5
_SIZES: Final = (0, 1, 2, 3, 4)
_SAMPLES: Final = 150
_NONE: Final[Mapping[str, bool | str]] = {}
_KINDS: Final = ("float32", "int32", "complex64", "bool", "uint8")


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """The numbers of axes that functions take, and that they take square matrices only, by qualified name."""
    for library, homes in _HOMES.items():
        for name, params in json.loads((_SIGNATURES / f"{library}.json").read_text(encoding="utf-8")).items():
            first = next((param[0] for param in params if param[1] == "pos"), None)
            chosen = name in _MORE or (name.startswith(homes) and name.rpartition(".")[2].islower())
            if first is not None and chosen and name not in _LEFT_OUT and (found := _row(library, name)):
                options = [param for param, _, *default in params[1:] if _changes_nothing(library, name, param, default, found)]
                row = {**found, **({"options": options} if options else {})}
                yield name, {**row, "alone": [first]}
                if method := _method(name):
                    yield method, {**row, "alone": ["self"]}


def _row(library: str, name: str) -> dict[str, Any]:
    function = _function(name)
    if not callable(function) or isinstance(function, type):
        return {}
    sizes = _SIZES[1:] if library == "tensorflow" else _SIZES  # nothing at all may crash it
    runs = {
        axes: [shape for shape in _shapes(axes, sizes) if _takes(library, function, shape)] for axes in range(_MOST_AXES + 1)
    }
    taken = [axes for axes, shapes in runs.items() if shapes]
    square = bool(taken) and min(taken) >= 2 and all(s[-1] == s[-2] for shapes in runs.values() for s in shapes)
    if not taken or (len(taken) > _MOST_AXES and not square):
        return {}
    return {"ranks": taken, **({"square": [True]} if square else {})}


#: Values of parameters that are words.
_WORDS: Final = ("L", "U", "reduced", "complete", "r", "gesvd", "xy", "ij")


def _changes_nothing(
    library: str, name: str, param: str, default: list[bool | str], found: Mapping[str, Sequence[int]]
) -> bool:
    """Whether no value of a switch, or of a parameter that is a word, makes a function take tensors that it takes not without
    it."""
    if not default or not isinstance(default[0], bool | str):
        return False
    values = (True, False) if isinstance(default[0], bool) else _WORDS
    square, function = "square" in found, _function(name)
    others = [
        shape
        for axes in range(_MOST_AXES + 1)
        for shape in _shapes(axes, _SIZES[1:] if library == "tensorflow" else _SIZES)
        if axes not in found["ranks"] or (square and shape[-1] != shape[-2])
    ]
    return not any(_takes(library, function, shape, {param: value}) for value in values for shape in others)


def _method(name: str) -> str:
    """The method of tensors that is the same function of torch; none if there is none of its name."""
    import torch

    last = name.rpartition(".")[2]
    same = name == f"torch.{last}" and hasattr(torch.Tensor, last)
    return f"torch.Tensor.{last}" if same else ""


def _function(name: str) -> Any:
    first, *rest = name.split(".")
    found: Any = __import__(first)
    for part in rest:
        found = getattr(found, part, None)
    return found


def _shapes(axes: int, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Shapes of so many axes: all with small sizes, or some of them, among them images and square matrices."""
    every = list(itertools.product(sizes, repeat=axes))
    if len(every) <= _SAMPLES:
        return every
    some = random.Random(axes).sample(every, _SAMPLES // 2)
    squares = [(*shape[:-1], shape[-2]) for shape in some]
    return [*some, *squares, *((2,) * (axes - 1) + (last,) for last in sizes)]


def _takes(
    library: str, function: Callable[..., Any], shape: tuple[int, ...], options: Mapping[str, bool | str] = _NONE
) -> bool:
    return any(_runs(function, _made(library, shape, kind), options) for kind in _KINDS)


def _made(library: str, shape: tuple[int, ...], kind: str) -> Any:
    """A tensor whose square matrices have inverses and roots."""
    import numpy

    numbers = numpy.full(shape, 0.1)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        numbers = numbers + numpy.eye(shape[-1])
    array = numbers.astype(kind)
    if library == "numpy":
        return array
    if library == "torch":
        import torch

        return torch.tensor(array)
    import tensorflow

    return tensorflow.constant(array)


def _runs(function: Callable[..., Any], x: Any, options: Mapping[str, bool | str]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(x, **options)
        except Exception:
            return False
    return True
