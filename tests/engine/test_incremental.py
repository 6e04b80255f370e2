"""After any edits, programs and findings are those of a fresh start, and what an edit does not concern is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dllint.config.discovery import Configuration
from dllint.config.options import Settings
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.engine.tracing import Tracer
from dllint.ir.printer import Printer
from dllint.ir.program import Program
from dllint.lower import incremental
from dllint.source.document import Document

REGISTRY = """\
MODELS = {}
NAMES = []


def register(fn):
    if fn.__name__ in MODELS:
        NAMES.append('twice')
    MODELS[fn.__name__] = fn
    NAMES.append(fn.__name__)
    return fn


class Base:
    scale = 2

    def describe(self):
        return NAMES
"""
LAYERS = """\
import torch
from torch import nn

from registry import Base, register

WIDTH = 8


class Gate(nn.Module):
    def __init__(self, dim, ratio=2):
        super().__init__()
        self.fc = nn.Linear(dim, dim * ratio)
        self.out = nn.Linear(dim * ratio, dim)

    def forward(self, x):
        return self.out(torch.relu(self.fc(x)))


class Block(Gate):
    def forward(self, x):
        self.last = super().forward(x)
        return x + self.last
"""
MODEL = """\
import torch
from torch import nn

import layers
from layers import WIDTH, Block
from registry import MODELS, NAMES, register

sizes = [WIDTH, 16]
sizes.append(4)
config = {'depth': 2, 'norm': True}
config['depth'] = 3


def scaled(x, factor=2):
    return x * factor


class Stem(nn.Module):
    def __init__(self, width=WIDTH):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3)
        self.bn = nn.BatchNorm2d(width)

    def forward(self, x):
        return self.bn(self.conv(x)).flatten(1)


class Net(nn.Module):
    def __init__(self, dim=8, depth=2, norm=False):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim) if norm else nn.Identity()
        self.head = nn.Linear(sizes[1], 4)

    def forward(self, x):
        x = self.norm(self.blocks(x))
        return self.head(scaled(x))


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = layers.Gate(5, 3)

    def forward(self, x):
        return self.gate(x).softmax(0)


@register
def small(**kwargs):
    return Net(dim=8, depth=config['depth'], **kwargs)


@register
def large():
    return Net(dim=16, norm=True)


def evaluate(model, loader):
    global counted
    counted = 0
    for x, y in loader:
        loss = nn.functional.cross_entropy(torch.softmax(model(x), -1), y)
    return loss


def describe():
    return MODELS['small'](), NAMES, counted


if __name__ == "__main__":
    net = small()
    print(net(torch.zeros(2, 8)).shape)
    other = Other()(torch.zeros(2, 5))
