"""Batches are so small that their gradients are mostly noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_SMALL: Final = 4
_USUAL: Final = "32"


class BatchSize(Hypothesis):
    """A loader gives batches of a few samples."""

    kind = "batch-size"
    supports: ClassVar = {
        "loss not decreasing": 0.8,
        "accuracy not increasing": 0.8,
        "gradient noise": 0.95,
        "exploding": 0.75,
        "oscillation": 0.8,
        "numerical error": 0.4,
        "train/eval gap": 0.8,
        "update-to-weight ratio": 0.5,
        "unshuffled labels": 0.3,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A usual size."""
        for code in case.codes():
            for call in code.calls():
                if code.name(call.func) != "torch.utils.data.DataLoader" or keyword(call, "batch_sampler"):
                    continue
                size = keyword(call, "batch_size") or next(iter(call.args[1:2]), None)
                end = code.span(call)[1] - 1
                if size is None:
                    edit = Edit(code.path, end, end, f", batch_size={_USUAL}")
                else:
                    given = case.origin(code, size)
                    if given is None or not 0 < (number(given.node) or 0) <= _SMALL:
                        continue
                    edit = given.code.replace(given.node, _USUAL)
                yield f"Use batches of {_USUAL}", (edit,), 1.0
