"""Runs of bisect and diagnose by command: progress, findings on their lines, cancelling, failing."""

from __future__ import annotations

import copy
import json
import os
import shlex
import sys
import time
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest

from tests.server.strict_client import CAPABILITIES
from tests.server.test_diagnostics import NET

#: A graph of plain functions: `scale` is another one in the candidate. It needs numpy alone.
SPEC = """\
from pathlib import Path

import numpy as np

from dllint.bisection.graph import Graph, Node, Place
from dllint.bisection.protocols import Observable

ME = Path(__file__)
NAMES = ("shift", "scale", "squash")


class Model:
    def __init__(self, factor):
        self.steps = {
            "shift": lambda x: x + 1.0,
            "scale": lambda x: x * np.array(factor),  # the operator
            "squash": lambda x: np.tanh(x),
        }
        line = 1 + next(i for i, text in enumerate(ME.read_text().splitlines()) if "# the operator" in text)
        nodes = [Node("x", "placeholder", shape=(3,))]
        for name in NAMES:
            place = Place(ME, line, 13) if name == "scale" else None
            nodes.append(Node(name, "op", (nodes[-1].name,), place=place, shape=(3,)))
        self.graph = Graph(tuple(nodes), ("x",), ("squash",))
        self.observables = [Observable(name) for name in NAMES]
        self.outputs = ["squash"]


class Reference(Model):
    def run(self, inputs, injected, wanted):
        values = {**inputs, **injected}
        last = "x"
        for name in NAMES:
            if name not in values and last in values:
                values[name] = self.steps[name](values[last])
            last = name
        return {name: values[name] for name in wanted}


class Candidate(Model):
    def run(self, inputs, wanted):
        return Reference.run(self, inputs, {}, wanted)


reference = Reference([1.0, 1.0, 1.0])
candidate = Candidate([-1.0, 1.0, 1.0])


def samples():
    generator = np.random.default_rng(0)
    x = generator.normal(size=(512, 3)).astype("float32")
    return [(row, int(np.argmax(row))) for row in x]


def per_sample(outputs, targets):
    return outputs.argmax(1) == targets
"""

#: Stands for an interpreter: `-P -m dllint TOOL … TARGET` is what it is called with.
STAND_IN = """\
import json, os, subprocess, sys, time
from pathlib import Path

arguments = sys.argv[1:]
assert arguments[:3] == ["-P", "-m", "dllint"], arguments
value = lambda name: arguments[arguments.index(name) + 1]
Path(os.environ["CALLED"]).write_text(json.dumps({"arguments": arguments, "folder": os.getcwd()}))
events = open(value("--events"), "w")
print(json.dumps({"event": "started", "version": 1}), file=events, flush=True)
print("said by the script")
time.sleep(0.5)
print(json.dumps({"event": "progress", "record": {"step": 7, "seconds": 2.0, "loss": 0.25}}), file=events, flush=True)
time.sleep(0.5)
trial = {"repair": 1, "repairs": 2, "message": "Train it"}
print(json.dumps({"event": "trial-started", "record": trial}), file=events, flush=True)
time.sleep(0.5)
script = next(a for a in arguments if a.endswith(".py"))
if "hang" in arguments:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(os.environ["CALLED"]).write_text(json.dumps({"grandchild": child.pid}))
    time.sleep(600)
if "fail" in arguments:
    print("Traceback (most recent call last):\\nKeyError: 3\\nerror: the script does not train.", file=sys.stderr)
    sys.exit(2)
finding = {
    "code": "DLX105", "name": "unchanged-weight", "message": "It is never trained", "severity": "warning",
    "filename": script, "location": {"row": 8, "column": 9}, "end_location": {"row": 8, "column": 36},
}
place = lambda row, column: {"row": row, "column": column}
edit = lambda row, first, last, content: {
    "filename": script, "location": place(row, first), "end_location": place(row, last), "content": content
}
fix = lambda message, *edits, tested=True, recommended=False: {
    "message": message, "edits": edits, "tested": tested, "recommended": recommended,
    "measure": "accuracy", "before": "nan", "after": 0.9,
}
if "fixes" in arguments:
    finding["fixes"] = [
        fix("Narrow", edit(8, 19, 28, "nn.Conv2d"), edit(1, 1, 1, "import os\\n"), recommended=True),
        fix("Widen", edit(8, 19, 28, "nn.Linear"), tested=False, recommended=False),
        fix("Break", edit(8, 19, 28, "nn.("), recommended=True),
        fix("Useless", edit(8, 19, 28, "nn.Tanh")),
    ]
if "page" in arguments:
    Path(value("--html")).write_text("<!doctype html><p>the curves</p>")
Path(value("--output-file")).write_text(json.dumps([finding]))
sys.exit(1)
"""


