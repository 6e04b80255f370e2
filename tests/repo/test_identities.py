"""What is kept by the ``id`` of an object keeps the object too: another one may get its ``id`` once it is gone.

An ``id`` is kept where it is a key or a member of something that an attribute holds, or a part of a question (``derive``). What
is local to a call is not looked at: its objects are those that the call was given.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.repo.trees import nodes_of, tree_of

PACKAGE: Final = Path(__file__).parents[2] / "dllint"
#: What is kept by ``id`` without the object in the same entry → what keeps the object alive.
HELD_ELSEWHERE: Final = {
    "analysis/architecture/calls.py: self._holders": "the tree of modules, whose root it is made for",
    "analysis/architecture/calls.py: self.left_out": "the trace that is gone through, which calls it",
    "analysis/architecture/weights.py: self.added": "the call that is added, whose receiver it is",
    "analysis/ranges/writes.py: self._places": "the operations of the program, which the facts of it hold",
    "bisection/references/keras_functional.py: self._names": "the tensors of the calls in _makers",
    "diagnose/probes/tensorflow/first_bad.py: self._made": "_kept",
    "diagnose/probes/tensorflow/first_bad.py: self._origins": "_kept",
    "diagnose/probes/tensorflow/first_bad.py: self._used": "_kept",
    "engine/trial.py: self._places": "the sites of the analysis beside it",
    "lower/journal.py: self.owners": "the owner holds the mapping, and is asked whether it does",
    "lower/pending.py: self.pending": "the module in Pending holds its namespace",
    "lower/recording.py: self._lasting": "changes, which begins and ends with it",
    "lower/recording.py: self.noted": "the facts themselves, until no step that is left has noted them",
    "lower/repeats.py: m.run.last_instances": "the object in LastInstance, which holds its class",
    "lower/state.py: self._firsts": "the item, of which it is a part",
    "lower/toplevel.py: m.imports.library.pending": "the module in Pending holds its namespace",
    "lower/attributes.py: m.trail.derived": "keep, in the line before",
    "server/sessions.py: self._former": "the session, whose configuration it is",
    "server/calls_of_modules.py: self._ops": "the operations of the program beside it",
    "server/calls_of_modules.py: self._texts": "the program beside it, whose modules are asked for",
    "server/places.py: entry.vague": "the value in values of the entry",
    "server/places.py: self.hints": "the entry of the same name in entries",
    "source/chunk.py: self._ranges": "the statements of the chunk",
    "source/document.py: self._known": "the statements of the chunk that is stored",
    "source/grafted.py: index.places": "the class that the tree is made of",
    "source/memo.py: answers.lately": "the node is the first part of what is found",
    "source/positions.py: self.ranges": "the tree that is measured",
    "source/restated.py: self._found": "the statements of the origin",
    "source/restated.py: self._partners": "the statements of the origin",
    "source/restated.py: index.places": "the statements of the origin",
    "source/restated.py: index.suites": "the statements of the origin",
    "source/statement_lines.py: self.places": "the tree that is read",
    "source/statement_lines.py: self.suites": "the tree that is read",
}
_ADDING: Final = {"add", "append", "setdefault", "update"}
#: Methods of the journal that write into what they are given.
_WRITING: Final = {"add_item", "set_item"}


def _trees() -> dict[str, ast.Module]:
    return {path.relative_to(PACKAGE).as_posix(): tree_of(path) for path in sorted(PACKAGE.rglob("*.py"))}


def _identities(node: ast.AST) -> Iterator[ast.expr]:
    """The objects whose ``id`` an expression takes."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "id" and part.args:
            yield part.args[0]


def _holds(node: ast.expr, what: ast.expr) -> bool:
    """Whether what an expression makes holds an object: the object itself, a display with it, a weak reference, or an object
    of a class that is made with it."""
    own = {ast.unparse(part) for part in _parts(node)}
    return ast.unparse(what) in own


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    if isinstance(node, ast.Tuple | ast.List):
        members = node.elts
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and (node.func.id == "ref" or node.func.id.lstrip("_")[0].isupper())
    ):
        members = [*node.args, *(keyword.value for keyword in node.keywords)]
    else:
        return
    for member in members:
        yield from _parts(member)


def _loose(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The attributes that hold an ``id`` without its object."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
                    for what in _identities(target.slice):
                        if not _holds(node.value, what):
                            yield ast.unparse(target.value), node.lineno
        holder = _added_to(node)
        if isinstance(node, ast.Call) and isinstance(holder, ast.Attribute):
            given = ast.Tuple([*node.args, *(keyword.value for keyword in node.keywords)])
            for what in _identities(given):
                if not _holds(given, what):
                    yield ast.unparse(holder), node.lineno


def _added_to(node: ast.AST) -> ast.expr | None:
    """What a call of a method adds its arguments to."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr in _WRITING and node.args:
        return node.args[0]
    return node.func.value if node.func.attr in _ADDING else None


def _questions(tree: ast.Module) -> Iterator[tuple[ast.expr, list[ast.expr], int]]:
    """What each question is about, what it keeps, and its line."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "derive" and node.args:
            for what in _identities(node.args[0]):
                yield what, node.args[2:], node.lineno


def test_questions_keep_what_they_are_about():
    found = [(file, *question) for file, tree in _trees().items() for question in _questions(tree)]
    assert len(found) > 20
    loose = [f"{file}:{line}: {ast.unparse(what)}" for file, what, kept, line in found if not _holds(ast.Tuple(kept), what)]
    assert not loose, "hand these on to derive, which keeps them alive:\n" + "\n".join(loose)


def test_what_is_stored_by_identity_is_kept_alive():
    found = {f"{file}: {holder}": line for file, tree in _trees().items() for holder, line in _loose(tree)}
    new = {place: line for place, line in found.items() if place not in HELD_ELSEWHERE}
    assert not new, "store the object in the entry, or use IdentityMap or Facts:\n" + "\n".join(
        f"{place} (line {line})" for place, line in new.items()
    )
    assert found.keys() == HELD_ELSEWHERE.keys(), f"no longer needed: {HELD_ELSEWHERE.keys() - found.keys()}"


def test_a_loose_identity_is_found():
    text = """
def f(self, x, m):
    self.seen.add(id(x))
    self.known[id(x), 1] = 2
    self.held[id(x)] = x
    m.journal.set_item(m.derived, id(x), 3)
    m.derive(("a", id(x)), lambda: 1)
    m.derive(("b", id(x)), lambda: 1, x)
"""
    tree = ast.parse(text)
    assert {holder for holder, _ in _loose(tree)} == {"self.seen", "self.known", "m.derived"}
    assert [_holds(ast.Tuple(kept), what) for what, kept, _ in _questions(tree)] == [False, True]
