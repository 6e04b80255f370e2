"""Symbolic sizes: what an operation says about symbols holds for the numbers they stand for.

No library is needed: the concrete results have been compared with it (``test_against_*``). A sample that is no fault with
numbers must not be a fault with symbols in their place, and every known size must come out right.
"""

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dllint.domains.dim import symbol
from dllint.domains.shape import TensorType, shape_known
from tests.ops.harness import FRAMEWORKS, Case, Quiet, arguments, cases, concrete, contains, ours, symbolise, tensors_in

#: ``chunk`` gives fewer parts than asked for when the size is small; a symbol is taken to be large enough.
ASSUMING_LARGE_SIZES = frozenset({"chunk"})
SAMPLES = [
    (case, sample)
    for framework in FRAMEWORKS
    for case in cases(framework)
    if case.op not in ASSUMING_LARGE_SIZES
    for sample in case.samples
    if not isinstance(sample, Quiet) and any(True for _ in tensors_in(arguments(sample)))
]


def sizes(case: Case, sample: object) -> list[int]:
    """The sizes above 1 of a sample's tensors."""
    return sorted({n for tensor in tensors_in(arguments(sample)) for n in tensor.shape if n > 1})


def disagreement(case: Case, sample: object, chosen: list[int]) -> str | None:
    """Why a sample with ``chosen`` sizes made symbols contradicts the numbers."""
    plain = ours(case, arguments(sample))
    if plain.faults:
        return None
    names = {n: symbol(f"n{n}") for n in chosen}
    found = ours(case, symbolise(arguments(sample), names))
    if found.faults:
        return f"a fault is claimed of {case.op}{symbolise(arguments(sample), names)}: {found.faults[0]}"
    result = concrete(found.result, names)
    if contains(result, plain.result):
        return None
    return f"{case.op}{arguments(sample)}: {found.result} is {result}, not {plain.result}"


def test_every_sample_holds_with_all_sizes_symbolic():
    found = [disagreement(case, sample, sizes(case, sample)) for case, sample in SAMPLES]
    assert not list(filter(None, found))


@settings(max_examples=500, deadline=None, phases=(Phase.generate,))
@given(st.integers(0, len(SAMPLES) - 1), st.integers(0, 31))
def test_samples_hold_with_some_sizes_symbolic(position, subset):
    case, sample = SAMPLES[position]
    chosen = [n for place, n in enumerate(sizes(case, sample)) if subset >> place & 1]
    assert disagreement(case, sample, chosen) is None


def test_most_results_stay_known_with_symbolic_sizes():
    """Symbols must not dissolve into sizes nothing is known about."""
    known = total = 0
    for case, sample in SAMPLES:
        plain = ours(case, arguments(sample))
        if plain.faults or not isinstance(plain.result, TensorType) or not shape_known(plain.result.shape):
            continue
        found = ours(case, symbolise(arguments(sample), {n: symbol(f"n{n}") for n in sizes(case, sample)}))
        total += 1
        known += isinstance(found.result, TensorType) and shape_known(found.result.shape)
    assert known > 0.9 * total, f"{known} of {total}"
