"""Whatever raises costs only itself: the run goes on, other findings are there, and what failed is told once with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import dllint.engine.analysis
import dllint.engine.baseline
import dllint.engine.cache
import dllint.engine.caching
import dllint.engine.cells
import dllint.engine.files
import dllint.engine.gate
import dllint.engine.homes
import dllint.engine.reading
import dllint.engine.refine
import dllint.engine.session
import dllint.engine.tracing
import dllint.source.notebook
from dllint.cli.main import run
from dllint.engine.cache import Cache, Wanted
from dllint.engine.present import Present
from dllint.engine.registry import rule
from dllint.frameworks.machine import HANDLERS
from dllint.source.pins import requirements

ERRORS = (RuntimeError, RecursionError, MemoryError, UnicodeError, KeyError)
#: A file with three findings of two rules, one of which has a safe fix, and the file whose unit fails.
FAULTY = """import torch

torch.ones(3).view(7)
x = torch.zeros(2, 3).t().view(6)
torch.nn.Linear(3, 4)(torch.zeros(2, 5))
"""
BROKEN = FAULTY + "y = torch.cos(x)  # broken\n"
NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [],'
    ' "source": ["import torch\\n", "torch.ones(3).view(7)  %s"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)
_FINDING = re.compile(r"^(\S+?:(?:cell \d+:)?\d+:\d+): (\S+)", re.MULTILINE)
Break = Callable[[pytest.MonkeyPatch, type[Exception]], None]


@dataclass(frozen=True)
class Outcome:
    """What a run printed: its status, the places and codes found, its standard output, the lines of standard error."""

    status: int
    found: frozenset[tuple[str, str]]
    out: str
    told: list[str]

    def of(self, *names: str) -> frozenset[tuple[str, str]]:
        """What was found in some files."""
        return frozenset(entry for entry in self.found if entry[0].split(":")[0] in names)


def failing(owner: Any, name: str, when: Callable[..., bool] = lambda *_: True) -> Break:
    """A function that raises where ``when`` says so of its arguments."""

    def apply(patch: pytest.MonkeyPatch, error: type[Exception]) -> None:
        usual = getattr(owner, name)

        def broken(*arguments: Any, **keywords: Any) -> Any:
            if when(*arguments):
                raise error("on purpose")
            return usual(*arguments, **keywords)

        wrapped = staticmethod(broken) if isinstance(vars(owner).get(name), classmethod | staticmethod) else broken
        patch.setattr(owner, name, wrapped)

    return apply


def on_path(name: str) -> Callable[..., bool]:
    """Of a call: one of its arguments is a path of that name, or holds one."""

    def holds(*arguments: Any) -> bool:
        paths = (getattr(a, "path", getattr(getattr(a, "document", None), "path", a)) for a in arguments)
        return any(isinstance(path, Path) and path.name == name for path in paths)

    return holds


def on_finding(code: str, name: str = "broken.py") -> Callable[..., bool]:
    """Of a call: one of its arguments is a finding of that rule in that file, or a raw one."""

    def holds(*arguments: Any) -> bool:
        found = [getattr(argument, "finding", argument) for argument in arguments]
        return any(getattr(f, "code", "") == code and f.location.path.name == name for f in found)

    return holds


def on_list_of(name: str) -> Callable[..., bool]:
    """Of a call: its list of raw findings has one in that file."""
    return lambda _, raws: any(raw.finding.location.path.name == name for raw in raws)


def on_text(mark: str | bytes) -> Callable[..., bool]:
    """Of a call: one of its arguments is a text with a mark."""
    return lambda *arguments: any(isinstance(argument, type(mark)) and mark in argument for argument in arguments)


def at_line(number: int) -> Callable[..., bool]:
    """Of a question to a rule: it is about that line of the file."""

    def holds(_rule: Any, item: Any, _context: Any) -> bool:
        document = item.site.document
        return document.path.name == "broken.py" and document.location(item.site.statement).span.first.line == number

    return holds


def statement(patch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """The meaning of one function."""

    def broken(*_: object) -> object:
        raise error("on purpose")

    patch.setitem(HANDLERS, "torch.cos", broken)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DLLINT_OUTPUT_FORMAT", raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "dllint.toml").write_text('cache-dir = "kept"\n')
    (tmp_path / ".gitignore").write_text("kept\n*.tmp\n")
    (tmp_path / "a.py").write_text(FAULTY)
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "c.py").write_text(FAULTY)
    (tmp_path / "good.ipynb").write_text(NOTEBOOK % "")
    (tmp_path / "n.ipynb").write_text(NOTEBOOK % "# broken")
    return tmp_path


@pytest.fixture
def check(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def checked(*options: str, cached: bool = False, paths: Sequence[str] = (".",)) -> Outcome:
        capsys.readouterr()
        status = run(["check", "--output-format", "concise", "-j", "1", *([] if cached else ["-n"]), *options, *paths])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Outcome(status, frozenset(_FINDING.findall(out)), out, err.splitlines())

    return checked


PYTHON = ("a.py", "broken.py", "c.py")
BOTH = ("broken.py", "good.ipynb")
#: What raises; the file that the message names; the files whose findings may be lost, and the codes there (all by default).
UNITS: dict[str, tuple[Break, str, tuple[str, ...], tuple[str, ...]]] = {
    "reading a file": (failing(dllint.engine.session, "read_regular", on_path("broken.py")), "broken.py", ("broken.py",), ()),
    "decoding": (failing(dllint.engine.reading, "decode", on_text(b"# broken")), "broken.py", ("broken.py",), ()),
    "a notebook": (failing(dllint.source.notebook, "NotebookFile", on_text("# broken")), "n.ipynb", ("n.ipynb",), ()),
    "a cell": (failing(dllint.engine.cells.Cells, "finding", on_finding("DLT105", "n.ipynb")), "n.ipynb", ("n.ipynb",), ()),
    "imports": (failing(dllint.engine.session, "is_relevant", on_path("broken.py")), "broken.py", ("broken.py",), ()),
    "parsing": (failing(dllint.engine.tracing.Tracer, "open", on_path("broken.py")), "broken.py", ("broken.py",), ()),
    "tracing": (failing(dllint.engine.tracing.Tracer, "trace", on_path("broken.py")), "broken.py", ("broken.py",), ()),
    "a statement": (statement, "broken.py", (), ()),
    "a rule": (failing(type(rule("DLT105")), "check", at_line(3)), "broken.py", ("broken.py",), ("DLT105",)),
    "a finding": (failing(dllint.engine.refine, "_suppressed", on_finding("DLT101")), "broken.py", ("broken.py",), ("DLT101",)),
    "a fix that is tried": (failing(dllint.engine.gate.Trial, "repairs", on_finding("DLT107")), "broken.py", (), ()),
    "all fixes of a file": (failing(dllint.engine.gate.Gate, "approve", on_list_of("broken.py")), "broken.py", (), ()),
    "comments": (failing(dllint.engine.analysis, "comment_findings", on_path("broken.py")), "broken.py", (), ()),
    "comments about ranges": (failing(dllint.engine.analysis, "ignored_ranges", on_path("broken.py")), "broken.py", (), ()),
    "releases": (failing(dllint.engine.analysis, "settle", lambda _, d, *__: d.path.name == "broken.py"), "broken.py", (), ()),
    "severities": (failing(dllint.engine.analysis, "weigh", on_finding("DLT101")), "broken.py", (), ()),
    "Python 2": (failing(dllint.engine.session, "tell_once", on_path("broken.py")), "broken.py", (), ()),
    "what Python can read": (failing(dllint.engine.session, "tell_of_limits", on_path("broken.py")), "broken.py", (), ()),
    "what was followed": (failing(dllint.engine.analysis, "followed", on_path("broken.py")), "broken.py", (), ()),
    "patterns of .gitignore": (failing(dllint.engine.files, "globs", lambda lines: "*.tmp" in lines), ".gitignore", (), ()),
    "reading .gitignore": (failing(dllint.engine.files, "read_regular", on_path(".gitignore")), ".gitignore", (), ()),
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("unit", UNITS)
def test_what_raises_costs_only_itself(check, monkeypatch, unit, error):
    broken, place, files, codes = UNITS[unit]
    before = check()
    assert before.status == 1
    assert {path.split(":")[0] for path, _ in before.found} == {*PYTHON, "good.ipynb", "n.ipynb"}
    broken(monkeypatch, error)
    after = check()
    may_be_lost = {entry for entry in before.of(*files) if not codes or entry[1] in codes}
    assert before.found - after.found <= may_be_lost
    assert after.found <= before.found
    told = [line for line in after.told if line.startswith("internal-error: ")]
    assert len(told) == 1, after.told
    assert place in told[0]
    assert error.__name__ in told[0]
    assert after.status == 2
    assert check("--exit-zero").status == 0


@pytest.mark.parametrize("error", ERRORS)
def test_a_rule_that_raises_everywhere_is_told_once_a_file(check, monkeypatch, error):
    before = check()
    failing(type(rule("DLT105")), "check")(monkeypatch, error)
    after = check("--select", "ALL")
    assert {code for _, code in before.found - after.found} == {"DLT105"}
    assert sorted(line.split(": ")[1] for line in after.told if "rule DLT105 failed" in line) == [
        *PYTHON,
        "good.ipynb",
        "n.ipynb",
    ]
    assert check("-e").status == 0


@pytest.mark.parametrize("error", ERRORS)
def test_a_rule_that_cannot_be_loaded_costs_its_findings(check, monkeypatch, error):
    before = check()
    failing(dllint.engine.session, "rule", lambda code: code == "DLT101")(monkeypatch, error)
    after = check()
    assert {code for _, code in before.found - after.found} == {"DLT101"}
    assert sum("rule DLT101 failed" in line for line in after.told) == len(PYTHON)


@pytest.mark.parametrize("error", ERRORS)
def test_what_says_the_release_costs_only_itself(check, project, monkeypatch, error):
    (project / "requirements.txt").write_text("torch==2.13\n")
    before = check()
    failing(requirements, "read_text", on_path("requirements.txt"))(monkeypatch, error)
    after = check()
    assert after.found == before.found
    assert sum("what it says of releases could not be read" in line for line in after.told) == 1
    assert (after.status, check("-e").status) == (2, 0)


def on_wanted(_: Cache, wanted: Wanted, *__: object) -> bool:
    """Whether a method of the cache is asked about the file that fails."""
    return wanted.path.name == "broken.py"


CACHE: dict[str, Break] = {
    "opening": failing(dllint.engine.caching.Cache, "open"),
    "looking up": failing(Present, "content", lambda _, path: path.endswith("broken.py")),
    "keys": failing(Cache, "_key", on_wanted),
    "restoring": failing(Cache, "_held", on_wanted),
    "what was followed": failing(Cache, "figures"),
    "what was followed, in full": failing(Cache, "keep_figures"),
    "keeping": failing(dllint.engine.cache, "finding_to_data", on_finding("DLT101")),
    "writing": failing(Cache, "close"),
}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("unit", CACHE)
def test_a_cache_that_raises_costs_time_only(check, project, monkeypatch, unit, error):
    before = check(cached=True)
    if unit in ("keeping", "what was followed, in full"):
        (project / "broken.py").write_text(BROKEN + "\n")
    CACHE[unit](monkeypatch, error)
    after = check(cached=True)
    assert after.found == before.found
    assert after.status == 1
    told = [line for line in after.told if error.__name__ in line]
    assert len(told) <= 2  # that results cannot be used, and that none can be kept
    assert all(line.startswith("ignored: ") for line in told)
    assert told or error not in (RuntimeError, MemoryError)  # of the others, most are those of a damaged file, which is no news
    assert check("-e", cached=True).status == 0


@pytest.mark.parametrize("error", ERRORS)
def test_a_baseline_that_cannot_be_applied_hides_nothing(check, monkeypatch, error):
    everything = check()
    assert check("--baseline", "known.json", "--update-baseline").status == 0
    assert check("--baseline", "known.json").found == frozenset()
    failing(dllint.engine.baseline, "_text_of", on_path("broken.py"))(monkeypatch, error)
    after = check("--baseline", "known.json")
    assert after.found == everything.of("broken.py")
    assert sum(line.startswith("internal-error: broken.py: ") for line in after.told) == 1
    assert (after.status, check("--baseline", "known.json", "-e").status) == (2, 0)


@pytest.mark.parametrize("error", ERRORS)
def test_a_baseline_that_cannot_be_read_is_named(check, project, monkeypatch, error):
    (project / "known.json").write_text('{"version": 1, "files": {}}')
    failing(dllint.engine.baseline.json, "loads")(monkeypatch, error)
    done = check("--baseline", "known.json")
    assert done.status == 2
    assert len(done.told) == 1
    assert "known.json" in done.told[0]


@pytest.mark.parametrize("error", ERRORS)
def test_a_configuration_that_cannot_be_read_is_named(check, monkeypatch, error):
    failing(tomllib, "loads")(monkeypatch, error)
    done = check("-e")
    assert done.status == 2
    assert len(done.told) == 1
    assert "dllint.toml" in done.told[0]
    assert done.told[0].startswith("error: ")


@pytest.mark.parametrize("error", ERRORS)
def test_settings_of_an_imported_file_cost_only_themselves(check, project, monkeypatch, error):
    layers = "self.layers = [nn.Linear(3, 3)]"
    head = f"class Head(nn.Module):\n    def __init__(self):\n        super().__init__()\n        {layers}\n\n"
    call = "    def forward(self, x):\n        return self.layers[0](x)\n"
    (project / "head.py").write_text(f"from torch import nn\n\n{head}{call}")
    (project / "user.py").write_text("import torch\nfrom head import Head\n\nHead()(torch.ones(2, 3))\n")
    for name in (*PYTHON, "good.ipynb", "n.ipynb"):
        (project / name).unlink()
    before = check(paths=["user.py"])
    assert {place.split(":")[0] for place, _ in before.found} == {"head.py"}
    failing(dllint.engine.homes.FilePolicies, "applied")(monkeypatch, error)
    after = check(paths=["user.py"])
    assert after.found == before.found
    assert sum("could not be applied" in line for line in after.told) == len(before.found)
    assert (after.status, check("-e", paths=["user.py"]).status) == (2, 0)
