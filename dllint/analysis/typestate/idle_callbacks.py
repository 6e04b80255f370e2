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
from dllint.ir.program import Event, Site
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, ListVal, unwrap
from dllint.source.pragmas import comments

_CALLBACKS: Final = "keras.callbacks."
_SCHEDULES: Final = frozenset(
    f"keras.optimizers.{home}{name}" for name in (*SCHEDULES, "LearningRateSchedule") for home in ("", "schedules.")
)
#: What holds callbacks and runs none by itself.
_CONTAINERS: Final = frozenset({f"{_CALLBACKS}CallbackList", f"{_CALLBACKS}History"})


def given_to_nothing(training: Training) -> Iterator[tuple[Site, str, bool]]:
    """Where a callback or a schedule is bound to a name that nothing reads and no comment mentions, in a program that fits a
    model afterwards, and not without callbacks on purpose: the place, the name, and whether it is a callback."""
    fits = [number for number, event in enumerate(training.events) if isinstance(event, events.Fit) and _may_call_back(event)]
    for event in training.events[: fits[-1]] if fits else ():
        kind = _kind(event)
        if kind is None:
            continue
        site = bound_at(event.site)
        name = name_bound_by(site)
        if name and is_never_used(name, site, ()) and not _is_in_comment(name, site):
            yield site, name, kind.startswith(_CALLBACKS)


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


def _kind(event: Event) -> str | None:
    """The library class of a callback or schedule that an event makes, or the one that its own class is derived from. What is
    given to code that is not followed while it is made may be kept there."""
    if isinstance(event, events.Instance):
        classes = event.instance.cls.mro if isinstance(event.instance.cls, ClassVal) and not event.instance.handed else ()
    elif isinstance(event, events.LibraryCall) and event.receiver is None and isinstance(event.result, InstanceVal):
        classes = (event.result.cls,)
    else:
        classes = ()
    names = (one.name for one in classes if isinstance(one, LibSymbol) and one.name not in _CONTAINERS)
    return next((name for name in names if name.startswith(_CALLBACKS) or name in _SCHEDULES), None)
