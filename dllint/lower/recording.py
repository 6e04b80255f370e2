"""Recording of what a step of an analysis reads and writes of the state that steps share.

A step is one top-level chunk or one entry. Steps share namespaces and tables (:class:`Recorded`), logs
(:class:`RecordedLog`), and objects that one step makes and another changes (:class:`RecordingJournal`). Which tables and logs
these are, the policies of :mod:`dllint.lower.state` tell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal, next_id
from dllint.ir.values import (
    Arguments,
    Assumed,
    LibSymbol,
    Value,
)
from dllint.lower.journal import Entry, NotingJournal, Place, put_place, read_place
from dllint.lower.pending import ImportVal, Loads
from dllint.lower.reach import note_reached
from dllint.lower.scopes import MISSING
from dllint.lower.state import RECORDED, Facts, Log, names_of

_CONSTANTS = frozenset({int, float, complex, str, bytes, bool, type(None), type(...)})

K = TypeVar("K")


def same(a: Value, b: Value) -> bool:
    """Whether a reader of one value would behave equally with the other: the same object, or equal constants."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind in _CONSTANTS:
        return repr(a) == repr(b)
    if kind is LibSymbol:
        return bool(a == b)
    if isinstance(a, ImportVal) and isinstance(b, ImportVal):
        return (a.path, a.module, a.name) == (b.path, b.module, b.name)
    if isinstance(a, Assumed) and isinstance(b, Assumed):
        return a.source == b.source and same(a.value, b.value)
    if isinstance(a, Arguments) and isinstance(b, Arguments):
        return _same_arguments(a, b)
    return isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))


def _same_arguments(a: Arguments, b: Arguments) -> bool:
    if a.star is not b.star or a.double_star is not b.double_star or tuple(a.kwargs) != tuple(b.kwargs):
        return False
    if a.nodes.keys() != b.nodes.keys() or any(node is not b.nodes[place] for place, node in a.nodes.items()):
        return False
    return same(a.args, b.args) and all(same(value, b.kwargs[name]) for name, value in a.kwargs.items())


