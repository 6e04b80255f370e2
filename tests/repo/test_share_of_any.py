"""How many parameters of functions and methods have a type that proves nothing: ``Any``, ``object`` or none at all, alone, in a
union or inside a container, also behind the name of an alias. ``python -m tests.repo.test_share_of_any`` prints the figures."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.repo.trees import nodes_of, text_of, tree_of

ROOT = Path(__file__).parents[2] / "dllint"
#: The largest share of parameters, in percent, that take everything: as a whole, and with those that do so in a container.
WHOLE, WITH_PARTS = 3.0, 5.8
#: The most places at which a type checker is told what to believe.
CASTS, IGNORES = 27, 27
#: Types that every value has.
TOP = frozenset({"Any", "object"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> dict[Path, ast.Module]:
    return {path: tree_of(path) for path in sorted(ROOT.rglob("*.py"))}


def read(annotation: ast.expr) -> ast.expr:
    """An annotation without the quotes around it."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        with suppress(SyntaxError):
            return ast.parse(annotation.value, mode="eval").body
    return annotation


def members(annotation: ast.expr) -> Iterator[ast.expr]:
    """The members of a union."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        yield from members(annotation.left)
        yield from members(annotation.right)
    else:
        yield read(annotation)


def named(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_whole(annotation: ast.expr | None, names: frozenset[str]) -> bool:
    """Whether everything fits an annotation."""
    return annotation is None or any(named(part) in names for part in members(read(annotation)))


def has_part(annotation: ast.expr | None, names: frozenset[str]) -> bool:
    """Whether everything fits somewhere inside an annotation."""
    return annotation is None or any(named(part) in names for part in ast.walk(read(annotation)))


def aliases() -> Iterator[tuple[str, ast.expr]]:
    """The names that modules give to types: ``Value = object``, ``Config = Mapping[str, object]``."""
    for tree in modules().values():
        for node in tree.body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(value, ast.Name | ast.Attribute | ast.BinOp | ast.Subscript):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from ((named(target), value) for target in targets)


def names_of_top() -> frozenset[str]:
    return TOP | {name for name, value in aliases() if is_whole(value, TOP)}


def names_of_parts() -> frozenset[str]:
    classes = {node.name for tree in modules().values() for node in tree.body if isinstance(node, ast.ClassDef)}
    return TOP | ({name for name, value in aliases() if has_part(value, TOP)} - classes)


def parameters(tree: ast.Module) -> Iterator[ast.arg]:
    """All parameters but ``self`` and ``cls``."""
    bound: set[Function] = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.ClassDef):
            functions = [part for part in node.body if isinstance(part, Function)]
            bound |= {
                one for one in functions if not any(named(decorator) == "staticmethod" for decorator in one.decorator_list)
            }
        elif isinstance(node, Function):
            args = node.args
            positional = [*args.posonlyargs, *args.args][node in bound :]
            yield from [*positional, *args.kwonlyargs, *(arg for arg in (args.vararg, args.kwarg) if arg is not None)]


def shares() -> dict[str, Counter[str]]:
    """By room: the parameters, those that take everything, and those that take everything somewhere inside."""
    found: dict[str, Counter[str]] = {}
    whole, parts = names_of_top(), names_of_parts()
    for path, tree in modules().items():
        room = found.setdefault(path.relative_to(ROOT).parts[0], Counter())
        for parameter in parameters(tree):
            room["all"] += 1
            room["whole"] += is_whole(parameter.annotation, whole)
            room["part"] += has_part(parameter.annotation, parts)
    found["together"] = sum(found.values(), Counter())
    return found


def listing() -> str:
    rows = [f"{'room':14}{'parameters':>12}{'untyped':>9}{'share':>8}{'with parts':>12}{'share':>8}"]
    for room, count in shares().items():
        total = max(count["all"], 1)
        whole, part = count["whole"], count["part"]
        rows.append(f"{room:14}{count['all']:12}{whole:9}{100 * whole / total:7.1f}%{part:12}{100 * part / total:7.1f}%")
    return "\n".join(rows)


def test_few_parameters_take_everything():
    together = shares()["together"]
    assert 100 * together["whole"] <= WHOLE * together["all"], f"the share of untyped parameters has risen\n{listing()}"
    assert 100 * together["part"] <= WITH_PARTS * together["all"], f"the share of containers of anything has risen\n{listing()}"


def test_no_alias_stands_for_a_type_that_everything_has():
    assert names_of_top() == TOP


def test_the_type_checker_is_rarely_told_what_to_believe():
    texts = [text_of(path) for path in modules()]
    casts = [
        node
        for tree in modules().values()
        for node in nodes_of(tree)
        if isinstance(node, ast.Call) and named(node.func) == "cast"
    ]
    assert len(casts) <= CASTS
    assert sum(text.count("# type: " + "ignore") for text in texts) <= IGNORES


if __name__ == "__main__":
    print(listing())
