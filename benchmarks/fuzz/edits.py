"""Random edits through the language server, with a client that forgives nothing."""

from __future__ import annotations

import copy
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.editor.edits import children
from benchmarks.editor.model_edits import model_file
from benchmarks.fuzz.corpus import tensor_code
from benchmarks.fuzz.editor_client import PATIENCE, Account
from benchmarks.fuzz.editor_text import back, edit, holds, position
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report, Trouble
from dllint.config.discovery import Configuration
from dllint.engine.results import SYNTAX_ERROR
from dllint.engine.session import Session
from dllint.finding import Severity
from tests.server.strict_client import CAPABILITIES

#: Edits of one document, and how many are sent before all answers are waited for.
_PER_DOCUMENT: Final = 150
_PER_ROUND: Final = 12
#: Documents of one server; every other server pushes its diagnostics.
_PER_SERVER: Final = 5
_LARGEST: Final = 6_000
_HINT: Final = 4
_LOST: Final = -32800
_REFUSED: Final = (-32600, -32601, -32602, -32801, -32802, _LOST)
_ODD: Final[tuple[Any, ...]] = (
    None,
    {},
    [],
    3,
    "x",
    {"textDocument": None},
    {"textDocument": {"uri": "?"}, "position": {"line": -1, "character": 2**40}},
    {"command": "dllint.printProgram"},
    {"command": "no", "arguments": [1]},
    {"data": {"uri": 3}, "title": "a"},
)
_METHODS: Final = (
    "textDocument/hover",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "textDocument/diagnostic",
    "codeAction/resolve",
    "workspace/executeCommand",
)
#: What the server does not offer is refused, and answered.
_NOT_OFFERED: Final = (
    "textDocument/definition",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/rename",
    "textDocument/references",
    "textDocument/completion",
    "workspace/symbol",
    "textDocument/foldingRange",
)


def run(options: Options) -> Report:
    """Make ``count`` edits."""
    report = Report("edits", options.seed)
    if options.peers is None:
        report.absent.append("public files (--peers)")
    texts = _texts(options)
    server = 0
    while report.counts["edits"] < options.count and not options.is_over:
        seed = f"{options.seed}.{server}"
        with tempfile.TemporaryDirectory() as folder:
            _Conversation(report, seed, Path(folder).resolve(), texts, options.count, pushes=bool(server % 2)).run()
        server += 1
    return report


def _texts(options: Options) -> Iterator[str]:
    random = Random(options.seed)
    own = [model_file(lines) for lines in (60, 120)]
    if options.peers is None:
        while True:
            yield random.choice(own)
    for number, path in enumerate(tensor_code(options.peers, random)):
        text = path.read_bytes().decode("utf-8", "replace")
        if len(text) <= _LARGEST:
            yield own[number % 2] if number % 10 == 0 else text


