"""Tests of the model's inputs: format, range and columns (guide step 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.expectations.bounds import UNSCALED, of_range
from dllint.diagnose.expectations.observed import FirstSteps, Values
from dllint.diagnose.expectations.section import Section, table

_FORMAT: Final = """
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_have_their_format(run, name):
    shape, dtype, *_ = INPUTS[name]
    given = run.inputs[name]
    assert (given.shape, given.dtype) == (shape, dtype)
"""
_FINITE: Final = """
    assert given.is_finite, f"input {name} has NaN or infinity\""""
_RANGE: Final = """
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_are_in_range(run, name):
    *_, least, most = INPUTS[name]
    given = run.inputs[name]{finite}
    assert least <= given.minimum, f"input {{name}} goes down to {{given.minimum}}"
    assert given.maximum <= most, f"input {{name}} goes up to {{given.maximum}}"
"""
_COLUMNS: Final = """
@pytest.mark.parametrize("name", INPUTS)
def test_input_columns_say_something(run, name):
    given = run.inputs[name]
    assert given.missing_columns <= {missing}, "columns with NaN or infinity"
    assert given.constant_columns <= {constant}, "columns that hold one value only"
"""
_TARGETS: Final = """
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
    """Tests of the data that was seen."""
    if seen.inputs:
        comment = "Input: shape of a sample (None: any size), type, least and greatest number."
        rows = [(name, (*_format(values), *_input_range(seen, values))) for name, values in seen.inputs.items()]
        yield Section(table("INPUTS", comment, rows), _FORMAT)
        yield _ranges(seen)
        yield _columns(seen)
    if seen.targets:
        rows = [(name, (*_format(values), *_target_range(seen, values))) for name, values in seen.targets.items()]
        unmet = "" if all(values.is_finite for values in seen.targets.values()) else "finite targets"
        yield Section(table("TARGETS", "Target: the same.", rows), _TARGETS, unmet)


def _format(values: Values) -> tuple[object, ...]:
    return values.shape, values.dtype


def _input_range(seen: FirstSteps, values: Values) -> tuple[float, float]:
    return (-UNSCALED, UNSCALED) if _is_unscaled(seen, values) else _range(values)


def _is_unscaled(seen: FirstSteps, values: Values) -> bool:
    """Whether numbers are larger than they should be; a model that learns well from them has its reasons."""
    return "unscaled input" in seen.findings and values.dtype.startswith(("float", "bfloat")) and values.size > UNSCALED


def _range(values: Values) -> tuple[float, float]:
    least, most = of_range(values.minimum, values.maximum)
    # Numbers of tokens and pixels that are never negative are not expected to be.
    return (0.0 if values.minimum >= 0 else least), most


def _target_range(seen: FirstSteps, values: Values) -> tuple[float, float]:
    """Labels count from 0; other targets lie where they lay."""
    if seen.classes > 1 and not values.dtype.startswith("float"):
        return min(0, values.minimum), seen.classes - 1
    return _range(values)


def _ranges(seen: FirstSteps) -> Section:
    """Missing numbers are allowed where nothing came of them."""
    values = seen.inputs.values()
    is_finite = all(each.is_finite for each in values)
    test = _RANGE.format(finite=_FINITE if is_finite or seen.findings else "")
    if not is_finite and seen.findings:
        return Section((), test, "finite inputs")
    return Section((), test, "the range of the inputs" if any(_is_unscaled(seen, each) for each in values) else "")


def _columns(seen: FirstSteps) -> Section:
    """Columns that say nothing are allowed if the program is sound otherwise."""
    constant = max(values.constant_columns for values in seen.inputs.values())
    missing = max(values.missing_columns for values in seen.inputs.values())
    is_odd = bool(seen.findings) and "input features" in {*seen.findings, *seen.hints}
    unmet = "columns of the inputs" if is_odd else ""
    return Section((), _COLUMNS.format(constant=0 if is_odd else constant, missing=0 if is_odd else missing), unmet)