class Recorded(dict[Any, Any]):
    """A namespace or table that notes which keys a step reads before it writes them, and which it writes.

    ``whole`` is the content from before the step, if the step looks at all of it."""

    __slots__ = ("reads", "whole", "written")

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Start a step."""
        self.reads: dict[Any, Value] = {}
        self.written: set[Any] = set()
        self.whole: dict[Any, Value] | None = None

    def pause(self) -> TableReads:
        """Note what is read and written from here on apart, until :meth:`resume`; returns what has been noted."""
        noted = TableReads(self.reads, self.written, self.whole)
        self.begin()
        return noted

    def resume(self, before: TableReads) -> TableReads:
        """Add what has been noted before; returns what has been noted since then."""
        since = TableReads(self.reads, self.written, self.whole)
        self.reads, self.written, self.whole = before.reads, before.written, before.whole
        if since.whole is not None and self.whole is None:
            self.whole = self._before(since.whole)
        for key, value in since.reads.items():
            if key not in self.written:
                self.reads.setdefault(key, value)
        self.written |= since.written
        return since

    def writes(self) -> dict[Any, Value]:
        """The present values under the keys that the step has written."""
        return {key: self.peek(key) for key in self.written}

    def peek(self, key: Hashable) -> Value:
        """The value of a key, MISSING if there is none; not noted."""
        value: Value = dict.get(self, key, MISSING)
        return value

    def restore(self, values: dict[Any, Value]) -> None:
        """Set values; not noted."""
        for key, value in values.items():
            if value is MISSING:
                dict.pop(self, key, None)
            else:
                dict.__setitem__(self, key, value)

    def is_whole(self, seen: dict[Any, Value]) -> bool:
        """Whether one who looks at all of it would see the same, in the same order."""
        if len(seen) != dict.__len__(self):
            return False
        pairs = zip(seen.items(), dict.items(self), strict=True)
        return all(key == other and same(value, now) for (key, value), (other, now) in pairs)

    def _before(self, content: dict[Any, Value]) -> dict[Any, Value]:
        """What a content was before the step."""
        old = {key: self.reads.get(key, MISSING) for key in self.written}
        return {key: value for key, now in {**content, **old}.items() if (value := old.get(key, now)) is not MISSING}

    def _look(self) -> None:
        if self.whole is None:
            self.whole = self._before(dict(dict.items(self)))

    def _read(self, key: Hashable) -> Value:
        value: Value = dict.get(self, key, MISSING)
        if key not in self.written:
            self.reads.setdefault(key, value)
        return value

    def _write(self, key: Hashable) -> None:
        """A write counts as a read, too: a branch that is undone puts the old value back."""
        self._read(key)
        self.written.add(key)

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value of a key, noted as read."""
        value = self._read(key)
        return default if value is MISSING else value

    def __getitem__(self, key: Hashable) -> Any:
        value = self._read(key)
        if value is MISSING:
            raise KeyError(key)
        return value

    def __contains__(self, key: Hashable) -> bool:
        return self._read(key) is not MISSING

    def __setitem__(self, key: Hashable, value: Value) -> None:
        self._write(key)
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: Hashable) -> None:
        self._write(key)
        dict.__delitem__(self, key)

    def setdefault(self, key: Hashable, default: Value | None = None) -> Any:
        """As of a dict."""
        value = self._read(key)
        if value is MISSING:
            self[key] = value = default
        return value

    def pop(self, key: Hashable, *default: Any) -> Any:
        """As of a dict."""
        self._write(key)
        return dict.pop(self, key, *default)

    def update(self, *others: Any, **values: Any) -> None:
        """As of a dict."""
        for key, value in dict(*others, **values).items():
            self[key] = value

    def __iter__(self) -> Iterator[Any]:
        self._look()
        return dict.__iter__(self)

    def keys(self) -> Any:
        """As of a dict; counts as reading everything."""
        self._look()
        return dict.keys(self)

    def values(self) -> Any:
        """As of a dict; counts as reading everything."""
        self._look()
        return dict.values(self)

    def items(self) -> Any:
        """As of a dict; counts as reading everything."""
        self._look()
        return dict.items(self)


