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
    given = call.bound.get("f", call.bound.get("filepath"))
    return paths.path_of(unwrap(given if given is not None or not call.given else call.given[0]))


def save_of(loaded: Value, facts: Facts) -> LibraryCall | None:
    """The one call of ``torch.save`` that has written what a call of ``torch.load`` gives; ``None`` if that is not known."""
    calls = facts.events(LibraryCall)
    load = next((call for call in calls if call.name == _LOAD and call.result is loaded), None)
    path = path_of(load) if load is not None else None
    if load is None or path is None:
        return None
    before = calls[: next(number for number, call in enumerate(calls) if call is load)]
    saves = [call for call in before if call.name == _SAVE]
    to = [save for save in saves if path_of(save) == path]
    known = all(path_of(save) is not None for save in saves)
    return to[0] if known and len({id(save.site.node) for save in to}) == 1 else None
