"""Operations are named where they are declared; everywhere else traits are asked (``dllint.ops.traits``).

What counts as naming: a display (set, tuple, list, keys of a dict) at least half of whose texts are names of operations, and
a comparison of something's ``kind`` with a name. Emitting an operation (``m.emit("getitem", …)``) asks nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from dllint.ops import all as declared
from dllint.ops.spec import OPS
from tests.repo.trees import nodes_of, tree_of

assert declared
PACKAGE = Path(__file__).parents[2] / "dllint"

#: Rooms and files in which such texts are names of something else, or the translation of other names → what they are.
HOMONYMS = {
    "bisection": "operators of deployed models, by the names of their formats",
    "dev": "functions of the libraries that are asked for their signatures",
    "diagnose": "functions, losses and activations that a run has called; the probes load no operations",
    "domains/atoms.py": "arithmetic of sizes",
    "domains/dim.py": "arithmetic of sizes",
    "lower/bulk.py": "functions of Python and its module math",
    "lower/comparisons.py": "comparisons of Python, by the names of its module operator",
    "lower/duck.py": "methods of objects of unknown class",
    "lower/entries.py": "functions that a source text names",
    "lower/graphs": "operators of ONNX, TensorFlow and torch.export: tables onto operations, as in frameworks/",
    "lower/narrowing.py": "comparisons of Python",
    "lower/natives": "functions and methods of Python",
    "lower/operators.py": "operators of Python",
    "analysis/architecture/keras_names.py": "layers of Keras, by the names that it gives them",
    "analysis/initial_values.py": "initializers of Keras",
    "analysis/keras_training.py": "losses of Keras, by the names that a model is compiled with",
    "analysis/trained_by_hand.py": "functions that a source text names",
    "rules/data/labels_out_of_range.py": "losses of Keras, by the names that a model is compiled with",
    "rules/loss/crossentropy_kind_vs_output.py": "losses of Keras, by the names that a model is compiled with",
    "rules/loss/label_encoding_vs_loss.py": "losses of Keras, by the names that a model is compiled with",
    "rules/loss/logits_without_from_logits.py": "losses of Keras, by the names that a model is compiled with",
    "rules/loss/threshold_on_logits.py": "losses of Keras, by the names that a model is compiled with",
}
#: Files outside ``ops/`` that do name operations → why.
REMAINING = {
    "rules/loss/bce_or_nll_on_raw_scores.py": "what each loss expects",
}
#: The list of all operations, which is made of their declarations.
GENERATED: Final = "ops/_index.py"
#: So many files may name an operation: where it is declared, and one more.
MOST: Final = 2


@cache
def _namings() -> dict[str, dict[str, list[int]]]:
    """File below the package → operation → lines that name it."""
    found: dict[str, dict[str, list[int]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        if not file.startswith("frameworks/") and file != GENERATED:
            for name, line in _named(tree_of(path)):
                found.setdefault(file, {}).setdefault(name, []).append(line)
    return found


def _named(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in nodes_of(tree):
        for texts in _displays(node):
            names = [text for text in texts if text.value in OPS]
            if len(names) > 1 and 2 * len(names) >= len(texts):
                yield from ((str(text.value), text.lineno) for text in names)
        if isinstance(node, ast.Compare) and any(_is_kind(side) for side in (node.left, *node.comparators)):
            sides = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
            yield from (
                (part.value, part.lineno)
                for part in sides
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in OPS
            )


def _displays(node: ast.AST) -> Iterator[list[ast.Constant]]:
    """The texts among the members of a display."""
    members: list[ast.expr] = []
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        members = node.elts
    elif isinstance(node, ast.Dict):
        members = [key for key in node.keys if key is not None]
    yield [member for member in members if isinstance(member, ast.Constant) and isinstance(member.value, str)]


def _is_kind(side: ast.expr) -> bool:
    return isinstance(side, ast.Attribute) and side.attr == "kind"


def _excepted(file: str, table: dict[str, str]) -> bool:
    return any(file == entry or file.startswith(f"{entry}/") for entry in table)


def test_operations_are_named_in_their_room_alone():
    outside = {
        file: names
        for file, names in _namings().items()
        if not file.startswith("ops/") and not _excepted(file, HOMONYMS) and file not in REMAINING
    }
    assert not outside, "ask a trait (dllint.ops.kinds) in place of these names:\n" + "\n".join(
        f"{file}:{line}: {name}" for file, names in outside.items() for name, lines in names.items() for line in lines
    )


def test_an_operation_is_named_in_two_files_at_most():
    files: dict[str, list[str]] = {}
    for file, names in _namings().items():
        if not _excepted(file, HOMONYMS):
            for name in names:
                files.setdefault(name, []).append(file)
    more = {name: where for name, where in files.items() if len(where) > MOST}
    assert not more, "declare it once, or ask a trait (dllint.ops.kinds):\n" + "\n".join(
        f"{name}: {', '.join(where)}" for name, where in sorted(more.items())
    )


def test_exceptions_are_needed():
    files = set(_namings())
    unused = [entry for entry in (*HOMONYMS, *REMAINING) if not any(_excepted(file, {entry: ""}) for file in files)]
    assert not unused, f"nothing is named there any more: {unused}"
