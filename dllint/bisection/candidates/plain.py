"""An object of the user's own: ``run(inputs, wanted)`` and ``outputs`` are all it must have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dllint.bisection.arrays import as_array
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays, Candidate, Observable


def opened(value: Any, setting: Setting) -> Candidate:
    """The object itself if it says what can be watched, else one of which only ``watched`` and the outputs can be."""
    observables = getattr(value, "observables", None)
    whole = observables is not None and all(isinstance(observable, Observable) for observable in observables)
    if not whole:
        return PlainCandidate(value)
    candidate: Candidate = value
    return candidate


class PlainCandidate:
    """``observables`` may be left out, or be names; ``run`` may return tensors of any framework."""

    def __init__(self, given: Any) -> None:
        self._given = given
        self.outputs: Sequence[str] = [str(name) for name in given.outputs]
        inside = [str(name) for name in getattr(given, "observables", ())]
        self.observables: Sequence[Observable] = [Observable(name) for name in dict.fromkeys([*inside, *self.outputs])]
        if hasattr(given, "inputs"):
            self.inputs = list(given.inputs)

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values. Raises :class:`BisectionError` if ``run`` raises or leaves one out."""
        try:
            found = self._given.run(inputs, list(wanted))
        except Exception as error:
            text = f"`run` of the candidate raised {type(error).__name__}: {error} (wanted: {', '.join(wanted)})"
            raise BisectionError(text, "leave out of `observables` what cannot be watched") from error
        missing = [name for name in wanted if name not in found]
        if missing:
            raise BisectionError(f"`run` of the candidate gave no `{missing[0]}`", "return a dict with every wanted name")
        return {name: as_array(found[name]) for name in wanted}