@dataclass(slots=True)
class _Conversation:
    """One server, and the documents that are edited in it one after the other."""

    report: Report
    seed: str
    folder: Path
    texts: Iterator[str]
    count: int
    pushes: bool
    random: Random = field(init=False)
    client: Account = field(init=False)
    text: str = ""
    uri: str = ""
    version: int = 0
    processes: list[int] = field(default_factory=list)

    def run(self) -> None:
        """Edit until the server has had its documents, or something has gone wrong."""
        self.random, self.client = Random(self.seed), Account(self.folder)
        capabilities = copy.deepcopy(CAPABILITIES)
        if self.pushes:
            del capabilities["textDocument"]["diagnostic"]
        self.report.counts["servers"] += 1
        try:
            self.client.start(self.folder, capabilities)
            self.processes = children(self.client.process.pid)
            for number in range(_PER_SERVER):
                if self.report.counts["edits"] >= self.count:
                    break
                self._document(number)
            if self.client.stop():
                self._trouble("exit status", "the server did not end well")
        except Exception as error:  # of the protocol, of time: this server's documents are given up
            self._trouble("protocol", f"{type(error).__name__}: {error}\n{b''.join(self.client.errors).decode()[-3000:]}")
        finally:
            self.client.process.kill()

    def _trouble(self, kind: str, detail: str) -> None:
        self.report.add(
            Trouble(
                kind,
                f"{self.seed} version {self.version} of {Path(self.uri).name}",
                detail,
                self.text.encode("utf-8", "replace"),
            )
        )

    def _document(self, number: int) -> None:
        base = next(self.texts)
        self.report.counts["documents"] += 1
        self._open(f"net{number}.py" if self.random.random() < 0.9 else f"näme {number} 😀%.py", base)
        made = 0
        while made < _PER_DOCUMENT:
            asked = self._round(base)
            made += _PER_ROUND
            self._judge(asked)
            self._alarms()
            self.report.progress()
        self._compare()
        self._change(base, whole=True)
        self._compare()
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.client.forget()

    def _open(self, name: str, text: str) -> None:
        path = self.folder / name
        self.text, self.version = text, self.version + 1
        self.uri = self.client.open(path, text, version=self.version)
        self.client.versions[self.uri] = self.version

    def _round(self, base: str) -> list[int]:
        """Some edits, with requests and other events among them; the questions asked."""
        asked: list[int] = []
        done = 0
        while done < _PER_ROUND:
            done += self._change(base)
            chance = self.random.random()
            if chance < 0.35:
                asked.append(self._ask())
            elif chance < 0.40:
                asked.append(self._odd_question())
            elif chance < 0.45:
                self.client.notify("$/cancelRequest", {"id": self.random.choice((*asked, 10**9, "a"))})
            elif chance < 0.47:
                self._other_event()
            if self.random.random() < 0.1:
                time.sleep(self.random.random() / 5)
        self.report.counts["edits"] += done
        self.report.counts["requests"] += len(asked)
        return asked

    def _change(self, base: str, *, whole: bool = False) -> int:
        """Send an edit, or several at once; ``whole`` brings the first text back."""
        changes = []
        chance = 0.0 if whole else self.random.random()
        if chance < 0.12:
            changes.append(back(self.text, base))
            self.text = base
        else:
            for _ in range(1 if chance < 0.85 else self.random.randrange(2, 5)):
                self.text, change = edit(self.text, self.random)
                changes.append(change)
        self.version += self.random.choice((1, 1, 1, 7))
        self.client.versions[self.uri] = self.version
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        return len(changes)

    def _ask(self) -> int:
        method = self.random.choice(_METHODS)
        document = {"uri": self.uri if self.random.random() < 0.9 else "file:///nowhere/a.py"}
        ends = sorted(self.random.randrange(len(self.text) + 1) for _ in range(2))
        range_ = {"start": position(self.text, ends[0]), "end": position(self.text, ends[1])}
        params: dict[str, Any] = {"textDocument": document}
        if method == "textDocument/hover":
            params["position"] = range_["start"]
        elif method == "textDocument/codeAction":
            params |= {"range": range_, "context": {"diagnostics": []}}
        elif method == "textDocument/inlayHint":
            params["range"] = range_
        elif method == "codeAction/resolve":
            params = {"title": "Fix all", "kind": "source.fixAll.dllint", "data": {"uri": document["uri"]}}
        elif method == "workspace/executeCommand":
            params = {"command": "dllint.printProgram", "arguments": [document["uri"]]}
        return self.client.ask(
            "textDocument/inlayHint" if self.pushes and method.endswith("diagnostic") else method,
            (params if not (self.pushes and method.endswith("diagnostic")) else {"textDocument": document, "range": range_}),
        )

    def _odd_question(self) -> int:
        offered = [method for method in _METHODS if not (self.pushes and method.endswith("diagnostic"))]
        if self.random.random() < 0.5:
            return self.client.ask(
                self.random.choice(_NOT_OFFERED), {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}}
            )
        return self.client.ask(self.random.choice(offered), self.random.choice(_ODD))

    def _other_event(self) -> None:
        way = self.random.randrange(5)
        if way == 0:
            self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        elif way == 1:
            change = {"uri": (self.folder / "other.py").as_uri(), "type": self.random.choice((1, 2, 3))}
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        elif way == 2:
            self.client.notify(
                "workspace/didChangeConfiguration", {"settings": self.random.choice(({}, None, {"dllint": 3}, []))}
            )
        elif way == 3:
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
            name = urllib.parse.unquote(self.uri.rsplit("/", 1)[1])
            self._open(name if self.random.random() < 0.5 else "renamed " + name[-40:], self.text)
        else:
            self.client.notify("no/suchNotification", self.random.choice(_ODD))

    def _judge(self, asked: list[int]) -> None:
        """Wait for the answers; then ask again, of a text that stands still, and look at what is answered."""
        for number in asked:
            answer = self.client.answer(number)
            if ("error" in answer) is ("result" in answer):
                self._trouble("answer", f"neither a result nor an error: {answer}")
            elif "error" in answer and answer["error"]["code"] not in _REFUSED:
                self._trouble("answer", f"{answer['error']}")
        number = self._ask()
        self.report.counts["requests"] += 1
        answer = self.client.answer(number)
        for range_ in _ranges(answer.get("result"), self.uri):
            if not holds(self.text, range_):
                self._trouble("range", f"{range_} in {answer}")

    def _alarms(self) -> None:
        for alarm in self.client.alarms:
            self._trouble("alarm", alarm)
        self.client.alarms.clear()
        now = children(self.client.process.pid)
        if now != self.processes:
            self._trouble("restart", f"{self.processes} became {now}")
            self.processes = now

    def _compare(self) -> None:
        """What the server shows of the last text, and what a fresh check finds in it."""
        if any("\ud800" <= character <= "\udfff" for character in self.text):
            return
        path = self.folder / urllib.parse.unquote(self.uri.rsplit("/", 1)[1])
        shown = self._pushed() if self.pushes else self.client.pull(self.uri)["items"]
        for item in shown:
            if not holds(self.text, item["range"]):
                self._trouble("range", f"{item}")
        fresh = Session(Configuration(root=self.folder)).check_bytes(path, self.text.encode())
        found = sorted((f.code, f.location.span.first.line - 1) for f in fresh.findings if f.severity is not Severity.HINT)
        shown = [item for item in shown if item["severity"] != _HINT]  # whether they are shown is the editor's setting
        told = sorted((item["code"], item["range"]["start"]["line"]) for item in shown)
        if any("written for Python 2" in notice.message for notice in fresh.notices):
            told = [one for one in told if one[0] != SYNTAX_ERROR]  # of which a command tells in one notice
        if any(code == SYNTAX_ERROR for code, _ in found):  # what is found in the parts that parse, only an editor shows
            told = [one for one in told if one[0] == SYNTAX_ERROR]
        self.report.counts["findings compared"] += len(found)
        if found != told:
            self._trouble("findings", f"the server shows {told}, a fresh check finds {found}")

    def _pushed(self) -> list[dict[str, Any]]:
        end = time.monotonic() + PATIENCE
        while self.client.pushed.get(self.uri, (None, []))[0] != self.version:
            if time.monotonic() > end:
                raise TimeoutError(f"no diagnostics of the last version, {self.version}: {self.client.pushed.get(self.uri)}")
            time.sleep(0.02)
        return self.client.pushed[self.uri][1]


def _ranges(result: Any, uri: str) -> Iterator[dict[str, Any]]:
    """The ranges in a result that lie in a document."""
    if isinstance(result, list):
        for part in result:
            yield from _ranges(part, uri)
    elif isinstance(result, dict):
        for name, value in result.items():
            if name == "range":
                yield value
            elif name == "position":
                yield {"start": value, "end": value}
            elif name == "edits":
                yield from (part["range"] for part in value)
            elif name != "relatedInformation":
                yield from _ranges(value, uri)