def capable(pulls=True):
    capabilities = copy.deepcopy(CAPABILITIES)
    capabilities["window"] = {"workDoneProgress": True}
    if not pulls:
        del capabilities["textDocument"]["diagnostic"]
    return capabilities


def begin(client, command, *arguments):
    return client.ask("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def told(client, *kinds):
    values = [message["params"]["value"] for message in client.sent("$/progress")]
    return [value.get("message") or value.get("title") for value in values if not kinds or value["kind"] in kinds]


def lines_of(items, source):
    return [item["range"]["start"]["line"] for item in items if item["source"] == source]


@pytest.fixture
def python(tmp_path, monkeypatch):
    """The command line of the stand-in."""
    called = tmp_path / "called.json"
    monkeypatch.setenv("CALLED", str(called))
    (tmp_path / "stand_in.txt").write_text(STAND_IN)
    return [sys.executable, str(tmp_path / "stand_in.txt")]


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "work" / "train.py"
    path.parent.mkdir()
    path.write_text(NET)
    return path


def test_a_spec_is_bisected_and_its_culprit_stands_on_its_line(connect, tmp_path):
    spec = tmp_path / "spec.py"
    spec.write_text(SPEC)
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable())
    uri = client.open(spec)
    answer = client.answer(begin(client, "dllint.bisect", uri), 120)
    assert answer.get("result") == {"status": 1, "findings": 1}, client.sent("window/showMessage")
    (item,) = client.pull(uri)["items"]
    line = next(i for i, text in enumerate(SPEC.splitlines()) if "# the operator" in text)
    assert (item["source"], item["range"]["start"]) == ("dllint bisect", {"line": line, "character": 12})
    assert item["message"].startswith("scale costs ")
    assert told(client, "begin") == ["Bisecting spec.py"]
    assert told(client, "end") == ["done"]
    assert any(text.endswith(" …") for text in told(client, "report"))
    assert "culprits: spec.py" in client.sent("window/showMessage")[-1]["params"]["message"]


