"""Gradients that a Keras optimizer could clip."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.clipping import Clipping
from dllint.diagnose.causes.keras.optimizers import optimizer_sites
from dllint.edit import Edit


class KerasClipping(Clipping):
    """The optimizer clips nothing."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Clip all gradients together to norm 1."""
        for site in optimizer_sites(case):
            if not site.track.clipped:
                yield "Clip the gradients", site.with_setting("global_clipnorm", "1.0"), 1.0
