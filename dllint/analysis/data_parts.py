"""Which part of the data a value holds: the rows that a split keeps for training, or those that it holds out.

Parts come from calls that split data (``train_test_split``), from data sets that are loaded in two parts (``load_data``), and
from the rows up to a place and those from there on (``x[:n]``, ``x[n:]``). A value has the parts of what it was computed from:
the operands of its operation, the arguments of the library call that gave it. Functions of the analysed code are executed, so
that helpers hide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dllint.analysis.facts import Facts
from dllint.analysis.name_words import words
from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown, UnknownResult
from dllint.frameworks.array_like import as_array
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import AbstractVal, DictVal, InstanceVal, LibSymbol, ListVal, SliceVal, Value
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: So many values are looked at for one question.
_MOST: Final = 2_000
SPLITS: Final = frozenset({"sklearn.model_selection.train_test_split", "sklearn.cross_validation.train_test_split"})
#: How the names of calls end that load data in two parts: for training and for tests.
_LOADED: Final = ".load_data"
#: How the names of calls end that read data from files, or give known data.
_LOADING: Final = re.compile(r"\.(?:load|loadtxt|genfromtxt|fromfile|read_\w+|load_data|load_\w+|fetch_\w+)$")
#: Where what splits in folds is found, and what evaluates on them.
_SELECTION: Final = "sklearn.model_selection"
#: Where the classes of tables are: of their objects, methods and accessors.
_TABLES: Final = "pandas."


class Part(NamedTuple):
    """One result of a split: what tells that split from others, what was split there (by number), and whether it is held
    out."""

    split: object
    number: int
    is_held_out: bool


@dataclass(slots=True)
class DataParts:
    """The parts of the values of one program."""

    facts: Facts
    _made: dict[object, LibraryCall] = field(default_factory=dict)
    _parts: dict[object, Part] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for call in self.facts.events(LibraryCall):
            passed_on = {id(value) for value in (call.receiver, *call.given)}
            for value in whole_and_elements(call.result):
                if id(value) not in passed_on:
                    self._made.setdefault(_key(value), call)
            for part, value in _split_parts(call):
                for one in whole_and_elements(value):
                    self._parts[_key(one)] = part
        for head, tail in cuts(self.facts):
            self._parts[head.id] = Part((head.producer, tail.producer), 0, False)
            self._parts[tail.id] = Part((head.producer, tail.producer), 0, True)

    def of(self, value: Value) -> frozenset[Part]:
        """The parts that a value was computed from; empty if no split is known on the way."""
        return frozenset(self._parts[key] for key, _ in self._sources(value) if key in self._parts)

    def makers(self, value: Value) -> Iterator[LibraryCall]:
        """The library calls that a value was computed by, the last ones first; of parts of a split, none before it."""
        for key, _ in self._sources(value):
            if key in self._made:
                yield self._made[key]

    def sources(self, value: Value) -> Iterator[Value]:
        """A value and what it was computed from."""
        for _, one in self._sources(value):
            yield one

    def comes_from(self, value: Value, origins: frozenset[object]) -> bool:
        """Whether a value was computed from one of those with these keys (:func:`keys`)."""
        return any(key in origins for key, _ in self._sources(value))

    def is_stored(self, value: Value) -> bool:
        """Whether all data that a value was computed from were loaded, by calls and operations that are known."""
        found = False
        for key, one in self._sources(value):
            if not _is_data(one) or _holds_names(one) or key in self._parts:
                found = found or key in self._parts
                continue
            call = self._made.get(key)
            is_loaded = isinstance(one, TensorVal) and does(one.producer, Trait.LOADS)
            if is_loaded or (call is not None and _LOADING.search(call.name) is not None):
                found = True
            elif not any(map(_is_data, self._operands(one, key))):
                return False
        return found

    def loads(self, value: Value) -> Iterator[LibraryCall | Op]:
        """The calls and operations that have loaded what a value was computed from."""
        for key, one in self._sources(value):
            part, call = self._parts.get(key), self._made.get(key)
            if part is not None and isinstance(part.split, LibraryCall):
                yield part.split
            if call is not None and _LOADING.search(call.name) is not None:
                yield call
            elif isinstance(one, TensorVal) and one.producer is not None and does(one.producer, Trait.LOADS):
                yield one.producer

    def splits_of(self, origins: frozenset[object]) -> Iterator[LibraryCall | TensorVal]:
        """Where data that were computed from values with these keys are split: calls, and the parts up to a place."""
        for call in self.facts.events(LibraryCall):
            if _splits(call.name) and any(self.comes_from(value, origins) for value in call.given):
                yield call
        for head, _ in cuts(self.facts):
            if head.producer is not None and any(self.comes_from(value, origins) for value in head.producer.inputs):
                yield head

    def _sources(self, value: Value) -> Iterator[tuple[object, Value]]:
        """A value and what it was computed from, up to the parts of a split."""
        waiting, seen = [value], set[object]()
        while waiting and len(seen) < _MOST:
            one = waiting.pop()
            key = _key(one)
            if key in seen or not isinstance(one, (TensorVal, Unknown, AbstractVal, tuple)):
                continue
            seen.add(key)
            yield key, one
            if key not in self._parts:
                waiting += self._operands(one, key)

    def _operands(self, value: Value, key: object) -> list[Value]:
        if isinstance(value, ListVal):
            inside: list[Value] = [*value.items, value.rest]
        elif isinstance(value, tuple):
            inside = list(value)
        else:
            inside = []
        if (call := self._made.get(key)) is not None:
            return [*inside, *call.given, *((call.receiver,) if _is_data(call.receiver) else ())]
        if isinstance(value, TensorVal) and value.producer is not None:
            return [*value.producer.inputs]
        if isinstance(value, UnknownResult):
            return [one for one in value.operands if isinstance(one, (TensorVal, Unknown, AbstractVal))]
        return inside


def _splits(name: str) -> bool:
    """Whether a call splits the rows that it is given: in two, or in folds."""
    module, _, last = name.rpartition(".")
    return name in SPLITS or (module.startswith(_SELECTION) and (last == "split" or last.startswith("cross_val")))


def keys(value: Value) -> frozenset[object]:
    """What identifies a value, and its elements, for :meth:`DataParts.comes_from`."""
    return frozenset(map(_key, whole_and_elements(value)))


def whole_and_elements(value: Value) -> Iterator[Value]:
    """A value that may hold data, the array of a table, and the elements of a list or tuple."""
    elements = value.items if isinstance(value, ListVal) else value if isinstance(value, tuple) else ()
    for one in (value, *elements):
        if _is_data(one):
            yield one
            if isinstance(one, InstanceVal) and (array := as_array(one)) is not one:
                yield array


def _is_data(value: Value) -> bool:
    if isinstance(value, InstanceVal):
        return isinstance(value.cls, LibSymbol) and value.cls.name.startswith(_TABLES)
    return isinstance(value, (TensorVal, Unknown, ListVal, DictVal)) or (isinstance(value, tuple) and bool(value))


def _holds_names(value: Value) -> bool:
    """Whether a list or tuple holds nothing but texts and numbers, such as the names of columns."""
    parts = value.items if isinstance(value, ListVal) and value.rest is None else value if isinstance(value, tuple) else ()
    return bool(parts) and all(isinstance(part, (str, int)) for part in parts)


def _key(value: Value) -> object:
    """Identity: of a tensor, that of its elements."""
    return value.id if isinstance(value, TensorVal) else ("object", id(value))


def cuts(facts: Facts) -> Iterator[tuple[TensorVal, TensorVal]]:
    """The rows up to a place, and those from there on, of one array."""
    heads: dict[int, list[tuple[Value, TensorVal]]] = {}
    tails: dict[int, list[tuple[Value, TensorVal]]] = {}
    for op in facts.ops:
        taken = op.args.get("x")
        if not does(op, Trait.SUBSCRIPTS) or not isinstance(taken, TensorVal):
            continue
        index = op.args.get("index")
        rows = index[0] if isinstance(index, tuple) and index else index
        if not isinstance(rows, SliceVal) or rows.step is not None:
            continue
        if rows.start in (None, 0) and isinstance(rows.stop, (int, DimExpr)):
            heads.setdefault(taken.id, []).append((rows.stop, op.output))
        elif rows.stop is None and isinstance(rows.start, (int, DimExpr)):
            tails.setdefault(taken.id, []).append((rows.start, op.output))
    for number, beginnings in heads.items():
        for end, head in beginnings:
            for start, tail in tails.get(number, ()):
                if end == start:
                    yield head, tail


def _split_parts(call: LibraryCall) -> Iterator[tuple[Part, Value]]:
    """The results of a call that splits data, with their parts."""
    result = call.result
    items = result.items if isinstance(result, ListVal) else result if isinstance(result, tuple) else ()
    if call.name in SPLITS:
        for position, value in enumerate(items):
            yield Part(call, position // 2, position % 2 == 1), value
    elif call.name.endswith(_LOADED) and len(items) == 2:
        for position, pair in enumerate(items):
            inner = pair.items if isinstance(pair, ListVal) else pair if isinstance(pair, tuple) else ()
            for number, value in enumerate(inner):
                yield Part(call, number, position == 1), value


#: What names of data end in that is joined to the part: ``testloader``, ``trainset``.
_KIND: Final = re.compile(r"(?:data)?(?:loaders?|sets?|iter|dl|data)$")
_TRAINING_WORDS: Final = frozenset({"train", "training", "tr", "trn"})
_HELD_OUT_WORDS: Final = frozenset({"test", "testing", "tst", "te", "val", "valid", "validation", "dev", "eval", "holdout"})


def named_part(name: str) -> bool | None:
    """What a name says: true for held-out rows (``x_test``), false for those of training (``X_train``), ``None`` for neither
    or both."""
    said = {_KIND.sub("", word) for word in words(name)}
    held_out, training = bool(said & _HELD_OUT_WORDS), bool(said & _TRAINING_WORDS)
    return held_out if held_out is not training else None
