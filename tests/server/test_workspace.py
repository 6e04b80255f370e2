"""Several files, folders and settings, and how the editor counts columns."""

from __future__ import annotations

import copy

import pytest

from dllint.source.data.plain import HEADED, SUFFIXES
from tests.server.strict_client import CAPABILITIES
from tests.server.test_actions import actions
from tests.server.test_diagnostics import NET, pushing
from tests.server.test_lookup import hover

MODEL = NET.split("\n\nnet = Net()")[0].replace("16", "12")
MAIN = """\
import torch
from model import Net

print(Net()(torch.randn(8, 12)))
"""


def codes(report):
    return [item["code"] for item in report["items"]]


def changed(client, path, kind=2):
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def test_importing_files_see_what_is_not_saved(client, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "main.py").write_text(MAIN)
    model, main = client.open(tmp_path / "model.py"), client.open(tmp_path / "main.py")
    assert codes(client.pull(main)) == []
    client.replace(model, 2, MODEL.replace("12", "13"))
    assert codes(client.pull(main)) == ["DLT101"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": model}})
    assert codes(client.pull(main)) == []


def test_who_is_pushed_to_hears_of_importing_files_too(connect, tmp_path):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, pushing())
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "main.py").write_text(MAIN)
    model, main = client.open(tmp_path / "model.py"), client.open(tmp_path / "main.py")
    assert client.published(main) == []
    sent = len(client.messages)
    client.replace(model, 2, MODEL.replace("12", "13"))
    assert [item["code"] for item in client.published(main, after=sent)] == ["DLT101"]


def test_a_change_on_disk_is_seen(client, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "main.py").write_text(MAIN)
    main = client.open(tmp_path / "main.py")
    report = client.pull(main)
    (tmp_path / "model.py").write_text(MODEL.replace("12", "13"))
    changed(client, tmp_path / "model.py")
    assert codes(client.pull(main, report["resultId"])) == ["DLT101"]
    assert client.sent("workspace/diagnostic/refresh")
    (tmp_path / "model.py").unlink()
    changed(client, tmp_path / "model.py", kind=3)
    assert codes(client.pull(main)) == []


def test_a_data_file_that_a_program_reads_is_read_anew(client, tmp_path):
    text = "import json\n\nimport torch\n\nN = json.load(open('sizes.json'))['n']\ntorch.ones(3, N) @ torch.ones(4, 2)\n"
    uri = client.open(tmp_path / "net.py", text)
    assert codes(client.pull(uri)) == []
    for content, expected in (('{"n": 5}', ["DLT109"]), ('{"n": 4}', []), ('{"n": 5}', ["DLT109"]), (None, [])):
        if content is None:
            (tmp_path / "sizes.json").unlink()
        else:
            (tmp_path / "sizes.json").write_text(content)
        changed(client, tmp_path / "sizes.json")
        assert codes(client.pull(uri)) == expected


def test_the_configuration_file_is_watched(client, tmp_path):
    registered = client.wait(lambda m: m.get("method") == "client/registerCapability")["params"]["registrations"]
    patterns = {watcher["globPattern"] for watcher in registered[0]["registerOptions"]["watchers"]}
    settings = {"**/pyproject.toml", "**/dllint.toml", "**/.dllint.toml"}
    assert patterns == {*settings, "**/*.py", *(f"**/*{ending}" for ending in (*SUFFIXES, *HEADED))}
    uri = client.open(tmp_path / "net.py", NET)
    assert codes(client.pull(uri)) == ["DLT101"]
    (tmp_path / "dllint.toml").write_text("ignore = ['DLT101']\n")
    changed(client, tmp_path / "dllint.toml", kind=1)
    assert codes(client.pull(uri)) == []


def test_the_editors_settings_win_and_can_change(connect, tmp_path):
    (tmp_path / "dllint.toml").write_text("ignore = ['DLT101']\n")
    client = connect(cwd=tmp_path, settings={"configuration": {"ignore": []}})
    client.start(tmp_path)
    uri = client.open(tmp_path / "net.py", NET)
    assert codes(client.pull(uri)) == ["DLT101"]
    client.settings = {"enable": False}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait(lambda m: m.get("method") == "workspace/diagnostic/refresh", after=len(client.messages) - 1)
    assert codes(client.pull(uri)) == []


def test_settings_of_an_editor_that_is_not_asked(connect, tmp_path):
    capabilities = pushing()
    del capabilities["workspace"]["configuration"]
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capabilities, options={"settings": {"select": ["DLS"]}})
    uri = client.open(tmp_path / "net.py", NET)
    assert client.published(uri) == []
    sent = len(client.messages)
    client.notify("workspace/didChangeConfiguration", {"settings": {"dllint": {"configuration": {"select": ["DLT"]}}}})
    assert [item["code"] for item in client.published(uri, after=sent)] == ["DLT101"]