class RecordedLog(Log[Any]):
    """A log that notes what a step looks at of what was there before the step."""

    __slots__ = ("asked", "seen", "start")

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Start a step."""
        self.start = list.__len__(self)
        #: By ``id`` of a subject: the subject, what items are about, and the first item about it.
        self.asked: dict[int, tuple[object, Callable[[Any], object], Any]] = {}
        #: All items, if they have been looked at.
        self.seen: tuple[Any, ...] | None = None

    def added(self) -> tuple[Any, ...]:
        """The items that the step has added."""
        return tuple(list.__getitem__(self, slice(self.start, None)))

    def reads(self) -> LogReads:
        """The reads of the step."""
        return LogReads(self.asked, self.seen)

    def reads_same(self, reads: LogReads) -> bool:
        """Whether a step that begins here would find what it has found."""
        if reads.seen is not None:
            items = tuple(list.__iter__(self))
            if len(items) != len(reads.seen) or any(a is not b for a, b in zip(items, reads.seen, strict=True)):
                return False
        return all(Log.first(self, subject, of) is found for subject, of, found in reads.asked.values())

    def first(self, subject: K, of: Callable[[Any], K]) -> Any:
        """As of a log, noted."""
        found = self.place_of_first(subject, of)
        if id(subject) not in self.asked:
            self.asked[id(subject)] = subject, of, found[1] if found is not None and found[0] < self.start else None
        return found[1] if found is not None else None

    def _see(self) -> None:
        if self.seen is None:
            self.seen = tuple(list.__getitem__(self, slice(self.start)))

    def __iter__(self) -> Iterator[Any]:
        self._see()
        return list.__iter__(self)

    def __reversed__(self) -> Iterator[Any]:
        self._see()
        return list.__reversed__(self)

    def __len__(self) -> int:
        self._see()
        return list.__len__(self)

    def __contains__(self, item: object) -> bool:
        self._see()
        return list.__contains__(self, item)

    def __getitem__(self, index: Any) -> Any:
        self._see()
        return list.__getitem__(self, index)


class RecordedFacts(Facts[Any, Any]):
    """Facts that note of which objects a step has noted any."""

    __slots__ = ("loaded", "noted")

    def __init__(self) -> None:
        super().__init__()
        #: By ``id``: the objects of which the statements of imported modules have noted something.
        self.loaded: set[int] = set()
        self.begin()

    def begin(self) -> None:
        """Start a step."""
        #: The objects of which this step has noted something, by ``id``.
        self.noted: set[int] = set()

    def note(self, subject: Any, fact: Any) -> Any:
        """As of facts, noted."""
        self.noted.add(id(subject))
        return super().note(subject, fact)


@dataclass(frozen=True, slots=True)
class TableReads:
    """The reads of a table (:class:`Recorded`) by a step, and the keys that it has written."""

    reads: dict[Any, Value]
    written: set[Any]
    whole: dict[Any, Value] | None


@dataclass(frozen=True, slots=True)
class LogReads:
    """The reads of a log (:class:`RecordedLog`) by a step."""

    asked: dict[int, tuple[object, Callable[[Any], object], Any]]
    seen: tuple[Any, ...] | None


def recorded(record: object) -> list[Recorded | RecordedLog | RecordedFacts]:
    """Replace the dicts, logs and facts of a record that steps share by those that note what a step reads and writes."""
    out: list[Recorded | RecordedLog | RecordedFacts] = []
    for name in names_of(type(record), *RECORDED):
        make = _RECORDED_KINDS.get(type(getattr(record, name)))
        if make is not None:
            out.append(make())
            setattr(record, name, out[-1])
    return out


_RECORDED_KINDS: Final[dict[type, type[Recorded] | type[RecordedLog] | type[RecordedFacts]]] = {
    dict: Recorded,
    Log: RecordedLog,
    Facts: RecordedFacts,
}


class RecordingJournal(NotingJournal):
    """A journal that also notes the changes a step makes to objects of earlier steps, so that they can be undone."""

    __slots__ = (
        "_close",
        "_close_tensors",
        "_facts",
        "_first_tensor",
        "_lasting",
        "_loads",
        "alters",
        "changes",
        "shared",
        "visible",
    )

    def __init__(self, facts: Sequence[RecordedFacts], loads: Loads) -> None:
        super().__init__()
        self._facts, self._loads = facts, loads
        #: Mutable objects that earlier steps have left behind, by ``id``.
        self.shared: dict[int, Any] = {}
        self.begin([])

    def begin(self, changes: list[Entry], first_half: Left | None = None) -> None:
        """Start a step, whose changes go into a list. ``visible``: other steps can tell that there were some. A step may go on
        from a ``first_half``; ``alters``: it has changed what that has made, which those can tell who have to do with it."""
        self.changes, self.visible, self.alters = changes, False, False
        self._first_tensor = next_id()
        self._close = first_half.objects if first_half is not None else frozenset()
        self._close_tensors = first_half.tensors if first_half is not None else range(0)
        #: Changed for good in this step.
        self._lasting: set[Place] = set()

    def results(self) -> list[Entry]:
        """The places that the step has changed, with what they hold now."""
        places = {(id(container), key): (container, key) for container, key, _ in self.changes}
        return [(container, key, read_place(container, key)) for container, key in places.values()]

    def left(self, share: Callable[[], None]) -> Left:
        """What the step has made of what is shared now."""
        before = len(self.shared)
        share()
        made = islice(self.shared.items(), before, None)
        objects = frozenset(identity for identity, value in made if type(value) is not Unknown)  # which nothing can change
        return Left(objects, range(self._first_tensor, next_id()))

    def is_as_before(self) -> bool:
        """Whether all places that the step has changed hold again what they held."""
        before: dict[Place, Entry] = {}
        for container, key, old in self.changes:
            before.setdefault((id(container), key), (container, key, old))
        return all(_is_same_content(old, read_place(container, key)) for container, key, old in before.values())

    def enter_module(self) -> Any:
        """What a module does while it is loaded is no change of the step: it is not loaded again."""
        step = (
            (self.changes, self.visible, self.alters, self._first_tensor, self._lasting, self._close, self._close_tensors),
            [facts.noted for facts in self._facts],
        )
        self.begin([])
        for facts in self._facts:
            facts.noted = facts.loaded
        return super().enter_module(), step

    def leave_module(self, outer: Any, namespace: dict[str, Any]) -> None:
        """What it defines belongs to the past, also for the step that has loaded it."""
        log, (step, noted) = outer
        if self.changes:
            self._loads.change(self.changes)
        self.changes, self.visible, self.alters, self._first_tensor, self._lasting, self._close, self._close_tensors = step
        for facts, own in zip(self._facts, noted, strict=True):
            facts.noted = own
        super().leave_module(log, namespace)
        self.share(namespace.values())

    def note_change(self, container: Any, key: Hashable) -> None:
        """Note a change of what is shared."""
        if id(container) in self.shared:
            self.changes.append((container, key, read_place(container, key)))
            self._tell(is_close=id(container) in self._close)

    def _tell(self, *, is_close: bool) -> None:
        if is_close:
            self.alters = True
        else:
            self.visible = True

    def note_lasting(self, container: object, *keys: Hashable) -> None:
        """As of a journal, noted if an earlier step has made the container: a tensor, the list of those of one memory, or what
        has been shared."""
        tensor = container[0] if isinstance(container, list) and container else container
        is_earlier = tensor.id < self._first_tensor if isinstance(tensor, TensorVal) else id(container) in self.shared
        for key in keys if is_earlier else ():
            if (id(container), key) not in self._lasting:
                self._lasting.add((id(container), key))
                self.changes.append((container, key, read_place(container, key)))
                is_own = isinstance(tensor, TensorVal) and tensor.id in self._close_tensors
                self._tell(is_close=is_own or id(container) in self._close)

    def add_item(self, container: dict[Any, Any], key: Hashable, value: Value) -> None:
        """As of a journal, noted: any step would make the same."""
        seen = self.visible, self.alters
        super().add_item(container, key, value)
        self.visible, self.alters = seen

    def share(self, values: Iterable[Value]) -> None:
        """Mark everything reachable from some values as made by an earlier step."""
        note_reached(values, self.shared)

    def keep_only(self, values: Iterable[Value]) -> None:
        """Nothing belongs to the past but what can be reached from some values."""
        self.shared = {}
        self.share(values)


@dataclass(frozen=True, slots=True)
class Left:
    """What a step has made and left: the objects and their storage that others can reach, by ``id``, and the numbers of its
    tensors."""

    objects: frozenset[int]
    tensors: range


def _is_same_content(old: Any, now: Any) -> bool:
    """Whether a place holds what it held."""
    if (type(old) is list and type(now) is list) or (isinstance(old, tuple) and isinstance(now, tuple)):
        return len(old) == len(now) and all(a is b for a, b in zip(old, now, strict=True))
    return old is now


def undo(changes: list[Entry]) -> None:
    """Set changed places back."""
    for container, key, old in reversed(changes):
        put_place(container, key, old)


def redo(results: list[Entry]) -> None:
    """Write again what a step had written."""
    for container, key, value in results:
        put_place(container, key, value)
