"""Edits of calls in installed code: the edited file must be the syntax tree with exactly that change."""

import ast
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import libcst as cst
import pytest

from dllint.fixes import arguments, calls
from dllint.ir.program import Site
from dllint.source.document import Document
from dllint.source.positions import nested

from .conftest import applied

FILES = sorted(Path(cst.__file__).parent.glob("codemod/**/*.py"))[::4]
opened = cache(Document.open)


def calls_of(document: Document) -> Iterator[tuple[Site, ast.Call, ast.Module]]:
    """A few calls of a document, each with its counterpart in a fresh syntax tree of the interpreter."""
    found = []
    for top in document.body:
        for statement in (top, *nested(top)):
            todo = list(statement.children) if isinstance(statement, cst.SimpleStatementLine) else []
            while todo:
                node = todo.pop()
                found += [Site(document, statement, node)] if isinstance(node, cst.Call) else []
                todo += node.children
    for site in random.Random(len(document.text)).sample(found, min(4, len(found))):
        span = document.span(site.statement, site.node)
        tree = ast.parse(document.text)
        place = (span.first.line, span.first.column - 1, span.last.line, span.last.column - 1)
        same = [
            c
            for c in ast.walk(tree)
            if isinstance(c, ast.Call) and place == (c.lineno, c.col_offset, c.end_lineno, c.end_col_offset)
        ]
        assert len(same) == 1
        yield site, same[0], tree


def add_keyword(site, call, tree):
    call.keywords.append(ast.keyword("new", ast.Constant(1)))
    return arguments.add_keyword(site, site.node, "new", "1"), tree


def add_positional(site, call, tree):
    edits = arguments.add_positional(site, site.node, "1")
    if edits:
        call.args.append(ast.Constant(1))
    return edits, tree


def remove_argument(site, call, tree):
    given = site.node.args
    if not given or any(arg.star == "*" for arg in given):
        return (), tree
    number = len(site.document.text) % len(given)
    edits = arguments.remove_argument(site, site.node, given[number])
    if number < len(call.args):
        del call.args[number]
    else:
        del call.keywords[number - len(call.args)]
    return edits, tree


def wrap(site, call, tree):
    edits = calls.wrap(site, site.node, "wrapped")
    inner = ast.Call(call.func, call.args, call.keywords)
    call.func, call.args, call.keywords = ast.Name("wrapped", ast.Load()), [inner], []
    return edits, tree


class Unwrapped(ast.NodeTransformer):
    def __init__(self, call):
        self.call = call

    def visit(self, node):
        return self.call.args[0] if node is self.call else super().visit(node)


def unwrap(site, call, tree):
    given = site.node.args
    if not given or given[0].keyword or given[0].star:
        return (), tree
    return calls.unwrap(site, site.node, given[0].value), Unwrapped(call).visit(tree)


@pytest.mark.parametrize("change", [add_keyword, add_positional, remove_argument, wrap, unwrap])
def test_an_edit_changes_the_tree_as_it_says(change):
    count = 0
    for path in FILES:
        document = opened(path)
        if not document.text.isascii():
            continue  # the interpreter counts columns in bytes
        for site, call, tree in calls_of(document):
            edits, expected = change(site, call, tree)
            assert ast.dump(ast.parse(applied(document.text, edits))) == ast.dump(expected), document.path
            count += 1
    assert count > 20
