"""Operations that say how their result lies in memory, on operands that do not lie row by row: the samples of torch with each
tensor laid out in other ways. The strides that are said are compared with those of torch; of an operand whose layout or shape
is not known, nothing wrong is said either."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, contiguous_strides
from dllint.ops.kinds import traits_of
from dllint.ops.traits import Trait
from tests.ops.harness import Case, arguments, cases, ours, real, resolve

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

TELLING = Trait.TELLS_LAYOUT | Trait.MAY_VIEW | Trait.ROW_BY_ROW
CASES = [case for case in cases("torch") if traits_of(case.op) & TELLING and not case.name.endswith("_")]
HIDDEN = Unknown("layout", "test")


def layouts(x: TensorType) -> Iterator[Any]:
    """Tensors of a shape: axes in reverse, the last two swapped, every second element, an inner part, one row repeated."""
    plain = real(x, "torch")
    if not plain.numel() or not plain.dim():
        return
    *rest, last = plain.shape
    yield plain.new_zeros(plain.shape[::-1]).permute(*reversed(range(plain.dim())))
    yield plain.new_zeros((*rest, 2 * last))[..., ::2]
    yield plain.new_zeros((*rest, last + 2))[..., 1:-1]
    yield plain.new_zeros(last).expand(plain.shape)
    if rest:
        yield plain.new_zeros((*rest[:-1], last, rest[-1])).mT


def laid_out(value: Any) -> Iterator[tuple[Any, Any]]:
    """The arguments, as we say and as torch takes them, with one of their tensors in another layout."""
    if isinstance(value, TensorType):
        for tensor in layouts(value):
            yield TensorType(value.shape, value.dtype, tuple(tensor.stride())), tensor
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            for known, tensor in laid_out(item):
                before, after = value[:place], value[place + 1 :]
                yield (*before, known, *after), (*real(before, "torch"), tensor, *real(after, "torch"))


def everywhere(value: Any, change: Callable[[TensorType], TensorType]) -> Any:
    if isinstance(value, TensorType):
        return change(value)
    return tuple(everywhere(item, change) for item in value) if isinstance(value, tuple) else value


def forgotten(x: TensorType) -> TensorType:
    return x if x.strides is None else TensorType(x.shape, x.dtype, HIDDEN)


def shapeless(x: TensorType) -> TensorType:
    return x if x.strides is None else TensorType(Unknown("test"), x.dtype, HIDDEN)


def wrong_strides(found: Any, result: Any) -> str | None:
    """Why the strides that are said, row by row included, are not those of a result."""
    if isinstance(found, tuple) and isinstance(result, (tuple, list)):
        return next((wrong for pair in zip(found, result, strict=False) if (wrong := wrong_strides(*pair))), None)
    if not isinstance(found, TensorType) or not isinstance(result, torch.Tensor) or not result.numel():
        return None
    if isinstance(found.strides, Unknown) or (found.strides is None and result.is_contiguous()):
        return None
    if isinstance(found.shape, Unknown) or found.shape != tuple(result.shape):
        return None if found.strides is not None else f"{found} is not row by row: {result.stride()}"
    said = contiguous_strides(found.shape) if found.strides is None else found.strides
    right = all(a == b for a, b, size in zip(said, result.stride(), result.shape, strict=True) if size != 1)
    return None if right else f"{found} has strides {said}, not {result.stride()}"


def failures(case: Case) -> Iterator[str]:
    for sample in case.samples:
        for known, given in laid_out(arguments(sample)):
            try:
                result = resolve(case.name)(*given)
            except Exception:  # what torch refuses is compared elsewhere
                continue
            for change in (lambda x: x, forgotten, shapeless):
                said = everywhere(known, change)
                outcome = ours(case, said)
                if not outcome.faults and (wrong := wrong_strides(outcome.result, result)):
                    yield f"{case.name}{said}: {wrong}"


@pytest.mark.filterwarnings("ignore")
def test_strides_are_those_of_torch() -> None:
    assert len(CASES) > 100
    assert [failure for case in CASES for failure in failures(case)] == []
