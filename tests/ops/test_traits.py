"""What traits say of operations is what torch does, both ways.

An operation that has a trait behaves so in every sample, and one that behaves so in every sample has it, or stands below with
the reason.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from dllint.domains.shape import TensorType
from dllint.ops.kinds import having, having_any
from dllint.ops.spec import OPS
from dllint.ops.traits import NONE, Trait
from tests.ops.harness import Case, Quiet, arguments, cases, real, resolve

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

#: So many samples of an operation are run.
_MOST = 6
_REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, AssertionError, AttributeError)


@dataclass(frozen=True)
class Run:
    """One call of torch: the first tensor, the one that the result is laid out against, and the result."""

    case: Case
    function: Callable[..., Any]
    values: tuple[Any, ...]
    x: Any
    result: Any

    def again(self, x: Any) -> Any:
        """The result for another first tensor."""
        torch.manual_seed(0)
        replaced = [x if value is self.x else value for value in self.values]
        return _first(self.function(*replaced))


def _first(result: Any) -> Any:
    return result[0] if isinstance(result, tuple | list) and result else result


def _made(value: Any) -> Any:
    """A sample's argument with numbers in place of zeros: no two alike, of both signs, none near a whole number."""
    if isinstance(value, TensorType):
        found = real(value, "torch")
        count = found.numel()
        if found.dtype.is_floating_point and count:
            numbers = torch.linspace(-2.7, 2.6, count, dtype=torch.float64)
            order = torch.randperm(count, generator=torch.Generator().manual_seed(count))
            return (numbers[order] + 0.013).reshape(found.shape).to(found.dtype)
        return found
    if isinstance(value, tuple):
        return tuple(_made(part) for part in value)
    return real(value, "torch")


@cache
def _runs(op: str) -> tuple[Run, ...]:
    if op in having(Trait.EMPTY):  # what is in memory may be anything, also what was in ``x`` before
        return ()
    found = []
    for case in cases("torch"):
        if case.op == op:
            found += list(_of_case(case))
    return tuple(found[:_MOST])


def _of_case(case: Case) -> Iterator[Run]:
    try:
        function = resolve(case.name)
    except LookupError:
        return
    for sample in case.samples:
        if isinstance(sample, Quiet):
            continue
        values = tuple(_made(value) for value in arguments(sample))
        x = next((value for value in values if isinstance(value, torch.Tensor)), None)
        if x is None or not x.dtype.is_floating_point or not 1 < x.numel() < 2000:
            continue
        torch.manual_seed(0)
        kept = x.clone()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = _first(function(*values))
        except _REFUSALS:
            continue
        if isinstance(result, torch.Tensor) and torch.equal(x, kept):
            yield Run(case, function, values, x, result)


def _numbers(tensor: Any) -> Counter[float]:
    return Counter(number for number in tensor.detach().double().flatten().tolist() if number == number)


# --- what each trait says, as far as it can be run --------------------------------------------------------------------------


def _selects(run: Run) -> bool:
    return set(_numbers(run.result)) <= set(_numbers(run.x))


def _keeps_values(run: Run) -> bool:
    return _numbers(run.result) == _numbers(run.x)


def _keeps_order(run: Run) -> bool:
    return run.result.numel() == run.x.numel() and torch.equal(run.result.flatten().double(), run.x.flatten().double())


def _keeps_places(run: Run) -> bool:
    return run.result.shape == run.x.shape and _keeps_order(run)


def _repeats(run: Run) -> bool:
    counts, before = _numbers(run.result), _numbers(run.x)
    return set(counts) == set(before) and len({counts[number] / before[number] for number in before}) == 1


def _keeps_shape(run: Run) -> bool:
    return run.result.shape == run.x.shape


def _pointwise(run: Run) -> bool:
    """Another number in one place changes the result there alone."""
    if run.result.shape != run.x.shape:
        return False
    changed = run.x.clone()
    place = changed.numel() // 2
    changed.view(-1)[place] += 0.37
    other = run.again(changed)
    differs = ~torch.isclose(other.double(), run.result.double(), equal_nan=True).flatten()
    return not differs[torch.arange(len(differs)) != place].any()


def _monotone(run: Run) -> bool:
    above = run.again(run.x + 0.37)
    known = ~(above.isnan() | run.result.isnan())
    return above.shape == run.result.shape and bool((above[known] >= run.result[known]).all())


def _non_negative(run: Run) -> bool:
    return not (run.result < 0).any() if not run.result.is_complex() else False


