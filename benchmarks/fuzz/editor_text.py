"""A text as a strict editor keeps it, in its own way: lines end at LF, CR LF and CR, columns count UTF-16 units."""

from __future__ import annotations

import re
from random import Random
from typing import Any, Final

_BREAK: Final = re.compile(r"\r\n|\n|\r")
_TYPED: Final = (
    "x",
    " ",
    "(",
    ")",
    "\n",
    "    ",
    "1",
    ".",
    ",",
    "=",
    "self.",
    "torch.",
    "nn.Linear(4, 3)",
    "'",
    '"',
    "# a word",
    "é",
    "𝐱",
    "😀",
    "\t",
    "\r\n",
    "\r",
    "def f(x):\n    return x\n",
    "x = torch.zeros(2, 3)\n",
    "import ",
    "None",
    ":",
    "-1",
    "\\",
    "\u2028",
    "if x:\n        ",
    "\n        x = x.view(7, -1)\n",
    "    def forward(self, x):\n        return x\n",
    "class A(nn.Module):\n    pass\n",
    "[",
    "]",
    "{",
    "}",
)
_WORD: Final = re.compile(r"\w+")


def units(text: str) -> int:
    """The UTF-16 units of a text."""
    return sum(2 if ord(character) > 0xFFFF else 1 for character in text)


def position(text: str, offset: int) -> dict[str, int]:
    """The place of an offset; between the two halves of a line break there is none."""
    breaks = [match.end() for match in _BREAK.finditer(text) if match.end() <= offset]
    start = breaks[-1] if breaks else 0
    return {"line": len(breaks), "character": units(text[start:offset])}


def holds(text: str, range_: dict[str, Any]) -> bool:
    """Whether a range lies in a text and does not end before it begins."""
    lines = _BREAK.split(text)
    ends = [range_["start"], range_["end"]]
    inside = all(0 <= end["line"] < len(lines) and 0 <= end["character"] <= units(lines[end["line"]]) for end in ends)
    first, last = ((end["line"], end["character"]) for end in ends)
    return inside and first <= last


def edit(text: str, random: Random) -> tuple[str, dict[str, Any]]:
    """The text after a random edit, and the edit as the protocol has it."""
    if random.random() < 0.02:
        return text, {"text": text}
    start, end = _extent(text, random)
    new = random.choice(_TYPED) if random.random() < 0.7 else ""
    if random.random() < 0.15 and text:
        at = random.randrange(len(text))
        new = text[at : at + random.randrange(200)]
    start, end = _whole(text, start), _whole(text, end)
    range_ = {"start": position(text, start), "end": position(text, end)}
    if end == len(text) and random.random() < 0.3:
        range_["end"] = {"line": range_["end"]["line"] + random.randrange(3), "character": 10**6}
    return text[:start] + new + text[end:], {"range": range_, "text": new}


def _extent(text: str, random: Random) -> tuple[int, int]:
    words = list(_WORD.finditer(text))
    if words and random.random() < 0.5:
        return random.choice(words).span()
    start = random.randrange(len(text) + 1)
    return start, min(len(text), start + random.choice((0, 0, 0, 1, 1, 2, 10, 60)))


def _whole(text: str, offset: int) -> int:
    """The offset, or the one behind it where it would tear a line break apart."""
    return offset + 1 if text[offset - 1 : offset + 1] == "\r\n" else offset


def back(text: str, wanted: str) -> dict[str, Any]:
    """The one edit that makes a text another: what an editor sends when edits are undone."""
    start = 0
    while start < min(len(text), len(wanted)) and text[start] == wanted[start]:
        start += 1
    if "\r" in text[max(start - 1, 0) : start + 1] + wanted[max(start - 1, 0) : start + 1]:
        return {"text": wanted}
    end, end_wanted = len(text), len(wanted)
    while min(end, end_wanted) > start and text[end - 1] == wanted[end_wanted - 1] and text[end - 1] not in "\r\n":
        end, end_wanted = end - 1, end_wanted - 1
    if "\r" in text[max(end - 1, 0) : end + 1]:
        return {"text": wanted}
    return {"range": {"start": position(text, start), "end": position(text, end)}, "text": wanted[start:end_wanted]}
