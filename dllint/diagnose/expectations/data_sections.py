"""Tests of what the model is given: format, range and columns (guide step 2)."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.diagnose.expectations.bounds import UNSCALED, of_range
from dllint.diagnose.expectations.observed import FirstSteps, Values
from dllint.diagnose.expectations.section import Section, table

_FORMAT = """
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_have_their_format(run, name):
    shape, dtype, *_ = INPUTS[name]
    given = run.inputs[name]
    assert (given.shape, given.dtype) == (shape, dtype)
"""
_RANGE = """
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_are_finite_and_in_range(run, name):
    *_, least, most = INPUTS[name]
    given = run.inputs[name]
    assert given.is_finite, f"input {name} has NaN or infinity"
    assert least <= given.minimum, f"input {name} goes down to {given.minimum}"
    assert given.maximum <= most, f"input {name} goes up to {given.maximum}"
"""
_COLUMNS = """
@pytest.mark.parametrize("name", INPUTS)
def test_input_columns_say_something(run, name):
    given = run.inputs[name]
    assert given.missing_columns == 0, "columns with NaN or infinity"
    assert given.constant_columns <= {allowed}, "columns that hold one value only"
"""
_TARGETS = """
@pytest.mark.parametrize("name", TARGETS)
def test_targets_have_their_format_and_range(run, name):
    shape, dtype, least, most = TARGETS[name]
    given = run.targets[name]
    assert (given.shape, given.dtype) == (shape, dtype)
    assert given.is_finite, f"target {name} has NaN or infinity"
    assert least <= given.minimum, f"target {name} goes down to {given.minimum}"
    assert given.maximum <= most, f"target {name} goes up to {given.maximum}"
"""


def data_sections(seen: FirstSteps) -> Iterator[Section]:
    """What can be asked of the data that was seen."""
    if seen.inputs:
        unscaled = "unscaled input" in seen.symptoms
        rows = [(name, (*_format(values), *_range(values, unscaled=unscaled))) for name, values in seen.inputs.items()]
        comment = "Input: shape of a sample (None: any size), type, least and greatest number."
        yield Section(table("INPUTS", comment, rows), _FORMAT)
        yield Section((), _RANGE, _unmet_range(seen, unscaled=unscaled))
        yield _columns(seen)
    if seen.targets:
        rows = [(name, (*_format(values), *_target_range(seen, values))) for name, values in seen.targets.items()]
        unmet = "" if all(values.is_finite for values in seen.targets.values()) else "finite targets"
        yield Section(table("TARGETS", "Target: the same.", rows), _TARGETS, unmet)


def _format(values: Values) -> tuple[object, ...]:
    return values.shape, values.dtype


def _range(values: Values, *, unscaled: bool) -> tuple[float, float]:
    if unscaled and _is_unscaled(values):
        return -UNSCALED, UNSCALED
    least, most = of_range(values.minimum, values.maximum)
    # Numbers of tokens and pixels that are never negative are not expected to be.
    return (0.0 if values.minimum >= 0 else least), most


def _is_unscaled(values: Values) -> bool:
    return values.dtype.startswith(("float", "bfloat")) and values.size > UNSCALED


def _target_range(seen: FirstSteps, values: Values) -> tuple[float, float]:
    """Labels count from 0; other targets lie where they lay."""
    if seen.classes > 1 and not values.dtype.startswith("float"):
        return 0, seen.classes - 1
    return _range(values, unscaled=False)


def _unmet_range(seen: FirstSteps, *, unscaled: bool) -> str:
    if not all(values.is_finite for values in seen.inputs.values()):
        return "finite inputs"
    return "the range of the inputs" if unscaled and any(map(_is_unscaled, seen.inputs.values())) else ""


def _columns(seen: FirstSteps) -> Section:
    """Constant columns are allowed where ``dllint diagnose`` has nothing against them (the border of pictures)."""
    constant = max(values.constant_columns for values in seen.inputs.values())
    missing = any(values.missing_columns for values in seen.inputs.values())
    is_odd = "input features" in seen.symptoms
    unmet = "columns of the inputs" if missing or (is_odd and constant) else ""
    return Section((), _COLUMNS.format(allowed=0 if is_odd else constant), unmet)
