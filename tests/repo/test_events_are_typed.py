"""Events are made of classes with typed fields, and read by their fields: no kind and no field of an event is a string."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dllint.ir import events
from dllint.ir.program import Event
from tests.repo.trees import nodes_of, text_of, tree_of

ROOT = Path(__file__).parents[2]
#: What makes events: methods of the interpreter, as it is and as library protocols see it.
MAKERS = ("m", "machine")


def offences(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions that take an event for a table, or name its kind or fields by strings."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and is_maker(node.func):
            unnamed = any(keyword.arg is None for keyword in node.keywords)
            if unnamed or len(node.args) != 1 or isinstance(node.args[0], ast.Constant | ast.JoinedStr):
                yield node
        elif (isinstance(node, ast.Subscript) and is_data(node.value) and is_text(node.slice)) or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
            and is_data(node.func.value)
            and node.args
            and is_text(node.args[0])
        ):
            yield node


def is_maker(function: ast.expr) -> bool:
    """Whether something called is ``machine.event`` or ``m.event``."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "event"
        and isinstance(function.value, ast.Name)
        and function.value.id in MAKERS
    )


def is_data(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "data"


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize(
    "text",
    [
        'm.event("fit", model=model)',
        'machine.event(f"{word}_grad", target=x)',
        "machine.event(Fit, **facts)",
        "machine.event(Fit, model)",
        'event.data["model"]',
        'item.data.get("model")',
        'use(next(e for e in found).data["model"])',
    ],
)
def test_string_keyed_data_is_found(text):
    assert len(list(offences(ast.parse(text)))) == 1


@pytest.mark.parametrize(
    "text",
    ["m.event(Fit, model=model)", "m.event(Eval if off else Train, target=x)", "x.data[0]", "event.model", "m.events('a')"],
)
def test_typed_events_and_data_of_tensors_are_not(text):
    assert list(offences(ast.parse(text))) == []


def test_no_event_has_string_keyed_data():
    paths = sorted(path for folder in ("dllint", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
    found = [f"{path.relative_to(ROOT)}:{node.lineno}" for path in paths for node in offences(tree_of(path))]
    assert found == []


def test_only_the_interpreter_makes_events():
    """Whoever calls a class of events itself would have to know the place, which the interpreter adds."""
    names = {name for name, value in vars(events).items() if isinstance(value, type) and issubclass(value, Event)}
    found = []
    for path in sorted((ROOT / "dllint").rglob("*.py")):
        text = text_of(path)
        if "ir.events" in text or "ir import events" in text:
            calls = (node for node in nodes_of(tree_of(path)) if isinstance(node, ast.Call))
            found += [f"{path.relative_to(ROOT)}:{call.lineno}" for call in calls if last_name(call.func) in names]
    assert found == []


def last_name(node: ast.expr) -> str:
    """``Fit`` of ``Fit`` and of ``events.Fit``."""
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.value, ast.Name) and node.value.id == "events" else ""
    return node.id if isinstance(node, ast.Name) else ""
