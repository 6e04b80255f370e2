"""A program taken apart: imports, definitions, and the block of statements that rewritings move about."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.rules.rewriting.blocks import Statement, bound, joined, statements, taken


@dataclass(frozen=True)
class Parts:
    """``imports``, ``definitions`` of classes and functions, and the ``block``: the statements of the top level, or those of
    the function ``owner`` where the top level has definitions alone; ``given`` are that function's parameters."""

    imports: Sequence[Statement]
    definitions: Sequence[Statement]
    block: Sequence[Statement]
    owner: ast.FunctionDef | None = None

    @property
    def given(self) -> list[str]:
        return [one.arg for one in self.owner.args.args] if self.owner else []

    @property
    def is_tied(self) -> bool:
        """Whether definitions read what the block binds, so that it has to stay in their module."""
        return bool(taken(self.definitions, bound(self.block)))

    def with_block(self, text: str, definitions: str = "", imports: str = "") -> str:
        """The program with other statements in place of the block, and further definitions and imports."""
        return self.head(imports) + self.rest(text, definitions)

    def head(self, further: str = "") -> str:
        return further + joined(self.imports)

    def rest(self, text: str, definitions: str = "") -> str:
        before = "".join(f"\n\n{one.text}\n" for one in self.definitions)
        return f"{before}\n\n{definitions}\n\n{self.around(text)}"

    def around(self, text: str) -> str:
        """A text where the block was."""
        if self.owner is None:
            return text
        signature = ast.unparse(replace_body(self.owner)).removesuffix("    pass").rstrip("\n")
        return f"{signature}\n" + "".join(f"    {line}\n" if line else "\n" for line in text.rstrip("\n").split("\n"))


def replace_body(function: ast.FunctionDef) -> ast.FunctionDef:
    copy = ast.FunctionDef(
        name=function.name, args=function.args, body=[ast.Pass()], decorator_list=function.decorator_list,
        returns=function.returns, type_comment=None,
    )  # fmt: skip
    return ast.copy_location(copy, function)


def parts(text: str) -> Parts:
    """The parts of a program."""
    lines, tree = text.split("\n"), ast.parse(text)
    found = statements(lines, tree.body)
    imports = [one for one in found if isinstance(one.node, ast.Import | ast.ImportFrom)]
    definitions = [one for one in found if isinstance(one.node, ast.FunctionDef | ast.ClassDef)]
    block = [one for one in found if one not in imports and one not in definitions]
    program = Parts(imports, definitions, block)
    owner = next((one for one in reversed(definitions) if isinstance(one.node, ast.FunctionDef)), None)
    if block or owner is None:
        return program
    assert isinstance(owner.node, ast.FunctionDef)
    inner = statements(lines, owner.node.body)
    return replace(program, definitions=[one for one in definitions if one is not owner], block=inner, owner=owner.node)
