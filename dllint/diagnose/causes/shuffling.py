"""The data come in an order that depends on their labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import RunRecord
from dllint.edit import Edit


class Shuffling(Hypothesis):
    """Batches hold far fewer classes than the data, and a loader does not shuffle."""

    kind = "shuffle"
    supports: ClassVar = {
        "loss not decreasing": 0.9,
        "accuracy not increasing": 0.9,
        "oscillation": 0.95,
        "exploding": 0.4,
        "unshuffled labels": 1.0,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Shuffle in each loader that does not."""
        strength = 1.0 if is_sorted(case.run) else 0.2
        for code in case.codes():
            for call in code.calls():
                if code.name(call.func) != "torch.utils.data.DataLoader" or keyword(call, "sampler", "batch_sampler"):
                    continue
                shuffle = keyword(call, "shuffle")
                end = code.span(call)[1] - 1
                if shuffle is None:
                    yield "Shuffle the data", (Edit(code.path, end, end, ", shuffle=True"),), strength
                else:
                    given = case.origin(code, shuffle)
                    if given is not None and given.node.value is False:
                        yield "Shuffle the data", (given.code.replace(given.node, "True"),), strength


def is_sorted(run: RunRecord) -> bool:
    """Whether most batches hold one class only, and not always the same."""
    batches = [
        tensor.classes
        for step in run.steps
        for tensor in (step.batch.tensors if step.batch is not None else ())
        if tensor.role == "target" and tensor.classes
    ]
    single = [next(iter(classes)) for classes in batches if len(classes) == 1]
    return len(single) > len(batches) / 2 and len({name for classes in batches for name in classes}) > 1
