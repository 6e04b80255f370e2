"""An edit of comments and empty lines executes nothing again, and every place is that of a fresh check."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from random import Random

import libcst
import pytest

from dllint.engine.session import Session
from dllint.lower.incremental import IncrementalLowering
from dllint.server.attempts import Attempts
from dllint.server.pages import Pages
from dllint.server.places import known_places
from dllint.source.document import Document
from dllint.source.positions import nested
from dllint.source.significant import significant
from dllint.source.walk import walk
from tests.engine.test_incremental import FILES, MODEL, change_number, rename, session, shown

FAULTY = """

class Faulty(nn.Module):
    '''A layer of [B, 8]. # no comment'''

    def __init__(
        self,
        width=8,  # as wide as it is
    ):
        super().__init__()
        self.fc = nn.Linear(width, 7); self.out = nn.Linear(
            5,
            3,
        )

    @torch.no_grad()
    def extra(self, x): return self.fc(x)

    def forward(self, x):
        if x.ndim == 3:
            x = x.mean(1)
        elif x.ndim > 3:
            x = x.flatten(2)
        else:
            x = x + 1
        text = f"{x.shape} # {'no comment'}"
        return self.out(self.fc(x)), torch.log(torch.softmax(x, dim=1)), text
"""
TEXT = MODEL.replace("\n\ndef evaluate", FAULTY + "\n\ndef evaluate")


def add_comment(text: str, random: Random) -> str:
    """A comment on a line of its own, or behind code."""
    lines = text.split("\n")
    number = random.randrange(len(lines))
    if random.random() < 0.4 and lines[number].rstrip().endswith((")", ":", "8", "3")):
        lines[number] += random.choice(("  # behind", "  # noqa: E501", "  # dllint: ignore"))
    else:
        indent = re.match(r" *", lines[number])
        assert indent is not None
        lines.insert(number, indent[0] + random.choice(("# a comment: next", "# TODO: more", "#", "# x[0]")))
    return "\n".join(lines)


def add_line(text: str, random: Random) -> str:
    """An empty line, or one less."""
    lines = text.split("\n")
    number = random.randrange(len(lines))
    if not lines[number].strip() and random.random() < 0.5:
        del lines[number]
    else:
        lines.insert(number, random.choice(("", "    ")))
    return "\n".join(lines)


def indent_in_brackets(text: str, random: Random) -> str:
    """Another layout of an expression, or another indentation in brackets."""
    if random.random() < 0.5:
        return text.replace(
            "            5,\n", random.choice(("          5,\n", "            5,  # of them\n", "\n            5,\n"))
        )
    places = [
        match.end() for match in re.finditer(r"(?<=[(,])(?= ?\w)", text) if "#" not in text[: match.end()].rsplit("\n", 1)[-1]
    ]
    place = random.choice(places)
    return f"{text[:place]}\n            {text[place:].lstrip(' ')}"


QUIET = (add_comment, add_comment, add_line)
EDITS = (*QUIET, indent_in_brackets, rename, change_number)


def parses(text: str) -> bool:
    return Document.from_text(Path("a.py"), text).problem is None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "model.py").write_text(TEXT)
    return tmp_path


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The steps that are executed."""
    steps: list[object] = []
    execute = IncrementalLowering._execute

    def counted(self, step, run, first):
        steps.append(step.subject)
        execute(self, step, run, first)

    monkeypatch.setattr(IncrementalLowering, "_execute", counted)
    return steps


def everything(analyst: Session, document: Document, pages: Path) -> list[object]:
    """All that is told about a document, hovers included."""
    analysis = analyst.analyser(document.path).analyse(document)
    return [*shown(analysis), *known_places(analysis, Pages(pages), lambda: None, Attempts(pytest.fail))]


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_all_places_are_those_of_a_fresh_check(project, executed, seed):
    random = Random(seed)
    editor = session(project, remember=True)
    document = Document.open(project / "model.py")
    everything(editor, document, project)
    for _ in range(12):
        edit = random.choice(EDITS)
        text = TEXT if random.random() < 0.1 else edit(document.text, random)
        if not parses(text):
            continue
        is_quiet = edit in QUIET and significant(text) == significant(document.text)
        document = document.edit(text)
        executed.clear()
        told = everything(editor, document, project)
        assert not (executed and is_quiet)
        fresh = everything(session(project, remember=True), Document.from_text(document.path, text), project)
        assert next((pair for pair in zip_longest(told, fresh) if pair[0] != pair[1]), None) is None


@pytest.mark.parametrize("edit", [add_line, add_comment])
def test_edits_of_comments_execute_nothing(project, executed, edit):
    random, editor = Random(0), session(project, remember=True)
    document = Document.open(project / "model.py")
    editor.analyser(document.path).analyse(document)
    done = 0
    for _ in range(40):
        text = edit(document.text, random)
        if parses(text) and significant(text) == significant(document.text):
            document = document.edit(text)
            executed.clear()
            editor.analyser(document.path).analyse(document)
            assert not executed
            done += 1
    assert done > 10


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x = self.norm(", "# dllint: range x in [0, 1]\n        x = self.norm("),
        ("return self.head(", "# x: B x 8\n        return self.head("),
        ("return self.head(", "# x: BxC\n        return self.head("),
        ("return self.head(", "# x: (B, 8)\n        return self.head("),
        ("    '''A layer of [B, 8].", "    '''A layer of [B, 9]."),
        ("        text = f", "        # type: ignore\n        text = f"),
        ("# {'no comment'}", "# {'no other'}"),
        ("            5,\n", "            5,  # of them\n"),
    ],
)
def test_comments_that_say_something_count(project, executed, old, new):
    editor = session(project, remember=True)
    document = Document.open(project / "model.py")
    editor.analyser(document.path).analyse(document)
    executed.clear()
    assert old in TEXT
    editor.analyser(document.path).analyse(document.edit(TEXT.replace(old, new, 1)))
    assert executed


@pytest.mark.parametrize("seed", range(4))
def test_statements_from_before_stand_where_a_fresh_parse_has_them(seed):
    random, document = Random(seed), Document.from_text(Path("a.py"), TEXT)
    moved = 0
    for _ in range(15):
        text = random.choice((add_comment, add_line))(document.text, random)
        if not parses(text):
            continue
        document = document.edit(text)
        fresh = Document.from_text(Path("a.py"), text)
        assert [chunk.text for chunk in document.chunks] == [chunk.text for chunk in fresh.chunks]
        for chunk, other in zip(document.chunks, fresh.chunks, strict=True):
            if chunk.tree is None or other.tree is None or chunk.tree.origin is chunk.tree:
                continue
            moved += 1
            parts = [[part for top in c.statements for part in (top, *nested(top))] for c in (chunk, other)]
            for old, new in zip(*parts, strict=True):
                assert document.span(old) == fresh.span(new)
                assert document.extent(old) == fresh.extent(new)
                assert document.indentation(old) == fresh.indentation(new)
                for inner, present in zip(walk(old), walk(new), strict=True):
                    if not isinstance(inner, libcst.BaseParenthesizableWhitespace):
                        assert document.span(old, inner) == fresh.span(new, present)
    assert moved
