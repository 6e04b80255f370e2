"""The learning rate is too high, or too low."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.evidence import missing_powers, too_fast, too_slow
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import RunRecord, TrackRecord
from dllint.edit import Edit

_LOWER: Final = (0.1, 0.01)
_SCHEDULES: Final = "keras.optimizers.schedules."


class LearningRate(Hypothesis):
    """Judged by the size of the updates against that of the weights, not by the number itself."""

    kind = "learning-rate"
    supports: ClassVar = {
        "exploding": 0.9,
        "numerical error": 0.6,
        "loss not decreasing": 0.7,
        "accuracy not increasing": 0.6,
        "update-to-weight ratio": 0.9,
        "oscillation": 0.8,
        # The usual answer to raw inputs, here so that the trial can show that it is not the right one.
        "unscaled input": 0.4,
        "cannot fit one batch": 0.6,
        "dead node": 0.6,
        "saturated activation": 0.4,
        "vanishing gradient": 0.3,
        "train/eval gap": 0.4,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Steps of powers of ten, downwards and, as far as the updates are too small, upwards."""
        for track, spot in case.optimizers():
            for word, factor, strength in factors(case.run):
                edit, rate = _scaled(case, track, spot, factor)
                if edit is not None:
                    yield f"{word} the learning rate{rate}", (edit,), strength


def factors(run: RunRecord) -> Iterator[tuple[str, float, float]]:
    """Advice, factor for the learning rate, and strength of the evidence from the updates."""
    powers = max(missing_powers(run), 2)
    higher = (10.0 ** (powers - 1), 10.0**powers)
    for word, choices, strength in (("Lower", _LOWER, too_fast(run)), ("Raise", higher, too_slow(run))):
        for factor in choices:
            yield word, factor, strength * (1 if factor == choices[0] else 0.95)


def _scaled(case: Case, track: TrackRecord, spot: Spot, factor: float) -> tuple[Edit | None, str]:
    """The edit that multiplies the rate, and what the rate becomes as far as that is known."""
    code, call = spot.code, spot.call
    value = _initial(spot, keyword(call, "lr", "learning_rate") or _positional(spot))
    given = case.origin(code, value)
    literal = number(given.node) if given is not None else None
    if given is not None and literal is not None:
        rate = f"{literal * factor:g}"
        return given.code.replace(given.node, rate), f" to {rate}"
    if value is not None:
        return code.replace(value, f"({code.source(value)}) * {factor:g}"), f" by a factor of {factor:g}"
    used = next((group.get("lr", group.get("learning_rate")) for group in track.optimizer.groups), None)
    if not isinstance(used, int | float) or not call.args:
        return None, ""
    rate = f"{used * factor:g}"
    last = code.span(call)[1] - 1
    return Edit(code.path, last, last, f"{'' if code.text[:last].rstrip().endswith(',') else ', '}lr={rate}"), f" to {rate}"


def _initial(spot: Spot, value: ast.expr | None) -> ast.expr | None:
    """The rate that a schedule of Keras begins with; another expression is the rate itself."""
    schedule = spot.code.value(value)
    if isinstance(schedule, ast.Call) and spot.code.name(schedule.func).startswith(_SCHEDULES):
        return keyword(schedule, "initial_learning_rate") or next(iter(schedule.args), None)
    return value


def _positional(spot: Spot) -> ast.expr | None:
    """Torch's optimizers take parameters and rate by position, those of Keras the rate alone."""
    index = 0 if spot.code.name(spot.call.func).startswith("keras.") else 1
    plain = [argument for argument in spot.call.args if not isinstance(argument, ast.Starred)]
    return plain[index] if len(plain) > index else None