def test_findings_join_those_of_the_text_and_go_with_their_lines(connect, tmp_path, script, python, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    client = connect(cwd=tmp_path, settings={"interpreter": python})
    client.start(tmp_path, capable())
    uri = client.open(script)
    client.pull(uri)
    answer = client.answer(begin(client, "dllint.diagnose", uri, ["--epochs", "3"]))
    assert answer["result"] == {"status": 1, "findings": 1}
    called = json.loads((tmp_path / "called.json").read_text())
    assert called["arguments"][-3:] == [str(script), "--epochs", "3"]
    assert called["folder"] == str(tmp_path)
    assert "step 7, loss 0.25, 2 s" in told(client, "report")
    assert "trying repair 1 of 2: Train it" in told(client, "report")
    assert client.sent("workspace/diagnostic/refresh")
    items = client.pull(uri)["items"]
    assert [(item["source"], item["code"]) for item in items] == [("dllint", "DLT101"), ("dllint diagnose", "DLX105")]
    assert items[1]["range"] == {"start": {"line": 7, "character": 8}, "end": {"line": 7, "character": 35}}
    assert text_at(items[0]["codeDescription"]["href"]).startswith("# DLT101: ")
    assert "# DLX105: weights-unchanged-or-unstable" in text_at(items[1]["codeDescription"]["href"])
    client.edit(uri, 2, (0, 0), (0, 0), "# a line before\n")
    assert lines_of(client.pull(uri)["items"], "dllint diagnose") == [8]
    client.edit(uri, 3, (8, 28), (8, 30), "12")
    assert lines_of(client.pull(uri)["items"], "dllint diagnose") == []
    client.replace(uri, 4, NET)
    assert lines_of(client.pull(uri)["items"], "dllint diagnose") == [7]
    client.request("workspace/executeCommand", {"command": "dllint.clearRuns"})
    assert lines_of(client.pull(uri)["items"], "dllint diagnose") == []


def text_at(uri):
    return Path(url2pathname(urlparse(uri).path)).read_text(encoding="utf-8")


@pytest.mark.parametrize("shows_pages", [True, False])
def test_the_report_of_a_run_is_a_page(connect, tmp_path, script, python, monkeypatch, shows_pages):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    client = connect(cwd=tmp_path)
    client.start(tmp_path, {**capable(), "experimental": {"dllintPages": shows_pages}})
    result = client.answer(begin(client, "dllint.diagnose", script.as_uri(), ["page"], python))["result"]
    message = client.sent("window/showMessage")[-1]["params"]["message"]
    assert message.startswith("dllint diagnose: train.py:8: It is never trained")
    if shows_pages:
        expected = {"title": "Diagnosis of train.py", "html": "<!doctype html><p>the curves</p>"}
        assert result == {"status": 1, "findings": 1, **expected}
    else:
        assert result.keys() == {"status", "findings", "page"}
        assert text_at(result["page"]) == "<!doctype html><p>the curves</p>"
        assert message.endswith(f"\nThe report is {result['page']}")


def quick_fixes(client, uri, line):
    where = {"line": line, "character": 10}
    context = {"diagnostics": [], "only": ["quickfix"]}
    params = {"textDocument": {"uri": uri}, "range": {"start": where, "end": where}, "context": context}
    fixes = client.request("textDocument/codeAction", params)
    return [fix for fix in fixes if fix.get("diagnostics") and fix["diagnostics"][0]["source"] == "dllint diagnose"]


def test_repairs_of_a_run_are_quick_fixes_while_their_lines_are_as_they_were(connect, tmp_path, script, python):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable())
    uri = client.open(script)
    client.pull(uri)
    assert client.answer(begin(client, "dllint.diagnose", uri, ["fixes"], python))["result"]["findings"] == 1
    item = next(item for item in client.pull(uri)["items"] if item["source"] == "dllint diagnose")
    first, second = quick_fixes(client, uri, 7)
    assert [first["title"], second["title"]] == ["Narrow (accuracy nan → 0.9)", "Widen (not tried)"]
    assert (first["isPreferred"], second.get("isPreferred")) == (True, None)
    assert first["diagnostics"] == [item]
    client.edit(uri, 2, (3, 0), (3, 0), "# a line before\n")
    change = quick_fixes(client, uri, 8)[0]["edit"]["documentChanges"][0]
    assert change["textDocument"] == {"uri": uri, "version": 2}
    lines = [edit["range"]["start"]["line"] for edit in change["edits"]]
    assert lines == [0, 8]
    assert quick_fixes(client, uri, 5) == []
    client.edit(uri, 3, (0, 0), (0, 0), "#")
    assert [fix["title"] for fix in quick_fixes(client, uri, 8)] == ["Widen (not tried)"]
    client.edit(uri, 4, (9, 0), (9, 0), "x = (\n")
    assert quick_fixes(client, uri, 8) == []


def test_who_is_pushed_to_hears_of_runs_also_of_closed_files(connect, tmp_path, script, python):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable(pulls=False))
    uri = script.as_uri()
    client.answer(begin(client, "dllint.diagnose", uri, [], python))
    assert lines_of(client.published(uri), "dllint diagnose") == [7]
    client.open(script)
    assert [item["source"] for item in client.published(uri, 1)] == ["dllint", "dllint diagnose"]
    sent = len(client.messages)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert [item["source"] for item in client.published(uri, after=sent)] == ["dllint diagnose"]


