"""Data sets that are read from folders of files: which folder, and which part of it."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.frameworks.tensorflow.datasets import KEEPING
from dllint.ir.events import LibraryCall
from dllint.ir.values import InstanceVal, Value, unwrap

#: How the names of the calls end that read a folder, and the parameters that say which one and which part.
_READS: Final = "_from_directory"
_FOLDER: Final = "directory"
_PART: Final = "subset"
#: Steps of a data set that give other samples than all of it.
_PARTS: Final = frozenset({"take", "skip", "shard", "filter", "enumerate", "concatenate"})
_STEP: Final = "tensorflow.data.Dataset."
_LONGEST: Final = 50


def read_from(data: Value, facts: Facts) -> LibraryCall | None:
    """The call that reads the folder of which a data set holds all samples that were read; ``None`` if there is none."""
    calls = facts.events(LibraryCall)
    for _ in range(_LONGEST):
        call = next((one for one in calls if isinstance(data, InstanceVal) and one.result is data), None)
        if call is None or call.name.endswith(_READS):
            return call
        if not call.name.startswith(_STEP) or call.name.removeprefix(_STEP) in _PARTS:
            return None
        data = call.receiver
    return None


def without_steps(data: Value, facts: Facts) -> Value:
    """The data set that a data set gives all samples of, as they are."""
    for call in reversed(facts.events(LibraryCall)):
        if isinstance(data, InstanceVal) and call.result is data and call.name.removeprefix(_STEP) in KEEPING:
            data = call.receiver
    return data


def have_same_samples(first: LibraryCall, second: LibraryCall) -> bool:
    """Whether two calls read the same part of the same folder: its name is a constant, or one value."""
    folders = [call.bound.get(_FOLDER) for call in (first, second)]
    parts = [unwrap(call.bound.get(_PART)) for call in (first, second)]
    is_one = folders[0] is not None and (folders[0] is folders[1] or (isinstance(folders[0], str) and folders[0] == folders[1]))
    return is_one and all(part is None or isinstance(part, str) for part in parts) and parts[0] == parts[1]
