"""The steps of an analysis of an edited document (:mod:`dllint.lower.incremental`): what each has read and left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from dllint.domains.lattice import Unknown
from dllint.ir.program import Program
from dllint.ir.values import Arguments, ClassVal, FuncVal, Value
from dllint.ir.watched import Made, Noted, exchange
from dllint.lower.begun import Begun
from dllint.lower.journal import Entry
from dllint.lower.last_instance import given_last
from dllint.lower.reach import PARTS
from dllint.lower.recording import Left, LogReads
from dllint.source.chunk import Chunk, Tree
from dllint.source.live import Question

_marks: Final = count(1)
#: Values that a step can change or that may hold such; of what a half is given, constants, classes and functions are older.
_ALTERABLE: Final = frozenset(PARTS) - {Unknown, ClassVal, FuncVal} | {tuple, Arguments}
#: With so many former definitions, a tree need not be told which of them are needed.
_FEW_FORMER: Final = 8


@dataclass(slots=True, eq=False)
class Step:
    """One step. ``subject`` is what it executes, ``given`` and ``used`` are what it might use up and has used up, ``history``
    tells which steps before it have changed objects that others made (by their marks). The rest is what it has read and left
    behind."""

    subject: tuple[Any, ...]
    given: tuple[int, ...]
    history: tuple[int, ...]
    mark: int = field(default_factory=lambda: next(_marks))
    used: tuple[int, ...] = ()
    #: What running it has returned.
    outcome: Any = None
    program: Program = field(default_factory=lambda: Program("<module>"))
    #: By table: what was read before it was written, all of it if it was looked at as a whole, what was left.
    reads: list[dict[Any, Value]] = field(default_factory=list)
    wholes: list[dict[Any, Value] | None] = field(default_factory=list)
    writes: list[dict[Any, Value]] = field(default_factory=list)
    #: Whether it has to be executed each time: it has looked at the text, or failed, which is told with its place.
    is_transient: bool = False
    #: What goes on from one statement of the top level to the next (``IncrementalLowering._held``), before and after it.
    held: tuple[Any, ...] = ()
    left_held: tuple[Any, ...] = ()
    #: The modules it has used, whether it has loaded anything, and how many star imports it has followed itself.
    touched: set[Path] = field(default_factory=set)
    has_loaded: bool = False
    stars: int = 0
    #: By log: what was looked at, what was added.
    looks: list[LogReads] = field(default_factory=list)
    added: list[tuple[Any, ...]] = field(default_factory=list)
    #: By table of facts: the objects, by ``id``, of which something was noted.
    noted: list[set[int]] = field(default_factory=list)
    #: The tree that was executed, the definitions that it has made, with their code, and the code that was looked at.
    tree: Tree | None = None
    definitions: Made = field(default_factory=list)
    code: Noted = field(default_factory=dict)
    #: What was asked about the text, with the answers.
    asked: dict[Question, object] = field(default_factory=dict)
    #: Changes of objects of earlier steps, to be undone, what they have come to, and whether they count for others.
    changes: list[Entry] = field(default_factory=list)
    results: list[Entry] = field(default_factory=list)
    is_visible: bool = False
    #: What it has made that others can reach; whether it has changed what the half has made that it goes on from; of such
    #: changes by steps before it: by the mark of the step, what others could find of the half.
    left: Left | None = None
    alters: bool = False
    altered: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def has_come_upon(self, objects: frozenset[int]) -> bool:
        """Whether it has found any of some objects, by ``id``, in what steps share."""
        read = (value for reads in self.reads for value in reads.values())
        whole = (value for content in self.wholes if content is not None for value in content.values())
        found = (item for look in self.looks for _, _, item in look.asked.values())
        seen = (item for look in self.looks for item in look.seen or ())
        return any(_leads_to(value, objects) for value in (*self.subject, *read, *whole, *found, *seen))

    def is_concerned(self, altered: Mapping[int, frozenset[int]]) -> bool:
        """Whether what it has come upon may have been changed otherwise than it has found it (``altered``)."""
        all_ = {**altered, **self.altered}
        return any(self.has_come_upon(all_[mark]) for mark in altered.keys() ^ self.altered.keys())

    def left_behind(self) -> frozenset[int]:
        """What others can find of what it has made, by ``id``."""
        objects = self.left.objects if self.left is not None else frozenset()
        last = self.outcome.run.last_instances if isinstance(self.outcome, Begun) else {}
        given = (value for arguments in given_last(last).values() for value in (*arguments.args, *arguments.kwargs.values()))
        found = (*(item for added in self.added for item in added), *given)
        return objects.union(id(value) for value in found if type(value) in _ALTERABLE)


def _leads_to(value: Any, objects: frozenset[int]) -> bool:
    """Whether a value is one of some objects or holds one."""
    if id(value) in objects:
        return True
    if isinstance(value, Arguments):
        return any(_leads_to(item, objects) for item in (*value.args, *value.kwargs.values()))
    return isinstance(value, tuple) and any(_leads_to(item, objects) for item in value)


def takes(step: Step, tree: Tree) -> bool:
    """Give the definitions that a step has made the code that they have in a tree, if that is the one that was executed or
    continues it."""
    if step.tree is None or (
        step.tree is not tree and not (len(step.tree.statements) == 1 and id(step.tree.statements[0]) in tree.code)
    ):
        return False
    for definition, code in step.definitions:
        exchange(definition, tree.code[id(code)][1] if id(code) in tree.code else code)
    return True


def tell_needed(chunks: Sequence[Chunk], steps: Sequence[Step]) -> None:
    """Tell the trees of a text which former definitions its steps (those of its chunks first) were executed on: of the others,
    which have come and gone between edits, nothing is left."""
    for chunk, step in zip(chunks, steps, strict=False):
        tree = chunk.tree.origin if chunk.tree is not None else None
        if tree is not None and step.tree is not None and tree.needed is None and len(tree.code) > _FEW_FORMER:
            tree.needed = frozenset((*map(id, step.tree.statements), *(id(code) for _, code in step.definitions)))


def joined(entry: str, parts: Sequence[Program]) -> Program:
    """One program of several that follow each other."""
    out = Program(entry)
    for part in parts:
        out.trace += part.trace
        out.inputs += part.inputs
        out.gaps += part.gaps
        out.carried.update(part.carried)
        out.later.update(part.later)
    return out


class Work(NamedTuple):
    """How many steps the last text has, and how many have been executed for it, those of given up attempts included."""

    executed: int
    steps: int
