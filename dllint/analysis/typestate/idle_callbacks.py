"""Callbacks and schedules of Keras that a program makes, and that nothing is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dllint.analysis.training import Training
from dllint.analysis.typestate.name_uses import is_never_used
from dllint.analysis.typestate.schedules import bound_at, name_bound_by
from dllint.frameworks.keras.protocols.objects import SCHEDULES
from dllint.ir import events
from dllint.ir.program import Site
from dllint.ir.values import InstanceVal, LibSymbol, ListVal, unwrap
from dllint.source.pragmas import comments

_CALLBACKS: Final = "keras.callbacks."
_SCHEDULES: Final = frozenset(f"keras.optimizers.{name}" for name in SCHEDULES)
#: What holds callbacks and runs none by itself.
_CONTAINERS: Final = frozenset({f"{_CALLBACKS}CallbackList", f"{_CALLBACKS}History"})


def given_to_nothing(training: Training) -> Iterator[tuple[Site, str, bool]]:
    """Where a callback or a schedule is bound to a name that nothing reads and no comment mentions, in a program that fits a
    model afterwards, and not without callbacks on purpose: the place, the name, and whether it is a callback."""
    fits = [number for number, event in enumerate(training.events) if isinstance(event, events.Fit) and _may_call_back(event)]
    for event in training.events[: fits[-1]] if fits else ():
        if not isinstance(event, events.LibraryCall) or event.receiver is not None or not _is_made(event):
            continue
        site = bound_at(event.site)
        name = name_bound_by(site)
        if name and is_never_used(name, site, ()) and not _is_in_comment(name, site):
            yield site, name, event.name.startswith(_CALLBACKS)


def _may_call_back(fit: events.Fit) -> bool:
    """Whether a model is fitted, and it is not written that nothing is to be called back."""
    if not fit.method.startswith("fit"):
        return False
    given = unwrap(fit.values.get("callbacks"))
    return "callbacks" not in fit.nodes or not (
        given is None or given == () or (isinstance(given, ListVal) and not given.items)
    )


def _is_in_comment(name: str, site: Site) -> bool:
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(word.search(text) for _, _, text in comments(site.document))


def _is_made(call: events.LibraryCall) -> bool:
    """Whether a call makes an object of the library's that does something for whom it is given to."""
    made = call.result
    if not isinstance(made, InstanceVal) or not isinstance(made.cls, LibSymbol) or call.name in _CONTAINERS:
        return False
    return call.name.startswith(_CALLBACKS) or call.name in _SCHEDULES
