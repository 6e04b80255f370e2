"""Metrics that ``compile`` of a Keras model refuses: since release 3 they are a list or a table, with one entry per output if
there are several outputs."""

from __future__ import annotations

from typing import Final

from dllint.analysis.keras_training import sequence
from dllint.ir.events import Compile
from dllint.ir.values import FuncVal, InstanceVal, LibSymbol, ListVal, unwrap

#: The first release that refuses them.
SINCE: Final = "3.0"
_HOMES: Final = ("keras.metrics.", "keras.losses.")


def is_no_list(event: Compile) -> bool:
    """Whether the metrics are given as one, not as a list."""
    metrics = unwrap(event.metrics)
    if isinstance(metrics, InstanceVal):
        metrics = metrics.cls
    if isinstance(metrics, LibSymbol):
        return metrics.name.startswith(_HOMES)
    return isinstance(metrics, (str, FuncVal))


def counts(event: Compile) -> tuple[int, int] | None:
    """How many metrics, or lists of them, are given for how many outputs, if these numbers differ."""
    metrics, outputs = unwrap(event.metrics), sequence(event.model.state.get("outputs"))
    if not isinstance(metrics, (tuple, ListVal)) or (isinstance(metrics, ListVal) and metrics.rest is not None):
        return None
    given = len(sequence(metrics))
    return (given, len(outputs)) if given and len(outputs) > 1 and given != len(outputs) else None