def _keeps_sign(run: Run) -> bool:
    upper, lower = run.again(run.x.abs()), run.again(-run.x.abs())
    return not (upper < 0).any() and not (lower > 0).any()


def _no_gradient(run: Run) -> bool:
    x = run.x.clone().requires_grad_()
    result = run.again(x)
    if not result.requires_grad:
        return True
    (gradient,) = torch.autograd.grad(result.double().sum(), x, allow_unused=True)
    return gradient is None or not gradient.any()


def _truth(run: Run) -> bool:
    return run.result.dtype == torch.bool or set(_numbers(run.result)) <= {0.0, 1.0}


def _view(run: Run) -> bool:
    return run.result.untyped_storage().data_ptr() == run.x.untyped_storage().data_ptr()


def _normalises(run: Run) -> bool:
    """A sum of 1 along an axis, of the results or of their exponentials, or a length of 1."""
    result = run.result.double()
    forms = (result, result.exp(), result.square())
    return any(bool(((form.sum(axis) - 1).abs() < 1e-2).all()) for form in forms for axis in range(form.dim()))


def _reduces(run: Run) -> bool:
    return run.result.numel() < run.x.numel()


TESTS: dict[Trait, Callable[[Run], bool]] = {
    Trait.SELECTS: _selects,
    Trait.KEEPS_VALUES: _keeps_values,
    Trait.KEEPS_ORDER: _keeps_order,
    Trait.KEEPS_PLACES: _keeps_places,
    Trait.REPEATS: _repeats,
    Trait.KEEPS_SHAPE: _keeps_shape,
    Trait.POINTWISE: _pointwise,
    Trait.MONOTONE: _monotone,
    Trait.NON_NEGATIVE: _non_negative,
    Trait.KEEPS_SIGN: _keeps_sign,
    Trait.NO_GRADIENT: _no_gradient,
    Trait.TRUTH: _truth,
    Trait.VIEW: _view,
    Trait.NORMALISES: _normalises,
    Trait.REDUCES: _reduces,  # one way: losses, pools and cuts have fewer elements, too
}


@cache
def _verdicts(trait: Trait) -> dict[str, tuple[bool, ...]]:
    """Operation → what each of its samples shows."""
    found = {}
    for op in OPS:
        shown = []
        for run in _runs(op):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    shown.append(bool(TESTS[trait](run)))
            except _REFUSALS:
                continue
        if shown:
            found[op] = tuple(shown)
    return found


