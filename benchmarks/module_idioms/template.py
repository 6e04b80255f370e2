"""Templates of programs: source text with alternatives, of which a draw takes one each.

A template is a text file. Lines that begin with ``%`` are its own:

``%setting NAME|SYNONYM... VALUE...``
    a number, flag or text that the program is told; it is written ``$NAME`` where the program uses it, and ``NAME=§NAME§``
    where it is a parameter with a default.
``%let NAME VALUE...``
    one of some words, written ``§NAME§``; ``§NAME*TEXT§`` is TEXT as often as the word says, with commas between.
``%data NAME = EXPRESSION``
    what a batch of the data holds.
``%whole``
    a batch is given as a whole: what the first axis numbers are not samples.
``%definitions`` ``%main`` ``%step``
    what follows are the classes and functions; what makes the model; what one step of training does, which leaves ``loss``.
``%one NAME`` ``%or`` ``%end``
    one of some blocks of lines. Those of one NAME are drawn together; NAME may be left out.

``<<a||b>>`` and ``<<NAME: a||b>>`` are alternatives within a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

FAMILIES: Final = tuple(sorted(path.stem for path in (Path(__file__).parent / "families").glob("*.txt")))
_SECTIONS: Final = ("definitions", "main", "step")
_INLINE: Final = re.compile(r"<<(?:(\w+): )?((?:(?!<<|>>).)*)>>")
_TIMES: Final = re.compile(r"§(\w+)\*([^§]*)§")
#: Defaults that a parameter has although nobody relies on them.
_ODD: Final = ("None", "0", "1", "7", "100", "-1")
#: Behind the name of a parameter, where its default is put.
DEFAULT: Final = re.compile(r"(\w+)=§(\w+)§")


@dataclass(slots=True)
class Draft:
    """A template with its alternatives taken: ``settings``, ``others`` and ``odd`` have the source of a value that is used, of
    one that could be, and of one that could not; places of settings are still open. ``form`` is the seed of changes of form."""

    family: str
    settings: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)
    whole: bool = False
    form: str = ""


def draw(family: str, random: Random) -> Draft:
    """Take one of each of a template's alternatives."""
    text = (Path(__file__).parent / "families" / f"{family}.txt").read_text(encoding="utf-8")
    return _Drawing(random, Draft(family)).drawn(text)


@dataclass(slots=True)
class _Drawing:
    random: Random
    draft: Draft
    words: dict[str, str] = field(default_factory=dict)
    synonyms: dict[str, str] = field(default_factory=dict)
    #: What was taken of alternatives that have a name, as a share of their number.
    taken: dict[str, int] = field(default_factory=dict)

    def drawn(self, text: str) -> Draft:
        sections: dict[str, list[str]] = {name: [] for name in _SECTIONS}
        lines = sections["definitions"]
        for line in self._taken(iter(text.splitlines())):
            word, _, rest = line.strip().partition(" ")
            if word == "%setting":
                self._setting(rest)
            elif word == "%let":
                name, *values = rest.split()
                self.words[name] = self.random.choice(values)
            elif word == "%whole":
                self.draft.whole = True
            elif word == "%data":
                name, _, expression = self._filled(rest).partition(" = ")
                self.draft.data[name] = expression
            elif word.startswith("%"):
                lines = sections[word[1:]]
            else:
                lines.append(self._filled(line))
        self.draft.sections = {name: self._renamed("\n".join(lines).strip("\n") + "\n") for name, lines in sections.items()}
        self.draft.data = {name: self._renamed(expression) for name, expression in self.draft.data.items()}
        return self.draft

    def _setting(self, text: str) -> None:
        names, *values = text.split()
        first, *_ = choices = names.split("|")
        name = self.synonyms[first] = self.random.choice(choices)
        self.draft.settings[name] = self.random.choice(values)
        self.draft.others[name] = self.random.choice([v for v in values if v != self.draft.settings[name]] or values)
        self.draft.odd[name] = self.random.choice(_ODD)

    def _taken(self, lines: Iterator[str]) -> Iterator[str]:
        """The lines up to the end of the block, with one arm of each block of alternatives."""
        for line in lines:
            word, _, name = line.strip().partition(" ")
            if word in ("%or", "%end"):
                raise ValueError(f"{self.draft.family}: {word} without %one")
            if word != "%one":
                yield line
                continue
            arms = _arms(lines)
            yield from self._taken(iter(arms[self._choice(name, len(arms))]))

    def _choice(self, name: str, count: int) -> int:
        if not name:
            return self.random.randrange(count)
        return self.taken.setdefault(name, self.random.randrange(count))

    def _filled(self, line: str) -> str:
        while found := _INLINE.search(line):
            arms = found[2].split("||")
            line = line[: found.start()] + arms[self._choice(found[1] or "", len(arms))] + line[found.end() :]
        line = _TIMES.sub(lambda found: ", ".join([found[2]] * int(self.words[found[1]])), line)
        for name, word in self.words.items():
            line = line.replace(f"§{name}§", word)
        return line

    def _renamed(self, text: str) -> str:
        for name, synonym in self.synonyms.items():
            text = re.sub(rf"\b{name}\b", synonym, text)
        return text


def _arms(lines: Iterator[str]) -> list[list[str]]:
    """The arms of a block of alternatives, up to its end."""
    arms: list[list[str]] = [[]]
    depth = 0
    for line in lines:
        word = line.strip().partition(" ")[0]
        if word == "%end" and not depth:
            return arms
        depth += (word == "%one") - (word == "%end")
        if word == "%or" and not depth:
            arms.append([])
        else:
            arms[-1].append(line)
    raise ValueError("%one without %end")
