"""Notebooks by the protocol: what is offered, pulled and pushed by cell, and what becomes of cells that are gone."""

from __future__ import annotations

import pytest

from tests.server.test_actions import actions, applied, position
from tests.server.test_diagnostics import pushing

IMPORTS = "import torch\nfrom torch import nn\n"
LAYER = "net = nn.Linear(16, 10)"
CALL = "%%time\nout = net(torch.randn(8, 12))"
LOG = "x = torch.randn(2, 3) * 1000\nz = torch.log(torch.softmax(x, dim=1))"
TEXTS = [IMPORTS, LAYER, CALL, LOG, LOG]


def cell_uri(path, number):
    return f"vscode-notebook-cell:{path.as_uri().removeprefix('file:')}#W{number}"


def opened(client, path, texts=TEXTS):
    """Open a notebook of Python cells; their addresses."""
    uris = [cell_uri(path, number) for number in range(len(texts))]
    items = [{"uri": uri, "languageId": "python", "version": 1, "text": text} for uri, text in zip(uris, texts, strict=True)]
    cells = [{"kind": 2, "document": uri} for uri in uris]
    document = {"uri": path.as_uri(), "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
    client.notify("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": items})
    return uris


def changed(client, path, version, **cells):
    identifier = {"uri": path.as_uri(), "version": version}
    client.notify("notebookDocument/didChange", {"notebookDocument": identifier, "change": {"cells": cells}})


def written(client, path, version, uri, text):
    document = {"uri": uri, "version": version}
    changed(client, path, version, textContent=[{"document": document, "changes": [{"text": text}]}])


def codes(report):
    return [item["code"] for item in report["items"]]


def test_the_server_asks_for_all_cells_of_notebooks(connect, tmp_path):
    client = connect(cwd=tmp_path)
    offered = client.start(tmp_path)["capabilities"]
    notebook = {"notebookType": "jupyter-notebook", "scheme": "file"}
    assert offered["notebookDocumentSync"]["notebookSelector"] == [{"notebook": notebook}]
    assert "notebook.source.fixAll.dllint" in offered["codeActionProvider"]["codeActionKinds"]


def test_a_cell_has_its_own_findings_fixes_and_hovers(client, tmp_path):
    path = tmp_path / "train.ipynb"
    uris = opened(client, path)
    assert codes(client.pull(uris[1])) == []
    (item,) = client.pull(uris[2])["items"]
    assert item["code"] == "DLT101"
    assert item["range"]["start"]["line"] == 1
    assert item["relatedInformation"][0]["location"]["uri"] == uris[1]
    fix, ignore, _ = actions(client, uris[2], item["range"]["start"], ["quickfix"], [item])
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uris[1], "version": 1}
    assert applied(LAYER, change["edits"]) == LAYER.replace("16", "12")
    assert ignore["edit"]["documentChanges"][0]["textDocument"] == {"uri": uris[2], "version": 1}
    params = {"textDocument": {"uri": uris[4]}, "position": position(LOG, "x =")}
    assert "[2, 3]" in client.request("textDocument/hover", params)["contents"]["value"]
    written(client, path, 2, uris[1], LAYER.replace("16", "12"))
    assert codes(client.pull(uris[2])) == []


@pytest.mark.parametrize(("kind", "cells"), [("source.fixAll.dllint", [3]), ("notebook.source.fixAll", [3, 4])])
def test_fixes_are_applied_to_a_cell_or_to_the_notebook(client, tmp_path, kind, cells):
    uris = opened(client, tmp_path / "train.ipynb")
    (action,) = actions(client, uris[3], {"line": 0, "character": 0}, [kind])
    changes = client.request("codeAction/resolve", action)["edit"]["documentChanges"]
    assert [change["textDocument"]["uri"] for change in changes] == [uris[number] for number in cells]
    assert all("log_softmax" in applied(LOG, change["edits"]) for change in changes)


def test_what_was_pushed_of_a_cell_is_taken_back_when_it_is_gone(connect, tmp_path):
    path = tmp_path / "train.ipynb"
    client = connect(cwd=tmp_path)
    client.start(tmp_path, pushing())
    uris = opened(client, path)
    assert [item["code"] for item in client.published(uris[2], 1)] == ["DLT101"]
    assert [item["code"] for item in client.published(uris[3], 1)] != []
    sent = len(client.messages)
    array = {"start": 2, "deleteCount": 1}
    changed(client, path, 2, structure={"array": array, "didOpen": [], "didClose": [{"uri": uris[2]}]})
    assert client.published(uris[2], after=sent) == []
    assert client.published(uris[3], 1, after=sent) != []
    sent = len(client.messages)
    identifiers = [{"uri": uri} for uri in uris if uri != uris[2]]
    client.notify("notebookDocument/didClose", {"notebookDocument": {"uri": path.as_uri()}, "cellTextDocuments": identifiers})
    assert client.published(uris[3], after=sent) == []


def test_notifications_that_fit_nothing_change_nothing(client, tmp_path):
    path = tmp_path / "train.ipynb"
    uris = opened(client, path)
    before = codes(client.pull(uris[2]))
    for array in ({"start": 99, "deleteCount": 9}, {"start": 5, "deleteCount": 0, "cells": [{"kind": 2, "document": "x:y"}]}):
        changed(client, path, 2, structure={"array": array, "didOpen": [], "didClose": [{"uri": "x:z"}]})
    changed(client, path, 3, textContent=[{"document": {"uri": "x:z", "version": 9}, "changes": [{"text": CALL}]}])
    changed(client, path, 4, data=[{"kind": 1, "document": "x:z"}])
    changed(client, tmp_path / "other.ipynb", 4, data=[{"kind": 1, "document": uris[2]}])
    client.replace(path.as_uri(), 5, "x = (")
    client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    client.open(path, "x = (")
    assert codes(client.pull(uris[2])) == before == ["DLT101"]
    assert codes(client.pull(path.as_uri())) == []


def test_who_pulls_files_only_is_sent_the_findings_of_cells(connect, tmp_path):
    path = tmp_path / "train.ipynb"
    client = connect(cwd=tmp_path)
    client.start(tmp_path)
    (tmp_path / "sizes.py").write_text("WIDTH = 12\n")
    uris = opened(client, path, [f"{IMPORTS}from sizes import WIDTH", "net = nn.Linear(WIDTH, 10)", CALL])
    assert client.published(uris[2], 1) == []
    sent = len(client.messages)
    sizes = client.open(tmp_path / "sizes.py", "WIDTH = 16\n")
    client.pull(sizes)
    assert [item["code"] for item in client.published(uris[2], 1, after=sent)] == ["DLT101"]
    sent = len(client.messages)
    assert codes(client.pull(uris[2])) == ["DLT101"]  # from now on it is asked for, and shown once
    assert client.published(uris[2], after=sent) == []
    written(client, path, 2, uris[2], f"{CALL}  # again")
    assert codes(client.pull(uris[2])) == ["DLT101"]
    assert all(
        message["params"]["diagnostics"] == [] for message in client.messages[sent:] if "publish" in message.get("method", "")
    )
