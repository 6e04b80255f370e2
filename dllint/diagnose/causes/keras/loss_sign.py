"""A loss of a Keras program's own that is the negative of a known one."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.loss_sign import LossSign, without_sign
from dllint.diagnose.learning import courses
from dllint.edit import Edit


class KerasLossSign(LossSign):
    """What the known loss stands in has a minus sign, and the values are negative."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The loss itself."""
        values = [value for loss in case.run.losses for value in loss.values]
        if not is_keras(case) or 2 * sum(value < 0 for value in values) <= len(values):
            return
        for course in courses(case.run):
            place = course.calls[-1].place
            code = case.sources.code(place.path) if place is not None else None
            node = code.at(place) if code is not None and place is not None else None
            for above in code.parents(node) if code is not None and node is not None else ():
                positive = without_sign(code, above) if code is not None else None
                if code is not None and positive is not None:
                    yield "Minimise the loss, not its negative", (code.replace(above, positive),), 1.0
