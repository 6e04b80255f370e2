"""For tests of training programs: :func:`first_steps` runs one for a few steps and tells what it measured."""

from __future__ import annotations

from dllint.diagnose.expectations.observed import FirstSteps, Layer, Values
from dllint.diagnose.expectations.observing import NoTrainingError, first_steps

__all__ = ["FirstSteps", "Layer", "NoTrainingError", "Values", "first_steps"]