def test_settings_that_cannot_be_used_are_told(connect, tmp_path):
    client = connect(cwd=tmp_path, settings={"inlayHints": {"shapes": "yes"}, "configuration": {"selekt": []}})
    client.start(tmp_path)
    client.pull(client.open(tmp_path / "net.py", NET))
    logged = "\n".join(message["params"]["message"] for message in client.sent("window/logMessage"))
    assert "`dllint.inlayHints.shapes` must be true or false" in logged
    shown = [message["params"]["message"] for message in client.sent("window/showMessage")]
    assert shown == ["dllint: the editor setting `dllint.configuration`: unknown setting `selekt`; did you mean `select`?"]


def test_every_folder_has_settings_of_its_own(connect, tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "net.py").write_text(NET)
    (tmp_path / "b" / "pyproject.toml").write_text("[tool.dllint]\nignore = ['DLT101']\n")
    folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in ("a", "b")]
    settings = {"folders": {(tmp_path / "a").as_uri(): {"configuration": {"severity": {"DLT101": "info"}}}}}
    client = connect(cwd=tmp_path, settings=settings)
    client.start(tmp_path / "a", workspaceFolders=folders)
    a, b, c = (client.open(tmp_path / name / "net.py") for name in ("a", "b", "c"))
    assert [item["severity"] for item in client.pull(a)["items"]] == [3]
    assert codes(client.pull(b)) == []
    assert [item["severity"] for item in client.pull(c)["items"]] == [1]
    event = {"added": [], "removed": folders[:1]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    client.wait(lambda m: m.get("method") == "workspace/diagnostic/refresh", after=len(client.messages) - 1)
    assert [item["severity"] for item in client.pull(a)["items"]] == [1]


WIDE = """\
import torch
a = "😀é"; x = torch.randn(8, 12); b = "漢字😀"; y = torch.nn.Linear(16, 10)(x)  # 😀
"""


@pytest.mark.parametrize(("encoding", "offered", "width"), [
    ("utf-8", ["utf-8", "utf-16"], lambda text: len(text.encode())),
    ("utf-16", None, lambda text: len(text.encode("utf-16-le")) // 2),
    ("utf-32", ["utf-7", "utf-32"], len),
])  # fmt: skip
def test_columns_are_counted_as_agreed(connect, tmp_path, encoding, offered, width):
    capabilities = copy.deepcopy(CAPABILITIES)
    capabilities["general"] = {} if offered is None else {"positionEncodings": offered}
    client = connect(cwd=tmp_path)
    assert client.start(tmp_path, capabilities)["capabilities"]["positionEncoding"] == encoding
    uri = client.open(tmp_path / "net.py", WIDE)
    line = WIDE.splitlines()[1]

    def column(part):
        return width(line[: line.index(part)])

    item = client.pull(uri)["items"][0]
    assert item["range"]["start"] == {"line": 1, "character": column("torch.nn")}
    assert item["range"]["end"] == {"line": 1, "character": column("  # 😀")}
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    assert "y: f32[8, 10]" in hover(client, uri, {"line": 1, "character": column("y = ")})["contents"]["value"]
    fix = actions(client, uri, item["range"]["start"], ["quickfix"])[0]
    edit = fix["edit"]["documentChanges"][0]["edits"][0]
    assert edit["range"]["start"]["character"] == column("16, 10")
    client.edit(uri, 2, (1, column("16, 10")), (1, column(", 10)")), "12")
    assert codes(client.pull(uri)) == []
    client.edit(uri, 3, (1, column("😀é")), (1, column('é"; x')), "ab\f")
    assert codes(client.pull(uri)) == []


def test_lines_end_where_python_and_the_protocol_say(client, tmp_path):
    text = NET.replace("\n", "\r\n").replace("import torch\r\n", "import torch\f # \u2028\r\n")
    uri = client.open(tmp_path / "net.py", text)
    item = client.pull(uri)["items"][0]
    assert item["range"]["start"] == {"line": 10, "character": 15}
    fix = actions(client, uri, item["range"]["start"], ["quickfix"])[0]
    (edit,) = fix["edit"]["documentChanges"][0]["edits"]
    start, end = {"line": 7, "character": 28}, {"line": 7, "character": 30}
    assert edit == {"range": {"start": start, "end": end}, "newText": "12"}
    client.edit(uri, 2, (7, 28), (7, 30), "12")
    assert codes(client.pull(uri)) == []
