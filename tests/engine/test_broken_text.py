"""While a text does not parse, an editor keeps what was found where it does, also of a file that is opened broken."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.source.document import Document
from dllint.source.in_parts import only_defines

HEAD = "import torch\nfrom torch import nn\n"
CLASS = '''

class Net{n}(nn.Module):
    """A layer (one
    of several) of shape [B, {size}]."""

    def __init__(self, width={size}):
        super().__init__()
        self.fc = nn.Linear(width, 7)
        self.out = nn.Linear(5, 3)

    def forward(self, x):
        x = self.fc(x)
        return self.out(x)
'''
FUNCTION = """

def total{n}(x):
    return torch.sum(x, keepdims=True, dim=1)
"""
BREAKS = (
    lambda line: line + "(",
    lambda line: line + " = = 1",
    lambda line: line + "\n" + re.match(r" *", line)[0] + "if x",
    lambda line: line + "\n" + re.match(r" *", line)[0] + "y = [1,",
    lambda line: line + "\n" + re.match(r" *", line)[0] + "def more(self",
    lambda line: line + "\n" + re.match(r" *", line)[0] + '"""',
    lambda line: line + "\n" + re.match(r" *", line)[0] + "'",
    lambda line: line.replace("(", "", 1) if "(" in line else line + ")",
)


def program(random: Random) -> str:
    """A text of classes and functions, most with a fault."""
    parts = [CLASS.format(n=n, size=random.choice((4, 6))) if random.random() < 0.6 else FUNCTION.format(n=n) for n in range(5)]
    return HEAD + "".join(parts)


def session(path: Path) -> Session:
    return Session(Configuration(overrides={"root": path, "select": ("ALL",)}, isolated=True), remember=True)


Told = tuple[str, str, int, str]


def told_in(document: Document, findings: list[Finding]) -> list[Told]:
    """The findings but errors of syntax: the code that each stands in, the line and column, what it says."""
    out: list[Told] = []
    for finding in findings:
        if finding.code != "syntax-error":
            first = finding.location.span.first
            chunk = document.chunk_at(first.line)
            assert chunk is not None
            out.append((chunk.text.strip(), document.text.split("\n")[first.line - 1], first.column, finding.message))
    return out


@pytest.mark.parametrize("seed", range(4))
def test_what_stands_outside_of_what_is_typed_stays(tmp_path, seed):
    random = Random(seed)
    path, text = tmp_path / "net.py", program(random)
    editor = session(tmp_path)
    document = Document.from_text(path, text)
    for _ in range(20):
        good = editor.analyser(path).analyse(document)
        before = told_in(document, good.findings)
        lines = text.split("\n")
        number = random.randrange(2, len(lines))
        lines[number] = random.choice(BREAKS)(lines[number])
        broken = document.edit("\n".join(lines))
        if broken.problem is None:
            continue
        kept = {chunk.text.strip() for chunk in broken.chunks if chunk.problem is None}
        assert len(kept) >= len(document.chunks) - 1
        analysis = editor.analyser(path).analyse(broken)
        assert analysis.findings[0].code == "syntax-error"
        assert told_in(broken, analysis.findings) == [one for one in before if one[0] in kept]
        for finding in analysis.findings:
            assert not any(fix for fix in editor.fixes_for(analysis, finding))
        further = broken.edit("# a line above\n" + broken.text)
        moved = editor.analyser(path).analyse(further)
        assert [f.location.span.first.line - 1 for f in moved.findings if f.code != "syntax-error"] == [
            f.location.span.first.line for f in analysis.findings if f.code != "syntax-error"
        ]
        document = further.edit(text)
        mended = editor.analyser(path).analyse(document)
        assert mended.findings == session(tmp_path).analyser(path).analyse(Document.from_text(path, text)).findings