"""
FILES = {"registry.py": REGISTRY, "layers.py": LAYERS, "model.py": MODEL}
_TOP = re.compile(r"(?m)^(?=[@A-Za-z])")


def insert_line(text: str, random: Random) -> str:
    lines = text.split("\n")
    lines.insert(random.randrange(len(lines)), random.choice(("", "# a comment", "import math", "sizes = [3, 5]")))
    return "\n".join(lines)


def repeat_line(text: str, random: Random) -> str:
    lines = text.split("\n")
    number = random.randrange(len(lines))
    return "\n".join([*lines[:number], lines[number], *lines[number:]])


def delete_line(text: str, random: Random) -> str:
    lines = text.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def rename(text: str, random: Random) -> str:
    names = list(re.finditer(r"\b[a-zA-Z_]{3,}\b", text))
    if not names:
        return text
    name = random.choice(names)
    return f"{text[: name.end()]}x{text[name.end() :]}"


def change_number(text: str, random: Random) -> str:
    numbers = list(re.finditer(r"\b\d+\b", text))
    if not numbers:
        return text
    number = random.choice(numbers)
    return text[: number.start()] + str(random.choice((1, 2, 4, 5, 16))) + text[number.end() :]


def delete_chunk(text: str, random: Random) -> str:
    chunks = _TOP.split(text)
    del chunks[random.randrange(len(chunks))]
    return "".join(chunks)


def move_chunk(text: str, random: Random) -> str:
    chunks = _TOP.split(text)
    chunk = chunks.pop(random.randrange(len(chunks)))
    chunks.insert(random.randrange(len(chunks) + 1), chunk)
    return "".join(chunks)


def break_syntax(text: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    return f"{text[:place]}({text[place:]}"


EDITS: tuple[Callable[[str, Random], str], ...] = (
    insert_line, repeat_line, delete_line, rename, change_number, change_number, delete_chunk, move_chunk, break_syntax,
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def shown(analysis: Analysis) -> list[object]:
    """All that can be told from an analysis."""
    programs = [(Printer(with_events=True).program(p), [(gap[0], gap[1]) for gap in p.gaps]) for p in analysis.programs]
    return [*programs, *analysis.findings, *analysis.notices]


def session(project: Path, *, remember: bool) -> Session:
    return Session(Configuration(overrides={"root": project, "select": ("ALL",)}, isolated=True), remember=remember)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(8))
def test_after_any_edits_the_answer_is_that_of_a_fresh_start(project, seed):
    random = Random(seed)
    remembering = session(project, remember=True)
    documents = {name: Document.open(project / name) for name in FILES}
    for _ in range(25):
        name = random.choice(("model.py", "model.py", "model.py", "layers.py", "registry.py"))
        text = FILES[name] if random.random() < 0.25 else random.choice(EDITS)(documents[name].text, random)
        documents[name] = documents[name].edit(text)
        (project / name).write_text(text)
        remembering.tracer(remembering.configuration.for_file(project / name)).update(documents[name])
        for checked in ("model.py", "layers.py"):
            remembered = remembering.analyser(project / checked).analyse(documents[checked])
            fresh = session(project, remember=False).analyser(project / checked).analyse(Document.open(project / checked))
            if documents[checked].problem is None:
                assert shown(remembered) == shown(fresh)
            else:
                assert fresh.document.problem is not None


@pytest.mark.parametrize("seed", range(8, 10))
def test_what_is_forgotten_between_edits_is_not_missed(monkeypatch, project, seed):
    monkeypatch.setattr(incremental, "_GROWTH", 0)
    test_after_any_edits_the_answer_is_that_of_a_fresh_start(project, seed)


@pytest.fixture
def tracer(project: Path) -> Tracer:
    return Tracer(Settings(root=project))


def traced(tracer: Tracer, document: Document) -> dict[str, Program]:
    return {program.entry: program for program in tracer.trace(document).programs}


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("class Stem", "# a comment\n\nclass Stem", {"evaluate", "large", "describe"}),
        ("flatten(1)", "flatten(2)", {"evaluate", "large", "describe"}),
        ("counted = 0", "counted = 1", {"Stem.forward", "large"}),
        ("import torch\n", "import torch, math\n", {"Stem.forward", "evaluate", "large", "describe"}),
        ("\n\n\ndef evaluate", "\n\n\n\n\ndef evaluate", {"<module>", "Stem.forward", "large", "describe"}),
    ],
)
def test_programs_that_an_edit_does_not_concern_are_kept(tracer, project, old, new, kept):
    document = Document.open(project / "model.py")
    before = traced(tracer, document)
    after = traced(tracer, document.edit(MODEL.replace(old, new, 1)))
    assert kept <= {entry for entry, program in after.items() if program is before.get(entry)}


def test_places_of_kept_programs_follow_the_text(tracer, project):
    document = Document.open(project / "model.py")
    tracer.trace(document)
    traced_ = tracer.trace(document.edit("# a comment\n" + MODEL))
    stem = next(program for program in traced_.programs if program.entry == "Stem.forward")
    conv = next(op for op in stem.ops if op.kind == "conv")
    line = MODEL[: MODEL.index("self.conv(x)")].count("\n") + 2
    assert conv.site.document.span(conv.site.statement, conv.site.node).first.line == line


class Stopped(BaseException):
    """What the checkpoint of this test raises."""


@pytest.mark.parametrize("seed", range(3))
def test_work_that_is_stopped_leaves_nothing_behind(project, seed):
    random, left = Random(seed), [10**9]

    def checkpoint() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped

    settings = session(project, remember=False).configuration.for_file(project / "model.py")
    tracer = Tracer(settings, checkpoint=checkpoint)
    document = Document.open(project / "model.py")
    for _ in range(30):
        document = document.edit(MODEL if random.random() < 0.3 else random.choice(EDITS[:-1])(document.text, random))
        left[0] = random.choice((3, 10, 30, 100, 10**9))
        if document.problem is not None:
            continue
        try:
            programs = tracer.trace(document).programs
        except Stopped:
            continue
        fresh = Tracer(settings, remember=False).trace(Document.from_text(document.path, document.text)).programs
        show = [Printer(with_events=True).program(program) for program in programs]
        assert show == [Printer(with_events=True).program(program) for program in fresh]
