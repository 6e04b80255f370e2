"""Tests of the first loss, of the loss function's arguments, and of learning one batch (guide steps 3 and 4)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.expectations.bounds import interval
from dllint.diagnose.expectations.observed import FirstSteps
from dllint.diagnose.expectations.section import Section, literal

_FINITE: Final = """
def test_first_loss_is_finite(run):
    assert math.isfinite(run.loss)
"""
_GUESSING: Final = '''
def test_first_loss_is_that_of_guessing(run):
    """Guessing among {classes} classes costs -ln(1/{classes}) = {guessing:.4f}{but}."""
    assert run.classes == {classes}
    assert {least} <= run.loss <= {most}, f"first loss {{run.loss}}"
'''
_SHAPE: Final = """
def test_output_has_its_shape(run):
    assert run.output.shape == {shape}
"""
_FINITE_OUTPUT: Final = '    assert run.output.is_finite, "NaN or infinity"\n'
_LOGITS: Final = '''
def test_output_fits_the_loss(run):
    """The loss takes logits and applies its own {own}."""
    assert run.last_activation not in ("softmax", "sigmoid"), run.last_activation
    assert not run.outputs_sum_to_one, "the model gives probabilities"
'''
_PROBABILITIES: Final = '''
def test_output_fits_the_loss(run):
    """The loss takes probabilities."""
    assert 0 <= run.output.minimum
    assert run.output.maximum <= 1
    assert {rows}
'''
_LOG_PROBABILITIES: Final = '''
def test_output_fits_the_loss(run):
    """The loss takes logarithms of probabilities."""
    assert run.output.maximum <= 0, run.output.maximum
'''
_NUMBERS: Final = """
def test_output_fits_the_targets(run):
"""
_SAME_SHAPE: Final = "    assert run.output.shape == run.compared.shape\n"
_UNTRAINED: Final = '    assert run.output.size <= 10 * max(run.compared.size, 1), "untrained outputs too large"\n'
_ONE_BATCH: Final = '''
def test_one_batch_can_be_fitted(run):
    """A copy of the model is trained on one batch alone."""
    if run.one_batch is None:
        pytest.skip("a copy of the model could not be trained")
    assert run.one_batch < {left}, f"{{run.one_batch:.0%}} of the first loss are left"
'''
_FINDINGS: Final = '''
def test_nothing_is_found(run):
    """What `dllint diagnose` warns of in these steps."""
    {findings}
    assert found == {{}}
'''
_LOSSES_OF_LOGITS: Final = {"cross_entropy": "softmax", "bce_with_logits": "sigmoid"}
_LOSSES_OF_PROBABILITIES: Final = {
    "probability_cross_entropy": "run.outputs_sum_to_one",
    "binary_cross_entropy": 'run.last_activation != "softmax"',
}
_REGRESSIONS: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
#: Of the first loss on one batch; as ``symptoms.one_batch_fit`` judges.
_LEFT: Final = 0.9
#: The first loss may be off -ln(1/n) by 100 % (TheDeepChecker), and be half of it (own).
_HIGH, _LOW = 2.0, 0.5


def loss_sections(seen: FirstSteps) -> Iterator[Section]:
    """Tests of the loss that was seen."""
    yield Section((), _FINITE, "" if math.isfinite(seen.loss) else "a finite first loss")
    if seen.output is not None:
        # Masked scores are infinite on purpose.
        is_finite = seen.output.is_finite or bool(seen.findings)
        shape = _SHAPE.format(shape=literal(seen.output.shape)) + (_FINITE_OUTPUT if is_finite else "")
        yield Section((), shape, "" if seen.output.is_finite or not is_finite else "finite outputs")
        if seen.classes > 1:
            yield _guessing(seen)
        yield from _contract(seen)
    if seen.one_batch is not None and (seen.one_batch < _LEFT or seen.findings):
        yield Section((), _ONE_BATCH.format(left=_LEFT), "" if seen.one_batch < _LEFT else "fitting one batch")
    yield _nothing_found(seen)


def _guessing(seen: FirstSteps) -> Section:
    """The initial loss; a sound model may start elsewhere if it was trained before, or its loss has a margin or a low
    temperature."""
    met = _LOW * seen.guessing <= seen.loss <= _HIGH * seen.guessing
    least, most, but = f"{_LOW} * run.guessing", f"{_HIGH:g} * run.guessing", ""
    if not met and not seen.findings:
        bounds = interval(seen.loss * _LOW, seen.loss * _HIGH)
        least, most, but, met = str(bounds[0]), str(bounds[1]), f"; this model began at {seen.loss:.4g}", True
    test = _GUESSING.format(classes=seen.classes, guessing=seen.guessing, least=least, most=most, but=but)
    return Section((), test, "" if met else "the first loss")


def _contract(seen: FirstSteps) -> Iterator[Section]:
    """Tests that the outputs are what the loss function is defined for."""
    kind = seen.loss_function
    unmet = "outputs that fit the loss" if "out of range" in seen.findings else ""
    if kind in _LOSSES_OF_LOGITS:
        yield Section((), _LOGITS.format(own=_LOSSES_OF_LOGITS[kind]), unmet)
    elif kind in _LOSSES_OF_PROBABILITIES:
        yield Section((), _PROBABILITIES.format(rows=_LOSSES_OF_PROBABILITIES[kind]), unmet)
    elif kind == "nll_loss":
        yield Section((), _LOG_PROBABILITIES, unmet)
    elif kind in _REGRESSIONS:
        yield from _regression(seen, unmet)


def _regression(seen: FirstSteps, unmet: str) -> Iterator[Section]:
    """Shapes may differ, and outputs be large, where the run was sound all the same."""
    same = seen.output is not None and seen.compared is not None and seen.output.shape == seen.compared.shape
    lines = [_SAME_SHAPE] if same or unmet else []
    if "initial loss" not in seen.hints:
        lines.append(_UNTRAINED)
    if lines:
        is_large = "initial loss" in seen.findings
        yield Section((), _NUMBERS + "".join(lines), unmet or ("the size of untrained outputs" if is_large else ""))


def _nothing_found(seen: FirstSteps) -> Section:
    """What is a hint in the whole run may look graver when a few steps are all that is known."""
    names = literal(seen.hints)
    found = f"found = {{k: v for k, v in run.findings.items() if k not in {names}}}" if seen.hints else "found = run.findings"
    return Section((), _FINDINGS.format(findings=found), "a diagnosis without warnings" if seen.findings else "")
