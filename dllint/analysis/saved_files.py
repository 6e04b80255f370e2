"""What a file of torch holds that a program writes and reads."""

from __future__ import annotations

from typing import Final

from dllint.analysis.facts import Facts
from dllint.frameworks import paths
from dllint.ir.events import LibraryCall
from dllint.ir.values import Value, unwrap

_SAVE: Final = "torch.save"
_LOAD: Final = "torch.load"


def path_of(call: LibraryCall) -> str | None:
    """The path that a call saves to or loads from, if it is known: a text, or an object of `pathlib`."""
    return paths.path_of(_given(call))


def save_of(loaded: Value, facts: Facts) -> LibraryCall | None:
    """The one call of ``torch.save`` that has written what a call of ``torch.load`` gives; ``None`` if that is not known."""
    calls = facts.events(LibraryCall)
    load = next((call for call in calls if call.name == _LOAD and call.result is loaded), None)
    if load is None:
        return None
    before = calls[: next(number for number, call in enumerate(calls) if call is load)]
    answers = [(save, _is_same(save, load)) for save in before if save.name == _SAVE]
    to = [save for save, same in answers if same]
    known = all(same is not None for _, same in answers)
    return to[0] if known and len({id(save.site.node) for save in to}) == 1 else None


def _given(call: LibraryCall) -> Value:
    given = call.bound.get("f", call.bound.get("filepath"))
    return unwrap(given if given is not None or not call.given else call.given[0])


def _is_same(save: LibraryCall, load: LibraryCall) -> bool | None:
    """Whether two calls name the same path: one that is known, or one and the same object; ``None`` if that is not known."""
    if _given(save) is _given(load):
        return True
    written, read = path_of(save), path_of(load)
    return written == read if written is not None and read is not None else None
