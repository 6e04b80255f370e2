"""The program's inputs: format, range, constant or missing features, and class frequencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import BatchTensor, RunRecord
from dllint.page.document import table
from dllint.page.markup import Markup, element, joined
from dllint.page.numbers import percent, shown

_MOST_CLASSES: Final = 12
_HEAD: Final = ("Tensor", "Role", "Shape", "Type", "Mean", "Standard deviation", "Range", "Remarks")


def inputs(run: RunRecord) -> Markup:
    """The tensors of the last batch, and the classes of all batches that were seen."""
    batches = [step.batch for step in run.steps if step.batch is not None]
    if not batches:
        return Markup("")
    counted: Counter[str] = Counter()
    for batch in batches:
        for tensor in batch.tensors:
            if tensor.role == "target":
                counted.update(tensor.classes)
    return joined([table(_HEAD, [_row(tensor) for tensor in batches[-1].tensors], "figures"), _classes(counted)])


def _row(tensor: BatchTensor) -> tuple[str, ...]:
    stats = tensor.stats
    numbers = (
        (shown(stats.mean), shown(stats.std), f"{shown(stats.minimum)} … {shown(stats.maximum)}") if stats else ("", "", "")
    )
    remarks = list(_remarks(tensor))
    alarm = element("b", "; ".join(remarks), class_="alarm") if remarks else Markup("")
    return tensor.name, tensor.role, " × ".join(map(str, tensor.shape)) or "scalar", tensor.dtype, *numbers, alarm


def _remarks(tensor: BatchTensor) -> Iterator[str]:
    stats, features = tensor.stats, tensor.features
    if stats is not None and stats.finite_share < 1:
        yield f"{percent(1 - stats.finite_share)} not finite"
    if stats is not None and stats.std == 0 and stats.count > 1:
        yield "one value only"
    if features is not None and features.constant:
        yield f"{features.constant} of {features.features} columns constant"
    if features is not None and features.missing:
        yield f"{features.missing} of {features.features} columns with missing numbers"


def _classes(counted: Counter[str]) -> Markup:
    """Bars of how often each label was seen."""
    total = sum(counted.values())
    if len(counted) < 2:
        return Markup("")
    rows = [
        (
            name,
            element("div", element("div", style=f"width:{100 * count / max(counted.values()):.1f}%"), class_="bar"),
            percent(count / total),
        )
        for name, count in counted.most_common(_MOST_CLASSES)
    ]
    more = f" The {_MOST_CLASSES} most frequent of {len(counted)} classes." if len(counted) > _MOST_CLASSES else ""
    note = element("p", f"Labels in the batches that were looked at.{more}", class_="note")
    return element("div", element("h3", "Labels"), note, table((), rows, "bars"), class_="narrow")