@pytest.mark.parametrize("opened", [True, False], ids=["opened broken", "broken by an edit"])
@pytest.mark.parametrize("seed", range(4))
def test_a_change_that_mends_one_definition_and_breaks_another_keeps_the_rest(tmp_path, seed, opened):
    random = Random(seed)
    path = tmp_path / "net.py"
    for _ in range(8):
        text = program(random)
        whole = Document.from_text(path, text)
        lines = text.split("\n")
        first, second = sorted(random.sample(range(2, len(lines)), 2))
        breaks = [change for change in BREAKS if '"""' not in change("x")]
        broken = [[*lines], [*lines]]
        broken[0][first] = random.choice(breaks)(lines[first])
        broken[1][second] = random.choice(breaks)(lines[second])
        if random.random() < 0.5:
            broken.reverse()
        before, after = ("\n".join(one) for one in broken)
        editor = session(tmp_path)
        everything = told_in(whole, editor.analyser(path).analyse(whole).findings)
        document = Document.in_parts(path, before) if opened else whole.edit(before)
        if document.problem is None:
            continue
        editor.analyser(path).analyse(document)
        changed = document.edit(after)
        if changed.problem is None:
            continue
        assert "".join(chunk.text for chunk in changed.chunks) == after
        good = {chunk.text.strip() for chunk in changed.chunks if chunk.problem is None}
        told = told_in(changed, editor.analyser(path).analyse(changed).findings)
        expected = [one for one in everything if one[0] in good]
        if all(chunk.tree is not None or only_defines(chunk.text) for chunk in changed.chunks):
            assert told == expected
        assert set(told) <= set(expected)
        assert len(good) >= len(whole.chunks) - 1


def test_an_edit_elsewhere_counts_while_the_text_is_broken(tmp_path):
    path = tmp_path / "net.py"
    text = HEAD + CLASS.format(n=0, size=4) + FUNCTION.format(n=1) + CLASS.format(n=2, size=4)
    editor = session(tmp_path)
    document = Document.from_text(path, text)
    editor.analyser(path).analyse(document)
    broken = document.edit(text.replace("def total1(x):", "def total1(x"))
    assert len(told_in(broken, editor.analyser(path).analyse(broken).findings)) == 2
    half = broken.edit("nn.Linear(7, 3)".join(broken.text.rsplit("nn.Linear(5, 3)", 1)))
    assert [chunk.problem is None for chunk in half.chunks] == [True, True, True, False, True]
    assert len(told_in(half, editor.analyser(path).analyse(half).findings)) == 1
    assert half.edit(half.text.replace("def total1(x", "def total1(x):")).problem is None


@pytest.mark.parametrize("seed", range(4))
def test_of_a_text_that_is_opened_broken_the_good_parts_are_told(tmp_path, seed):
    random = Random(seed)
    path = tmp_path / "net.py"
    for _ in range(8):
        text = program(random)
        whole = Document.from_text(path, text)
        everything = told_in(whole, session(tmp_path).analyser(path).analyse(whole).findings)
        lines = text.split("\n")
        number = random.randrange(2, len(lines))
        lines[number] = random.choice(BREAKS)(lines[number])
        opened = Document.in_parts(path, "\n".join(lines))
        if opened.problem is None:
            continue
        assert "".join(chunk.text for chunk in opened.chunks) == opened.text
        analysis = session(tmp_path).analyser(path).analyse(opened)
        told = told_in(opened, analysis.findings)
        assert set(told) <= set(everything)
        if '"""' not in lines[number].split("\n")[-1]:
            good = {chunk.text.strip() for chunk in opened.chunks if chunk.problem is None}
            assert told == [one for one in everything if one[0] in good]
            assert len(good) >= len(whole.chunks) - 1


def test_what_a_part_that_never_parsed_may_rebind_is_unknown(tmp_path):
    path = tmp_path / "net.py"
    use = "\nlayer = nn.Linear(4, 5)\nlayer(torch.zeros(2, 3))\n"
    for broken, count in (("", 1), ("def other(:\n    pass\n", 1), ("def nn(:\n    pass\n", 0), ("layer.load(nn\n", 0)):
        document = Document.in_parts(path, f"{HEAD}{broken}{use}")
        assert len(told_in(document, session(tmp_path).analyser(path).analyse(document).findings)) == count, broken


def test_a_check_of_a_file_that_does_not_parse_finds_nothing_else(tmp_path):
    text = HEAD + CLASS.format(n=0, size=4) + "x = (\n"
    result = Session(Configuration(isolated=True)).check_bytes(tmp_path / "net.py", text.encode())
    assert [finding.code for finding in result.findings] == ["syntax-error"]