_BROADCAST = "its operands are broadcast: one element of x is in many places of the result"
#: Operations that have a trait although a sample does not show it → why.
UNSEEN: dict[Trait, dict[str, str]] = {
    **{
        trait: {"cast": "another type rounds: the walks ask for the types"}
        for trait in (Trait.SELECTS, Trait.KEEPS_VALUES, Trait.KEEPS_ORDER, Trait.KEEPS_PLACES)
    },
    Trait.REPEATS: {"expand": "a sample repeats nothing, with a size of 0"},
    Trait.KEEPS_SHAPE: {"masked_fill": "the mask of a sample has more axes than x"},
    Trait.POINTWISE: dict.fromkeys((having(Trait.POINTWISE) - having(Trait.KEEPS_SHAPE)) | {"masked_fill"}, _BROADCAST),
}
#: Traits that hold for an operation where another one does, without saying anything.
EXEMPT: dict[Trait, Trait] = {
    Trait.REPEATS: Trait.KEEPS_VALUES | Trait.RANKS,
    Trait.POINTWISE: Trait.FILLS | Trait.DRAWS | Trait.POSITIONS,
    Trait.MONOTONE: Trait.TRUTH,
    Trait.NON_NEGATIVE: Trait.FILLS | Trait.EMPTY | Trait.DRAWS | Trait.SELECTS,
    Trait.KEEPS_SIGN: Trait.TRUTH | Trait.FILLS | Trait.LOSS,
    Trait.NO_GRADIENT: Trait.DRAWS | Trait.LOSS | Trait.SELECTS,
    Trait.TRUTH: Trait.FILLS | Trait.LOSS | Trait.SELECTS,
    Trait.VIEW: Trait.MAY_VIEW,
}
_WRITTEN = "the sample writes x over itself, or other numbers at few places"
_PLACES = "which places change another operand says"
_OF_X = {
    **dict.fromkeys(("copy_into", "setitem", "masked_scatter"), _WRITTEN),
    "nan_to_num": "the samples have nothing to replace",
    "masked_fill": "the samples put elements of x, or nothing",
    "unique": "the samples hold no number twice",
    **dict.fromkeys(("meshgrid", "broadcast_tensors"), "each of its results is of another operand"),
    "kl_div": "its result of the samples is 0",
    **dict.fromkeys(("complex_of_parts", "real_part"), "the samples are real numbers"),
}
#: Operations that behave so in every sample, and need not → why.
SEEMING: dict[Trait, dict[str, str]] = {
    **dict.fromkeys(
        (Trait.SELECTS, Trait.KEEPS_VALUES, Trait.KEEPS_ORDER, Trait.KEEPS_PLACES, Trait.REPEATS, Trait.VIEW), _OF_X
    ),
    Trait.KEEPS_SHAPE: {
        **dict.fromkeys(("addcdiv", "addcmul", "lerp", "complex_of_parts", "polar"), _BROADCAST),
        **dict.fromkeys(("tril", "triu"), "numpy makes a matrix of a row"),
        "normal": "the shape is that of the means only where they are a tensor",
        **dict.fromkeys(("transformer_decoder", "transformer_encoder"), "the axes are those of src, which walks do not follow"),
    },
    Trait.POINTWISE: {
        **dict.fromkeys(
            ("index_add", "index_copy", "index_fill", "index_put", "scatter", "scatter_add", "scatter_reduce"), _PLACES
        ),
        **dict.fromkeys(("copy_into", "setitem", "masked_scatter"), _WRITTEN),
        **dict.fromkeys(("tril", "triu"), "numpy makes a matrix of a row"),
        "batch_norm": "while training, all of a batch decides",
        "isin": "the other operand is searched as a whole",
        "prelu": "its weights lie along an axis",
    },
    Trait.MONOTONE: {
        **dict.fromkeys(("addcdiv", "addcmul", "lerp", "sub", "xlogy"), "it falls when another operand rises"),
        **dict.fromkeys(("masked_fill", "nan_to_num", "threshold"), "the number that it puts may lie anywhere"),
        "dropout": "two calls drop different elements",
        "real_part": "complex numbers have no order",
    },
    Trait.NON_NEGATIVE: {
        **dict.fromkeys(("hinge_embedding_loss", "kl_div", "poisson_nll"), "it is below 0 for other predictions"),
        "angle": "complex numbers below the real axis have one below 0",
        "dot": "the product of a row with itself",
        "dropout": "the sample drops all",
        "lp_pool": "an odd power keeps the sign",
        "pow": "the samples have even exponents",
        "threshold": "the samples put numbers above 0",
    },
    Trait.KEEPS_SIGN: {
        **dict.fromkeys(("grid_sample", "interpolate"), "cubic interpolation overshoots"),
        **dict.fromkeys(
            ("masked_fill", "nan_to_num", "threshold", "pad", "hardtanh"), "the number that it puts may lie anywhere"
        ),
        **dict.fromkeys(("atan2", "xlogy"), "the other operand decides the sign, too"),
        **dict.fromkeys(("setitem", "masked_scatter"), _WRITTEN),
        **dict.fromkeys(("meshgrid", "broadcast_tensors"), "each of its results is of another operand"),
        "real_part": "complex numbers have no sign",
        "rms_norm": "it scales with trained weights",
        "sin": "the samples stay below half a turn",
    },
    Trait.NORMALISES: dict.fromkeys(("qr", "svd"), "the vectors have length 1, and are others than those that are given"),
    Trait.NO_GRADIENT: {
        "angle": "of complex numbers it has a gradient",
        "slogdet": "the sign has none, the logarithm has one",
    },
}


@pytest.mark.parametrize("trait", TESTS, ids=lambda trait: trait.name)
def test_operations_with_a_trait_behave_so(trait: Trait):
    wrong = {op for op, shown in _verdicts(trait).items() if op in having(trait) and not all(shown)}
    assert not wrong - UNSEEN.get(trait, {}).keys(), f"they have {trait.name} and do not behave so"


@pytest.mark.parametrize("trait", [trait for trait in TESTS if trait is not Trait.REDUCES], ids=lambda trait: trait.name)
def test_operations_that_behave_so_have_the_trait(trait: Trait):
    seen = {op for op, shown in _verdicts(trait).items() if all(shown)}
    missing = seen - having(trait) - having_any(EXEMPT.get(trait, NONE)) - SEEMING.get(trait, {}).keys()
    if trait is Trait.MONOTONE:
        missing &= having(Trait.POINTWISE)
    assert not missing, f"they behave so in every sample and lack {trait.name}: {sorted(missing)}"
