"""The last text of an edited document that was gone through to its end, and whether another text changes nothing of it.

Most edits change comments, or bodies of functions that no step has looked at. Then all steps are what they were, and so is
everything they have left: nothing has to be set back and done again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from dllint.ir.watched import Noted, is_as_seen
from dllint.lower.document import Lowered
from dllint.lower.steps import Step, takes
from dllint.source.chunk import Chunk, Tree
from dllint.source.live import LiveDocument, Question
from dllint.source.positions import Statement


@dataclass(slots=True)
class Between:
    """What has been looked at between the steps of a text: the code of definitions, the text. ``statements``: those of the
    text, if they matter for themselves, as they do for a run of the whole module."""

    code: Noted = field(default_factory=dict)
    asked: dict[Question, object] = field(default_factory=dict)
    has_read: bool = False
    statements: tuple[Statement, ...] | None = None

    def note(self, live: LiveDocument) -> None:
        """Add what has been looked at of the text since somebody has begun to listen."""
        self.asked.update(live.asked)
        self.has_read |= live.read


@dataclass(frozen=True, slots=True)
class LastText:
    """A text that was gone through to its end: ``steps`` in order, those of its chunks first; ``fuel`` for all of it."""

    lowered: Lowered
    keys: Sequence[Hashable]
    trees: Sequence[Tree | None]
    fuel: int
    steps: Sequence[Step]
    between: Between

    @classmethod
    def of(cls, fuel: int, live: LiveDocument, lowered: Lowered, steps: Iterable[Step], between: Between) -> LastText:
        """The text that is shown."""
        between.note(live)
        chunks = live.chunks
        return cls(lowered, keys(chunks), [_origin(chunk) for chunk in chunks], fuel, tuple(steps), between)

    def still_holds(self, fuel: int, live: LiveDocument) -> bool:
        """Whether going through the text that is shown would execute nothing. Gives definitions their present code."""
        chunks, between = live.chunks, self.between
        if between.has_read or fuel != self.fuel or keys(chunks) != self.keys:
            return False
        if between.statements is not None and not _are_same(between.statements, statements_of(chunks)):
            return False
        trees = [_origin(chunk) for chunk in chunks]
        pairs = zip(self.steps, trees, self.trees, strict=False)
        changed = [(step, tree) for step, tree, last in pairs if tree is not None and tree is not last]
        if not all(takes(step, tree) for step, tree in changed):
            return False
        if any(step.is_transient or not live.answers_same(step.asked) for step in self.steps):
            return False
        if not live.answers_same(between.asked):
            return False
        return not changed or is_as_seen(between.code, *(step.code for step in self.steps))


def keys(chunks: Sequence[Chunk]) -> list[Hashable]:
    """The keys of the steps that execute chunks."""
    return [key(number, chunk) for number, chunk in enumerate(chunks)]


def key(number: int, chunk: Chunk) -> Hashable:
    """The key of the step that executes a chunk: the same for the same definition with other bodies."""
    tree = _origin(chunk)
    return tree.base if tree is not None else (number, chunk.text)


def statements_of(chunks: Iterable[Chunk]) -> tuple[Statement, ...]:
    """The statements of a text; that they have been looked at is not noted."""
    return tuple(statement for chunk in chunks for statement in chunk.statements)


def _origin(chunk: Chunk) -> Tree | None:
    return chunk.tree.origin if chunk.tree is not None else None


def _are_same(before: Sequence[Statement], now: Sequence[Statement]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))
