"""Draws slips for the files of a checkout and proves them by running."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import libcst as cst

from benchmarks.slips import layout, structure, widths
from benchmarks.slips.kinds import KINDS, Change, Family, Kind, Model, models
from benchmarks.slips.repositories import model_files, text_of
from benchmarks.slips.running import Answer, Runner

#: Modules whose import makes the kinds known.
KNOWN: Final = (widths, layout, structure)
#: Files of a checkout that are looked at, and places of a kind that are tried until a slip is proved.
_FILES: Final = 10
_TRIES: Final = 5
#: Errors by which a library refuses operands.
_REFUSALS: Final = ("RuntimeError", "ValueError", "IndexError", "TypeError", "AssertionError", "AttributeError", "KeyError")

RAISES: Final = "raises"
DIFFERS: Final = "differs"
NOT_RUN: Final = "not run"


@dataclass(frozen=True, slots=True)
class Slip:
    """One change of a file: its kind, the class and line where it stands, the file with it; what proves it."""

    kind: Kind
    file: Path
    model: str
    line: int
    before: str
    after: str
    proof: str
    error: str = ""
    #: By class: how the unchanged file runs.
    healthy: dict[str, Answer] = field(default_factory=dict)


@dataclass(slots=True)
class Source:
    """A file with models: its text, tree and classes; how each class runs, once that was asked."""

    root: Path
    path: Path
    text: str
    tree: cst.Module
    models: list[Model]
    #: By class, the classes of the file that are named in it.
    uses: dict[str, set[str]]
    runs: dict[str, Answer] = field(default_factory=dict)

    def run(self, runner: Runner, name: str) -> Answer:
        """How a class runs as it is."""
        if name not in self.runs:
            self.runs[name] = runner.run(self.root, self.path, self.text, name)
        return self.runs[name]

    def healthy(self, runner: Runner, name: str) -> dict[str, Answer]:
        """The classes that run, of a class and those that are built of it."""
        names = [name, *(other for other, used in self.uses.items() if name in used and other != name)]
        return {one: answer for one in names if "recipe" in (answer := self.run(runner, one))}


Places = list[tuple[Source, Model, Change]]


def sources(root: Path, random: Random) -> list[Source]:
    """Some of the files with models of a checkout."""
    files = list(model_files(root))
    random.shuffle(files)
    return [found for path in files[:_FILES] if (found := _source(root, path)) is not None]


def _source(root: Path, path: Path) -> Source | None:
    text = text_of(path)
    try:
        tree = cst.parse_module(text)
        parsed = ast.parse(text)
    except (cst.ParserSyntaxError, SyntaxError, ValueError):
        return None
    found = list(models(tree))
    names = {model.node.name.value for model in found}
    direct = {
        node.name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & names
        for node in parsed.body
        if isinstance(node, ast.ClassDef) and node.name in names
    }
    return Source(root, path, text, tree, found, {name: _closure(name, direct) for name in direct}) if found else None


def _closure(name: str, direct: dict[str, set[str]]) -> set[str]:
    reached, todo = set[str](), [name]
    while todo:
        new = direct.get(todo.pop(), set()) - reached
        reached |= new
        todo += new
    return reached


def slips(root: Path, seed: str, runner: Runner, most: int, *, unproved: bool) -> Iterator[Slip]:
    """Slips of a checkout that are proved, of different kinds and at most so many; if wanted, one more of each kind that
    cannot be run."""
    files = sources(root, Random(seed))
    places: dict[str, Places] = defaultdict(list)
    for file in files:
        for model in file.models:
            for one in KINDS:
                places[one.name] += [(file, model, change) for change in one.find(model)]
    kinds = list(KINDS)
    Random(f"{seed} kinds").shuffle(kinds)
    for one in kinds:
        order = places[one.name]
        Random(f"{seed} {one.name}").shuffle(order)
        for slip in _of_kind(one, order, runner, unproved=unproved):
            yield slip
            most -= slip.proof != NOT_RUN
        if most <= 0:
            return


def _of_kind(kind: Kind, places: Places, runner: Runner, *, unproved: bool) -> Iterator[Slip]:
    """The first of some places that is proved; before it one that cannot be run, if wanted."""
    tries = 0
    for file, model, change in places:
        if not unproved and not file.healthy(runner, model.node.name.value):
            continue
        slip = _slip(kind, file, model, change, runner)
        if slip is None:
            tries += 1
        elif slip.proof != NOT_RUN:
            yield slip
            return
        elif unproved:
            unproved = False
            yield slip
        if tries == _TRIES:
            return


def _slip(kind: Kind, file: Source, model: Model, change: Change, runner: Runner) -> Slip | None:
    """A slip as proved; ``None`` for a change that is no fault."""
    edited = changed(file.tree, change)
    if edited is None or edited == file.text:
        return None
    name = model.node.name.value
    pairs = zip(file.text.splitlines(), edited.splitlines(), strict=False)
    line = next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 1)
    healthy = file.healthy(runner, name)
    if not healthy:
        return Slip(kind, file.path, name, line, file.text, edited, NOT_RUN)
    proof, error = proved(kind, file, edited, healthy, runner)
    return Slip(kind, file.path, name, line, file.text, edited, proof, error, healthy) if proof else None


def proved(kind: Kind, file: Source, edited: str, healthy: dict[str, Answer], runner: Runner) -> tuple[str, str]:
    """What shows that an edited text is faulty, with the error; empty if nothing does.

    It raises where the unchanged one runs, and no other input is found that it takes; or, for kinds that are not about
    shapes, its results, its parameters or the gradients that reach them are others.
    """
    for name, before in healthy.items():
        after = runner.run(file.root, file.path, edited, name, before["recipe"])
        if "error" in after:
            if not after["error"].startswith(_REFUSALS):
                continue
            other = runner.run(file.root, file.path, edited, name, {"size": before["recipe"]["size"]})
            if "recipe" not in other:
                return RAISES, after["error"]
        elif kind.family is not Family.SHAPE and outcome(after) != outcome(before):
            return DIFFERS, ""
    return "", ""


def outcome(answer: Answer) -> tuple[Any, ...]:
    """What an answer shows, to be compared; of one that is an error, nothing."""
    return () if "error" in answer else (answer["shapes"], answer["digest"], answer["weights"])


def changed(tree: cst.Module, change: Change) -> str | None:
    """The text of a file with a change; ``None`` if that is no Python."""
    try:
        if change.new is None:
            edited = tree.visit(_Without(change.old))
        else:
            edited = tree.deep_replace(change.old, change.new)
        assert isinstance(edited, cst.Module)
        text = edited.code
        ast.parse(text)
    except (SyntaxError, cst.CSTValidationError, ValueError):
        return None
    return text


class _Without(cst.CSTTransformer):
    """Puts ``pass`` in the place of a statement."""

    def __init__(self, gone: cst.CSTNode) -> None:
        self.gone = gone

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        if original_node is self.gone:
            kept = getattr(original_node, "leading_lines", ())
            return cst.SimpleStatementLine([cst.Pass()], leading_lines=kept)
        return super().on_leave(original_node, updated_node)
