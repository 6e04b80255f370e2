"""Code actions: proved fixes, fix-all found out late, comments that silence."""

from __future__ import annotations

import copy

import pytest

from tests.server.strict_client import CAPABILITIES

UNSAFE = """\
import torch
from torch import nn

net = nn.Linear(16, 10)
out = net(torch.randn(8, 12))
"""
SAFE = """\
import torch

x = torch.randn(2, 3) * 1000
y = torch.sum(x, dim=1, keepdims=True)
z = torch.log(torch.softmax(x, dim=1))
"""


def position(text, part):
    before = text[: text.index(part)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def actions(client, uri, where, only=None, diagnostics=()):
    context = {"diagnostics": list(diagnostics), "triggerKind": 1}
    if only is not None:
        context["only"] = only
    params = {"textDocument": {"uri": uri}, "range": {"start": where, "end": where}, "context": context}
    return client.request("textDocument/codeAction", params)


def applied(text, edits):
    """A text (of ASCII) after the edits of one document."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(position):
        return starts[position["line"]] + position["character"]

    for edit in sorted(edits, key=lambda e: place(e["range"]["start"]), reverse=True):
        text = text[: place(edit["range"]["start"])] + edit["newText"] + text[place(edit["range"]["end"]) :]
    return text


def test_a_fix_that_changes_results_is_marked_and_not_preferred(client, tmp_path):
    uri = client.open(tmp_path / "net.py", UNSAFE)
    items = client.pull(uri)["items"]
    fix, ignore, in_file, why = actions(client, uri, position(UNSAFE, "net(torch"), ["quickfix"], items)
    assert fix["title"] == "Set in_features to 12 (unsafe)"
    assert "isPreferred" not in fix
    assert fix["diagnostics"] == items
    change = fix["edit"]["documentChanges"][0]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert applied(UNSAFE, change["edits"]) == UNSAFE.replace("16", "12")
    assert ignore["title"] == "Ignore DLT101 (layer-feature-size-mismatch) here"
    assert in_file["title"] == "Ignore DLT101 (layer-feature-size-mismatch) in this file"
    assert why["title"] == why["command"]["title"] == "Show why DLT101 was found"


def test_a_safe_fix_is_preferred(client, tmp_path):
    uri = client.open(tmp_path / "net.py", SAFE)
    client.pull(uri)
    fix = actions(client, uri, position(SAFE, "torch.log"), ["quickfix"])[0]
    assert fix["isPreferred"] is True
    assert "log_softmax" in applied(SAFE, fix["edit"]["documentChanges"][0]["edits"])


def test_nothing_is_offered_where_nothing_is_wrong(client, tmp_path):
    uri = client.open(tmp_path / "net.py", SAFE)
    client.pull(uri)
    assert actions(client, uri, {"line": 0, "character": 0}, ["quickfix"]) == []


def test_the_comment_silences_the_finding(client, tmp_path):
    uri = client.open(tmp_path / "net.py", UNSAFE)
    client.pull(uri)
    ignore = actions(client, uri, position(UNSAFE, "net(torch"), ["quickfix"])[1]
    text = applied(UNSAFE, ignore["edit"]["documentChanges"][0]["edits"])
    assert "12))  # dllint: ignore[DLT101]\n" in text
    client.replace(uri, 2, text)
    assert client.pull(uri)["items"] == []


def test_a_syntax_error_cannot_be_ignored(client, tmp_path):
    text = UNSAFE + "x = (\n"
    uri = client.open(tmp_path / "net.py", text)
    item = client.pull(uri)["items"][0]
    assert item["code"] == "syntax-error"
    assert actions(client, uri, item["range"]["start"], ["quickfix"]) == []
    assert actions(client, uri, {"line": 0, "character": 0}, ["quickfix"]) == []


@pytest.mark.parametrize(("line", "silenced"), [
    ("out = net(torch.randn(8, 12))  # a remark", "out = net(torch.randn(8, 12))  # a remark  # dllint: ignore[DLT101]"),
    ("out = net(torch.randn(8, 12))  # dllint: ignore[DLA]", "out = net(torch.randn(8, 12))  # dllint: ignore[DLA, DLT101]"),
    ("out = net(\\\n  torch.randn(8, 12))", "out = net(\\\n  torch.randn(8, 12))  # dllint: ignore[DLT101]"),
    ('out = net(torch.randn(8, 12)); s = """\n"""', 'out = net(torch.randn(8, 12)); s = """\n"""'),
])  # fmt: skip
def test_the_comment_stands_where_one_can(client, tmp_path, line, silenced):
    head = UNSAFE.split("out = ", maxsplit=1)[0]
    uri = client.open(tmp_path / "net.py", f"{head}{line}\n")
    item = client.pull(uri)["items"][0]
    offered = [a for a in actions(client, uri, item["range"]["start"], ["quickfix"]) if a["title"].endswith(" here")]
    edits = [edit for action in offered for edit in action["edit"]["documentChanges"][0]["edits"]]
    text = applied(f"{head}{line}\n", edits)
    assert text == f"{head}{silenced}\n"
    client.replace(uri, 2, text)
    left = [item["code"] for item in client.pull(uri)["items"] if item["code"] != "unused-suppression"]
    assert bool(left) is not bool(offered)


@pytest.mark.parametrize(("head", "silenced"), [
    ("", "# dllint: ignore-file[DLT101]\n"),
    ("#!/usr/bin/env python\n", "#!/usr/bin/env python\n# dllint: ignore-file[DLT101]\n"),
    ("#!/bin/python\n# coding: utf-8\n'text'\n", "#!/bin/python\n# coding: utf-8\n# dllint: ignore-file[DLT101]\n'text'\n"),
    ("# -*- coding: utf-8 -*-\n# mine\n", "# -*- coding: utf-8 -*-\n# dllint: ignore-file[DLT101]\n# mine\n"),
    ("# dllint: ignore-file[DLA]\n", "# dllint: ignore-file[DLA, DLT101]\n"),
    ("'''\n# dllint: ignore-file[DLA]\n'''\n", "# dllint: ignore-file[DLT101]\n'''\n# dllint: ignore-file[DLA]\n'''\n"),
])  # fmt: skip
def test_a_rule_is_silenced_in_a_file(client, tmp_path, head, silenced):
    uri = client.open(tmp_path / "net.py", head + UNSAFE)
    item = next(item for item in client.pull(uri)["items"] if item["code"] == "DLT101")
    offered = actions(client, uri, item["range"]["start"], ["quickfix"])
    (action,) = [action for action in offered if action["title"].endswith(" in this file")]
    text = applied(head + UNSAFE, action["edit"]["documentChanges"][0]["edits"])
    assert text == silenced + UNSAFE
    client.replace(uri, 2, text)
    assert "DLT101" not in [item["code"] for item in client.pull(uri)["items"]]


def test_a_comment_that_suppresses_nothing_is_removed(client, tmp_path):
    uri = client.open(tmp_path / "net.py", "import torch\nx = torch.zeros(3)  # dllint: ignore[DLT101] because\n")
    (item,) = client.pull(uri)["items"]
    assert (item["code"], item["severity"]) == ("unused-suppression", 3)
    (action,) = actions(client, uri, item["range"]["start"], ["quickfix"])
    assert action["title"] == "Remove the comment"
    edits = action["edit"]["documentChanges"][0]["edits"]
    client.replace(uri, 2, applied("import torch\nx = torch.zeros(3)  # dllint: ignore[DLT101] because\n", edits))
    assert client.pull(uri)["items"] == []


def test_fix_all_is_found_out_when_it_is_chosen(client, tmp_path):
    uri = client.open(tmp_path / "net.py", SAFE)
    client.pull(uri)
    (action,) = actions(client, uri, {"line": 0, "character": 0}, ["source.fixAll"])
    assert action["kind"] == "source.fixAll.dllint"
    assert "edit" not in action
    resolved = client.request("codeAction/resolve", action)
    text = applied(SAFE, resolved["edit"]["documentChanges"][0]["edits"])
    client.replace(uri, 2, text)
    assert client.pull(uri)["items"] == []
    assert "log_softmax" in text


def test_an_action_that_was_offered_for_another_text_is_refused(client, tmp_path):
    uri = client.open(tmp_path / "net.py", SAFE)
    client.pull(uri)
    (action,) = actions(client, uri, {"line": 0, "character": 0}, ["source.fixAll"])
    client.replace(uri, 2, "# a line above\n" + SAFE)
    answer = client.answer(client.ask("codeAction/resolve", action))
    assert answer["error"]["code"] == -32801
    assert client.sent("window/logMessage") == []
    (again,) = actions(client, uri, {"line": 0, "character": 0}, ["source.fixAll"])
    resolved = client.request("codeAction/resolve", again)
    assert [change["textDocument"]["version"] for change in resolved["edit"]["documentChanges"]] == [2]


def test_an_editor_that_resolves_nothing_gets_fix_all_at_once(connect, tmp_path):
    capabilities = copy.deepcopy(CAPABILITIES)
    del capabilities["textDocument"]["codeAction"]["resolveSupport"]
    del capabilities["workspace"]["workspaceEdit"]
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capabilities)
    uri = client.open(tmp_path / "net.py", SAFE)
    (action,) = actions(client, uri, {"line": 0, "character": 0}, ["source.fixAll.dllint"])
    assert "log_softmax" in applied(SAFE, action["edit"]["changes"][uri])


def test_other_kinds_are_left_to_others(client, tmp_path):
    uri = client.open(tmp_path / "net.py", UNSAFE)
    client.pull(uri)
    assert actions(client, uri, position(UNSAFE, "net(torch"), ["refactor", "source.organizeImports"]) == []
