"""The place of a finding: the code that is wrong, in the file that holds it.

A finding is placed where its operation is performed. If a caller in another file has passed all data of the operation, that
call is wrong instead: nothing in the called function made the tensor that does not fit. Weights, and what constructors make,
are not data: a layer of the callee that contradicts the size that the caller passes is the caller's fault. Calls within one
file do not move a finding. A fault in a file that is not part of the project (excluded by the configuration, or an installed
package) is reported at the innermost call inside the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dllint.ir.program import Event, Op, Program, Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value

#: Where something happens: a site, or an operation or event that has one.
Where = Site | Op | Event
#: Whether a file is one of the project's, so that its code can be changed.
IsOwn = Callable[[Path], bool]
#: Methods that build an object: what they make is part of it, and no argument of the call at hand.
_BUILDING: Final = ("__init__", "build", "setup")
_MOST_CALLS: Final = 4


@dataclass(frozen=True, slots=True)
class Placement:
    """``home`` is the frame that a finding stands at, ``inner`` the one where it happens, if that is another one. ``calls``
    lead to ``home`` from the document under check, the outermost last; none if it is in that document."""

    home: Site
    inner: Site | None = None
    calls: tuple[Site, ...] = ()


def placed(where: Where, item: Op | Event | Program | None, program: Program, path: Path, is_own: IsOwn) -> Placement:
    """The place of a finding about ``where`` (found while looking at ``item``) in the check of the document at ``path``."""
    path = path.absolute()
    frames = _frames(where, item, path)
    number = _blamed(where, frames, program) if isinstance(where, Op) else 0
    while number + 1 < len(frames) and not _stands_in_project(frames[number], path, is_own):
        number += 1
    home, here = frames[number], where if isinstance(where, Site) else where.site
    inner = here if home is not here else None
    calls = frames[number + 1 :] if _path(home) != path else ()
    return Placement(home, inner, tuple(_few(calls, path)))


def _frames(where: Where, item: Op | Event | Program | None, path: Path) -> tuple[Site, ...]:
    """The call stack, innermost first. A place that no call leads to (a class) is reached by what the rule looked at; a method
    that nothing of the document under check calls, by the class of the document that inherits it."""
    site = where if isinstance(where, Site) else where.site
    frames = site.stack()
    if len(frames) == 1 and isinstance(item, (Op, Event)) and item.site is not site:
        frames = (site, *(frame for frame in item.site.stack() if _path(frame) != _path(site)))
    if isinstance(item, (Op, Event)) and all(_path(frame) != path for frame in frames):
        frames += _inheriting(item.owner, path)
    return frames


def _inheriting(owner: Value, path: Path) -> tuple[Site, ...]:
    """The class of an object, if it is one of the document under check."""
    cls = owner.cls if isinstance(owner, InstanceVal) else None
    if not isinstance(cls, ClassVal) or cls.document is None or cls.document.path.absolute() != path:
        return ()
    return (Site(cls.document, cls.node, cls.node.name),)


def _blamed(op: Op, frames: Sequence[Site], program: Program) -> int:
    """The number of the frame whose code put together what does not fit: the innermost one, unless all data of the operation
    were given to the functions of its file from another file."""
    data = [value for value in op.inputs if _is_data(value, program)]
    number = 0
    while data:
        last = _last_of_file(frames, number)
        calls = {id(frame.caller) for frame in frames[: last + 1]}
        if last + 1 == len(frames) or any(_is_made_within(value, calls) for value in data):
            break
        number = last + 1
    return number


def _last_of_file(frames: Sequence[Site], number: int) -> int:
    """The last frame in a row that is of the same file as a frame."""
    while number + 1 < len(frames) and _path(frames[number + 1]) == _path(frames[number]):
        number += 1
    return number


def _is_data(value: TensorVal, program: Program) -> bool:
    """Whether a tensor is given or computed; weights and what a constructor makes belong to the object they are kept in."""
    if value.producer is None:
        return any(value is given for given in program.inputs)
    return value.producer.scope.rpartition(".")[2] not in _BUILDING


def _is_made_within(value: TensorVal, calls: set[int]) -> bool:
    """Whether a tensor was made by functions that were called at ``calls``, or by what they called."""
    return value.producer is not None and any(id(frame.caller) in calls for frame in value.producer.site.stack())


def _stands_in_project(frame: Site, path: Path, is_own: IsOwn) -> bool:
    found = _path(frame)
    return found is not None and frame.statement is not None and (found == path or is_own(found))


def _path(frame: Site) -> Path | None:
    found: Any = frame.document
    return None if found is None else found.path.absolute()


def _few(calls: Sequence[Site], path: Path) -> Iterator[Site]:
    """The first calls, the first one in the document under check, and the outermost."""
    seen = False
    for number, call in enumerate(calls):
        if call.statement is None:
            continue
        checked = _path(call) == path
        if number < _MOST_CALLS - 2 or number + 1 == len(calls) or (checked and not seen):
            yield call
        seen = seen or checked
