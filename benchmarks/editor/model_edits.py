"""Edits as people make them in a model file, and a model file to make them in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
BLOCK = """

class Block{n}(nn.Module):
    \"\"\"Two convolutions and a shortcut.\"\"\"

    def __init__(self, channels, groups={groups}, dropout=0.0):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels * 2, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(channels * 2)
        self.conv2 = nn.Conv2d(channels * 2, channels, 3, padding=1, groups=groups)
        self.norm2 = nn.BatchNorm2d(channels)
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()

    def forward(self, x):
        shortcut = x
        x = F.relu(self.norm1(self.conv1(x)))
        x = self.norm2(self.conv2(x))
        return F.relu(self.dropout(x) + shortcut)
"""
MODEL = """

class {name}(nn.Module):
    def __init__(self, width=32, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, stride=2, padding=3)
        self.stages = nn.Sequential({blocks})
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stages(self.stem(x))
        return self.head(x.mean((2, 3)))


def {function}(**kwargs):
    return {name}(width=64, **kwargs)
"""
_FORWARD = re.compile(r"^    def (?:forward|call)\(self, (\w+)[^\n]*\n((?:        [^\n]*\n|\n)+)", re.MULTILINE)
_WIDTH = re.compile(r"(?:nn|layers)\.(?:Linear|Conv2[dD]|LayerNorm|Dense)\(\s*(\w+)")
_IMPORT = re.compile(r"^(?:import torch|from torch)", re.MULTILINE)
_IN_BODY = re.compile(r"^( +)(?:self\.)?\w+ = [^\n]*[^\n\\,(\[{]\n(?=\1\w)", re.MULTILINE)


def model_file(lines: int) -> str:
    """A file of about so many lines: four models of blocks of their own."""
    count = (lines - 4 * MODEL.count("\n")) // BLOCK.count("\n")
    blocks = [BLOCK.format(n=n, groups=1 + n % 2) for n in range(count)]
    models = []
    for number in range(4):
        own = ", ".join(f"Block{n}(width)" for n in range(number, count, 4))
        models.append(MODEL.format(name=f"Model{number}", function=f"model{number}", blocks=own))
    return HEAD + "".join(blocks) + "".join(models)


def edits(text: str, kind: str, most: int) -> Iterator[str]:
    """Texts that differ from ``text`` by one edit of a kind, each at another place."""
    places = _PLACES[kind](text)
    Random(0).shuffle(places)
    for start, end, new in places[:most]:
        yield text[:start] + new + text[end:]


def _in_forward(text: str) -> list[tuple[int, int, str]]:
    """A statement typed at the start of a ``forward``'s last line."""
    out = []
    for match in _FORWARD.finditer(text):
        lines = match[2].rstrip("\n").split("\n")
        if lines[-1].startswith("        return"):
            place = match.start(2) + sum(len(line) + 1 for line in lines[:-1])
            out.append((place, place, f"        {match[1]} = {match[1]} * 2\n"))
    return out


def _width(text: str) -> list[tuple[int, int, str]]:
    return [(m.start(1), m.end(1), f"{m[1]} * 2") for m in _WIDTH.finditer(text)]


def _top(_text: str) -> list[tuple[int, int, str]]:
    return [(0, 0, "# a comment\n")] * 3


def _import(text: str) -> list[tuple[int, int, str]]:
    return [(m.start(), m.start(), "import math\n") for m in _IMPORT.finditer(text)]


def _comment(text: str) -> list[tuple[int, int, str]]:
    """A comment on a line of its own below a statement in a body."""
    return [(m.end(), m.end(), f"{m[1]}# what comes next is needed\n") for m in _IN_BODY.finditer(text)]


_PLACES = {
    "typing in forward": _in_forward,
    "a width": _width,
    "a comment in a body": _comment,
    "a line at the top": _top,
    "an import": _import,
}
KINDS = tuple(_PLACES)
