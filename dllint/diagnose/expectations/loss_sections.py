"""Tests of the first loss, of what the loss function is given, and of one batch (guide steps 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.expectations.observed import FirstSteps
from dllint.diagnose.expectations.section import Section, literal

#: The first loss may be off -ln(1/n) by 100 % (TheDeepChecker); below, by half (own).
_FINITE = """
def test_first_loss_is_finite(run):
    assert math.isfinite(run.loss)
"""
_GUESSING = '''
def test_first_loss_is_that_of_guessing(run):
    """Guessing among {classes} classes costs -ln(1/{classes}) = {guessing:.4f}."""
    assert run.classes == {classes}
    assert {bounds}, f"first loss {{run.loss}}"
'''
_SHAPE = """
def test_output_has_its_shape(run):
    assert run.output.shape == {shape}
    assert run.output.is_finite
"""
_LOGITS = '''
def test_output_fits_the_loss(run):
    """The loss takes logits and applies its own {own}."""
    assert run.last_activation not in ("softmax", "sigmoid"), run.last_activation
    assert not run.outputs_sum_to_one, "the model gives probabilities"
'''
_PROBABILITIES = '''
def test_output_fits_the_loss(run):
    """The loss takes probabilities."""
    assert 0 <= run.output.minimum
    assert run.output.maximum <= 1
    assert {rows}
'''
_LOG_PROBABILITIES = '''
def test_output_fits_the_loss(run):
    """The loss takes logarithms of probabilities."""
    assert run.output.maximum <= 0, run.output.maximum
'''
_NUMBERS = """
def test_output_fits_the_targets(run):
    assert run.output.shape == run.compared.shape
    assert run.output.size <= 10 * max(run.compared.size, 1), "untrained outputs too large"
"""
_ONE_BATCH = '''
def test_one_batch_can_be_fitted(run):
    """A copy of the model is trained on one batch alone."""
    if run.one_batch is None:
        pytest.skip("a copy of the model could not be trained")
    assert run.one_batch < {left}, f"{{run.one_batch:.0%}} of the first loss are left"
'''
_FINDINGS = '''
def test_nothing_is_found(run):
    """What `dllint diagnose` finds in these steps."""
    assert run.findings == (), "; ".join(run.findings)
'''
_LOSSES_OF_LOGITS: Final = {"cross_entropy": "softmax", "bce_with_logits": "sigmoid"}
_LOSSES_OF_PROBABILITIES: Final = {
    "probability_cross_entropy": "run.outputs_sum_to_one",
    "binary_cross_entropy": 'run.last_activation != "softmax"',
}
_REGRESSIONS: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
_LEFT: Final = 0.9
_HIGH, _LOW = 2.0, 0.5


def loss_sections(seen: FirstSteps) -> Iterator[Section]:
    """What can be asked of the loss that was seen."""
    yield Section((), _FINITE, "" if abs(seen.loss) < float("inf") else "a finite first loss")
    if seen.output is not None:
        yield Section((), _SHAPE.format(shape=literal(seen.output.shape)))
        if seen.classes > 1:
            yield _guessing(seen)
        yield from _contract(seen)
    if seen.one_batch is not None:
        unmet = "fitting one batch" if seen.one_batch >= _LEFT else ""
        yield Section((), _ONE_BATCH.format(left=_LEFT), unmet)
    yield Section((), _FINDINGS, "a diagnosis without findings" if seen.findings else "")


def _guessing(seen: FirstSteps) -> Section:
    """A model that was trained before may begin far below guessing."""
    is_low = seen.loss < _LOW * seen.guessing and not seen.findings
    upper = f"run.loss <= {_HIGH:g} * run.guessing"
    bounds = upper if is_low else f"{_LOW} * run.guessing <= {upper}"
    met = seen.loss <= _HIGH * seen.guessing and (is_low or _LOW * seen.guessing <= seen.loss)
    test = _GUESSING.format(classes=seen.classes, guessing=seen.guessing, bounds=bounds)
    return Section((), test, "" if met else "the first loss")


def _contract(seen: FirstSteps) -> Iterator[Section]:
    """What the loss function is made for."""
    kind = seen.loss_function
    unmet = "outputs that fit the loss" if "out of range" in seen.symptoms else ""
    if kind in _LOSSES_OF_LOGITS:
        yield Section((), _LOGITS.format(own=_LOSSES_OF_LOGITS[kind]), unmet)
    elif kind in _LOSSES_OF_PROBABILITIES:
        yield Section((), _PROBABILITIES.format(rows=_LOSSES_OF_PROBABILITIES[kind]), unmet)
    elif kind == "nll_loss":
        yield Section((), _LOG_PROBABILITIES, unmet)
    elif kind in _REGRESSIONS:
        yield _regression(seen, unmet)


def _regression(seen: FirstSteps, unmet: str) -> Section:
    """Shapes need not be equal where the run was sound with others (they are broadcast on purpose)."""
    test = _NUMBERS
    if seen.output is not None and seen.compared is not None and seen.output.shape != seen.compared.shape and not unmet:
        test = test.replace("    assert run.output.shape == run.compared.shape\n", "")
    is_large = "initial loss" in seen.symptoms
    return Section((), test, unmet or ("the size of untrained outputs" if is_large else ""))
