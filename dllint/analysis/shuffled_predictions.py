"""Predictions for a data set of TensorFlow that gives its samples in another order each time it is gone over.

What ``predict`` gives then has the order of that one pass. Labels that are compared with it come from another pass, or from the
files: none of them can have that order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from dllint.analysis.data_parts import DataParts, keys
from dllint.analysis.facts import Facts
from dllint.analysis.pipelines import steps_to
from dllint.ir.events import LibraryCall
from dllint.ir.values import InstanceVal, Value, unwrap

_PREDICT: Final = "keras.Model.predict"
#: Where the functions are that compare what is true, sample by sample, with what was predicted.
_METRICS: Final = "sklearn.metrics."
#: Readers of a folder that shuffle by default, and the step of a data set that shuffles.
_READS: Final = "_dataset_from_directory"
_SHUFFLE: Final = "tensorflow.data.Dataset.shuffle"
#: Steps behind which the order is that of their first pass.
_KEEPS: Final = "tensorflow.data.Dataset.cache"
#: The parameter that decides whether a data set draws a new order each time, and its place.
_ANEW, _PLACE_OF_ANEW = "reshuffle_each_iteration", 2


class LostOrder(NamedTuple):
    """The call that shuffles, the predictions, and the call that compares them."""

    shuffling: LibraryCall
    predict: LibraryCall
    compared: LibraryCall


def lost_orders(facts: Facts) -> Iterator[LostOrder]:
    """The predictions for shuffled data that are compared sample by sample, each once."""
    calls = facts.events(LibraryCall)
    metrics = [call for call in calls if call.name.startswith(_METRICS) and len(call.given) > 1]
    predictions = [call for call in calls if call.name == _PREDICT] if metrics else []
    told: set[int] = set()
    flow = DataParts(facts) if predictions else None
    for predict in predictions:
        shuffling = _shuffling(predict.bound.get("x"), calls[: calls.index(predict)])
        if flow is None or shuffling is None or id(predict) in told or not set(shuffling.path) <= set(predict.path):
            continue
        origins = keys(predict.result)
        compared = next((call for call in metrics if _compares(call.given[:2], origins, flow)), None)
        if compared is not None:
            told.add(id(predict))
            yield LostOrder(shuffling, predict, compared)


def _compares(values: tuple[Value, ...], origins: frozenset[object], flow: DataParts) -> bool:
    """Whether one of two values was computed from the predictions, and the other was not."""
    first, second = (flow.comes_from(value, origins) for value in values)
    return first is not second


def _shuffling(dataset: Value, calls: list[LibraryCall]) -> LibraryCall | None:
    """The call by which a data set comes in another order each time, if there is one."""
    for step in steps_to(dataset, calls):
        if step.name == _KEEPS:
            return None
        dataset = step.receiver
        if step.name == _SHUFFLE:
            return step if _draws_anew(step) else None
    if not isinstance(dataset, InstanceVal):
        return None
    reads = next((call for call in calls if call.result is dataset and call.name.endswith(_READS)), None)
    return reads if reads is not None and unwrap(reads.bound.get("shuffle", True)) is True else None


def _draws_anew(shuffle: LibraryCall) -> bool:
    """Whether a shuffle draws another order each time: it is not told otherwise, and has more than one sample to draw from."""
    is_asked = shuffle.positional <= _PLACE_OF_ANEW and unwrap(shuffle.bound.get(_ANEW, True)) in (True, None)
    return is_asked and unwrap(next(iter(shuffle.given), None)) != 1
