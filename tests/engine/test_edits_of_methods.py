"""Edits inside functions and methods: the definitions stay but for their bodies, and programs, findings and places are those of
a fresh start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.ir.printer import Printer
from dllint.source.document import Document

TEXT = '''\
import functools
from dataclasses import dataclass

import torch
from torch import nn

MODELS = {}
CODES = []


def register(fn):
    MODELS[fn.__name__] = fn
    return fn


def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        CODES.append(fn.__name__)
        out = fn(*args, **kwargs)
        return out
    return wrapper


@dataclass
class Options:
    width: int = 8
    depth: int = 2

    def doubled(self):
        two = 2
        return self.width * two


class Part(nn.Module):
    """A part."""

    scale = 2

    def __init__(self, dim=8, ratio=2):
        super().__init__()
        hidden = dim * ratio
        self.fc = nn.Linear(dim, hidden)
        self.out = nn.Linear(hidden, dim)
        self.unused = nn.Linear(3, 4)

    @property
    def size(self):
        size = self.fc.in_features
        return size

    @staticmethod
    def halved(x):
        factor = 2
        return x / factor

    @classmethod
    def made(cls, width=8):
        dim = width
        return cls(dim)

    # what is computed
    @traced
    def mixed(self, x):
        y = x * 2
        return torch.relu(y)

    def forward(self, x):
        x = self.fc(x)  # (N, C)
        def inner(z):
            w = z + 1
            return w * self.scale
        x = inner(x)
        return self.out(x).reshape(-1, self.size)


class Wide(Part):
    def forward(self, x):
        x = super().forward(x)
        y = torch.log(x.sum(1))
        return self.halved(x) + y.reshape(-1, 1)

    def loss(self, x, y):
        logits = torch.softmax(self(x), -1)
        return nn.functional.cross_entropy(logits, y)


class Net(nn.Module):
    def __init__(self, options=Options()):
        super().__init__()
        width = options.width
        self.parts = nn.Sequential(Part(width), Wide.made(width))
        self.head = nn.Linear(options.doubled(), 4)

    def forward(self, x):
        x = self.parts(x)
        pair = torch.cat([x, x], 1)
        return self.head(pair)


@register
def small():
    options = Options(8)
    return Net(options)


@traced
def evaluate(x):
    x = x * 2
    scaled = small()(x)
    return scaled.softmax(1)


print(MODELS['small'](), evaluate(torch.zeros(2, 8)))
'''


#: How lines begin that are no simple statement.
_OTHER = ("def ", "@", "#", '"', "class ", "return", "scale")


def bodies(lines: list[str]) -> list[int]:
    """The numbers of the lines inside functions that are simple statements."""
    inside, out = False, []
    for number, line in enumerate(lines):
        inside = (inside or line.lstrip().startswith("def ")) and (line.startswith(" ") or not line or "def " in line)
        if inside and line.startswith("    ") and not line.lstrip().startswith(_OTHER):
            out.append(number)
    return out


def edited(text: str, random: Random) -> str:
    """The text after an edit, of a body as a rule."""
    lines = text.split("\n")
    number = random.choice(bodies(lines))
    line = lines[number]
    margin = line[: len(line) - len(line.lstrip())]
    kind = random.randrange(9)
    if kind < 2:
        lines.insert(number + 1, f"{margin}added = {random.randrange(9)}")
    elif kind == 2:
        del lines[number]
    elif kind == 3:
        lines.insert(number, f"{margin}# a comment of some words")
    elif kind == 4:
        lines.insert(number, f"{margin}if input():\n{margin}    return {random.randrange(5)}")
    elif kind == 5:
        lines[number] = f"{line}  # (B, {random.randrange(4)})"
    elif kind == 6:
        lines.insert(number + 1, f"{margin}x = torch.ones({random.randrange(1, 9)}, {random.randrange(1, 9)})")
    else:
        places = [place for place, character in enumerate(text) if character in "248"]
        place = random.choice(places)
        return f"{text[:place]}{random.randrange(1, 9)}{text[place + 1 :]}"
    return "\n".join(lines)


def places(analysis: Analysis) -> Iterator[object]:
    """The places of all operations."""
    for program in analysis.programs:
        for op in program.ops:
            for site in op.site.stack():
                if site.document is not None:
                    yield site.document.span(site.statement, site.node)


def shown(analysis: Analysis) -> list[object]:
    """All that can be told from an analysis."""
    programs = [(Printer(with_events=True).program(p), [(gap[0], gap[1]) for gap in p.gaps]) for p in analysis.programs]
    return [*programs, *analysis.findings, *analysis.notices, *places(analysis)]


def session(path: Path, *, remember: bool) -> Session:
    return Session(Configuration(overrides={"root": path.parent, "select": ("ALL",)}, isolated=True), remember=remember)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(8))
def test_after_edits_of_methods_all_is_that_of_a_fresh_start(tmp_path, seed):
    random, path = Random(seed), tmp_path / "model.py"
    path.write_text(TEXT)
    editor, former = session(path, remember=True), [Document.from_text(path, TEXT)]
    for _ in range(16):
        document = former[-1] if random.random() < 0.85 else random.choice(former)
        document = document.edit(TEXT if random.random() < 0.1 else edited(document.text, random))
        if document.problem is not None:
            continue
        former.append(document)
        told = shown(editor.analyser(path).analyse(document))
        fresh = session(path, remember=False).analyser(path).analyse(Document.from_text(path, document.text))
        assert told == shown(fresh), document.text


@pytest.mark.parametrize(
    ("old", "new", "executed"),
    [
        ("two = 2", "two = 3", {"<module>", "Wide.loss"}),
        ("logits = torch", "added = 1\n        logits = torch", {"Wide.loss"}),
        ("options = Options(8)", "options = Options(4)", {"<module>", "Wide.loss"}),
        ("dim = width", "dim = width + 0", {"<module>", "Wide.loss"}),
    ],
)
def test_an_edit_of_a_method_executes_what_has_executed_it(tmp_path, old, new, executed):
    path = tmp_path / "model.py"
    editor, document = session(path, remember=True), Document.from_text(path, TEXT)
    before = {id(program) for program in editor.analyser(path).analyse(document).programs}
    document = document.edit(TEXT.replace(old, new, 1))
    programs = editor.analyser(path).analyse(document).programs
    assert {program.entry for program in programs if id(program) not in before} <= executed
    work = editor.tracer(editor.configuration.for_file(path)).work(path)
    assert work is not None
    assert work.executed <= 3
    assert work.steps > 14