@pytest.mark.skipif(sys.platform == "win32", reason="asks for process groups")
@pytest.mark.parametrize("by_progress", [True, False])
def test_a_run_is_cancelled_with_all_it_has_started(connect, tmp_path, script, python, by_progress):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable())
    number = begin(client, "dllint.diagnose", script.as_uri(), ["hang"], python)
    client.wait(lambda m: m.get("method") == "$/progress" and "step 7" in str(m))
    grandchild = pid_in(tmp_path / "called.json")
    second = client.answer(begin(client, "dllint.bisect", script.as_uri(), [], python))
    assert second["result"] is None
    assert "running already" in client.sent("window/showMessage")[-1]["params"]["message"]
    if by_progress:
        token = client.sent("window/workDoneProgress/create")[0]["params"]["token"]
        client.notify("window/workDoneProgress/cancel", {"token": token})
        assert client.answer(number)["result"] is None
    else:
        client.notify("$/cancelRequest", {"id": number})
        assert client.answer(number)["error"]["code"] == -32800
    client.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"].get("message") == "cancelled")
    assert ends(grandchild)


def test_a_run_that_goes_on_ends_with_the_server(connect, tmp_path, script, python):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable())
    begin(client, "dllint.diagnose", script.as_uri(), ["hang"], python)
    grandchild = pid_in(tmp_path / "called.json")
    assert client.stop() == 0
    assert ends(grandchild)


def test_what_failed_is_told_in_the_tools_last_line(connect, tmp_path, script, python):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable())
    (tmp_path / "spec.py").write_text("candidate = 1\n")
    cases = [
        (["dllint.diagnose", script.as_uri(), ["fail"], python], "dllint diagnose: the script does not train. KeyError: 3"),
        (["dllint.diagnose", script.as_uri(), [], ["/no/python"]], "cannot start /no/python"),
        (["dllint.bisect", (tmp_path / "none.py").as_uri()], "there is no file"),
        (["dllint.bisect", (tmp_path / "spec.py").as_uri()], "no `reference`"),
    ]
    for (command, *arguments), text in cases:
        assert client.answer(begin(client, command, *arguments), 60)["result"] is None
        assert text in client.sent("window/showMessage")[-1]["params"]["message"]


#: What interpreters of each release say to an option that only later ones know; others are installed at times.
USAGE = "usage: python [option] ... [-c cmd | -m mod | file | -] [arg] ..."
OLD = {
    "2.7": f"Unknown option: -P\n{USAGE}\nTry `python -h' for more information.",
    "3.10": f"Unknown option: -P\n{USAGE}",
    "conda": f"Unknown option: -P\n{USAGE}\n\nERROR conda.cli.main_run:execute(124): `conda run` failed. (See above)",
}


@pytest.mark.parametrize("release", OLD)
@pytest.mark.parametrize("tool", ["dllint.diagnose", "dllint.bisect"])
def test_an_interpreter_that_is_too_old_is_said_to_be(connect, tmp_path, script, release, tool):
    old = tmp_path / "python"
    told = "\n".join(f"echo {shlex.quote(line)} >&2" for line in OLD[release].split("\n"))
    old.write_text(f"#!/bin/sh\n{told}\nexit 2\n")
    old.chmod(0o755)
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capable())
    assert client.answer(begin(client, tool, script.as_uri(), [], [str(old)]), 60)["result"] is None
    message = client.sent("window/showMessage")[-1]["params"]["message"]
    assert message.endswith(f"the interpreter {old} is older than Python 3.11, which dllint needs")


def pid_in(path):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists() and "grandchild" in (text := path.read_text()):
            return json.loads(text)["grandchild"]
        time.sleep(0.05)
    raise TimeoutError(path)


def ends(process):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
            if "\nState:\tZ" in Path(f"/proc/{process}/status").read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
