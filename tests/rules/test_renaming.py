"""No rule depends on how a local variable is called: with all of them renamed, Bad is still found and Good still silent."""

from __future__ import annotations

import libcst as cst
import pytest

from dllint.dev.index import rule_classes
from dllint.rules.rule import Rule
from tests.rules.harness import Page, expected, is_about_releases, mark_of, reports, told

by_code = pytest.mark.parametrize("rule", list(rule_classes()), ids=lambda rule: rule.code)


#: Rules whose evidence is what the program calls its data: nothing else says which rows a name was meant for.
BY_NAME = {"DLD109", "DLD107", "DLS208"}


class _Stored(cst.CSTVisitor):
    """The names that assignments and loops bind."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self._add(node.target)

    def visit_For(self, node: cst.For) -> None:
        self._add(node.target)

    def _add(self, target: cst.BaseExpression) -> None:
        if isinstance(target, cst.Name):
            self.names.add(target.value)
        elif isinstance(target, cst.Tuple):
            for element in target.elements:
                self._add(element.value)


class _Renamed(cst.CSTTransformer):
    """Local names get a neutral name; attributes and keywords keep theirs."""

    def __init__(self, names: set[str]) -> None:
        self.new = {name: f"v{number}" for number, name in enumerate(sorted(names))}

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=self.new.get(original_node.value, original_node.value))


def renamed(text: str) -> str:
    module = cst.parse_module(text)
    stored = _Stored()
    module.visit(stored)
    return module.visit(_Renamed(stored.names)).code


@by_code
def test_bad_and_good_under_other_names(rule: type[Rule]) -> None:
    page = Page.of(rule)
    for text in page.snippets("Bad") if rule.code not in BY_NAME else ():
        assert told(renamed(text), mark_of(rule), is_about_releases(rule)) == expected(text, mark_of(rule))
    for text in page.snippets("Good"):
        assert reports(renamed(text), is_about_releases(rule)) == []
