"""What dllint once got wrong stays right: each program as it stands, under other names, in a function, behind a guard, and with
tensors that take another way into memory."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Final

import libcst as cst
import pytest

from tests.rules.harness import expected, reports, snippets
from tests.rules.test_renaming import renamed

_CREATIONS: Final = ("zeros", "ones", "rand", "randn")
_DEFINITIONS: Final = (cst.ClassDef, cst.FunctionDef)


def programs() -> dict[str, str]:
    """The programs by the heading they stand under."""
    text = Path(__file__).with_name("programs.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return {title: snippets(body)[0] for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def in_a_function(text: str) -> str:
    """The statements between and behind the definitions in a function that is called."""
    return _wrapped(text, "def run():\n", "\n\nrun()\n")


def behind_a_guard(text: str) -> str:
    """The same statements where the file is run as a script."""
    return _wrapped(text, 'if __name__ == "__main__":\n', "\n")


def _wrapped(text: str, head: str, tail: str) -> str:
    module = cst.parse_module(text)
    kept, moved = [], []
    for statement in module.body:
        (kept if _is_definition(statement) else moved).append(module.code_for_node(statement).strip("\n"))
    return "\n".join(kept) + f"\n\n\n{head}" + textwrap.indent("\n".join(moved) or "pass", "    ") + tail


def _is_definition(statement: cst.CSTNode) -> bool:
    small = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    return isinstance(statement, _DEFINITIONS) or any(isinstance(part, cst.Import | cst.ImportFrom) for part in small)


class _Contiguous(cst.CSTTransformer):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        called = original_node.func
        is_creation = isinstance(called, cst.Attribute) and called.attr.value in _CREATIONS
        is_torch = is_creation and isinstance(called.value, cst.Name) and called.value.value == "torch"
        if not is_torch or any(argument.keyword is not None for argument in original_node.args):
            return updated_node
        return cst.Call(cst.Attribute(updated_node, cst.Name("contiguous")))


def contiguous(text: str) -> str:
    """Every tensor that is made of nothing is made contiguous."""
    return cst.parse_module(text).visit(_Contiguous()).code


VARIANTS: Final[dict[str, Callable[[str], str]]] = {
    "as it stands": str,
    "under other names": renamed,
    "in a function": in_a_function,
    "behind a guard": behind_a_guard,
    "contiguous": contiguous,
}
#: Programs whose cause is bound to the top level or to the text itself.
AS_THEY_STAND: Final = frozenset({"Annotations that are assigned", "A backslash before an empty line"})
PROGRAMS: Final = programs()


@pytest.mark.sampled(every=1)  # every program as it stands
@pytest.mark.parametrize(
    ("variant", "title"),
    [(variant, title) for variant in VARIANTS for title in PROGRAMS if title not in AS_THEY_STAND or variant == "as it stands"],
)
def test_a_program_is_told_what_is_marked(variant: str, title: str) -> None:
    text = VARIANTS[variant](PROGRAMS[title])
    assert reports(text) == expected(text), text
