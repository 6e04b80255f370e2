"""The learning rate of an optimizer that a Keras program names only, or builds without a rate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.keras.optimizers import OptimizerSite, optimizer_sites
from dllint.diagnose.causes.learning_rate import LearningRate, factors
from dllint.edit import Edit


class KerasLearningRate(LearningRate):
    """Judged like any other; the rate to begin with is the one that was used."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Steps of powers of ten from the default rate."""
        for site in optimizer_sites(case):
            used = next((group.get("lr") for group in site.track.optimizer.groups), None)
            if _is_given(site) or not isinstance(used, int | float):
                continue
            for word, factor, strength in factors(case.run):
                rate = f"{used * factor:.3g}"
                yield f"{word} the learning rate to {rate}", site.with_setting("learning_rate", rate), strength


def _is_given(site: OptimizerSite) -> bool:
    """Whether the source names a rate, which the general hypothesis changes."""
    node = site.node
    return site.is_built and isinstance(node, ast.Call) and (bool(node.args) or keyword(node, "learning_rate") is not None)
