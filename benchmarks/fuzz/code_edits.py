"""Random edits of code: what people do to lines, names, numbers and definitions. Most leave a text that parses."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

from benchmarks.fuzz.editor_text import edit

_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")
_NAME: Final = re.compile(r"\b[a-zA-Z_]\w{2,}\b")
_TOP: Final = re.compile(r"(?m)^(?=[@A-Za-z])")
_SIMPLE: Final = re.compile(
    r"(?m)^([ ]*)(?:[\w.]+ [-+*/]?= [^\n]*[^\n\\,(\[{]|return [^\n]*[^\n\\,(\[{])\n(?=\1\S|\n|[ ]{0,3}\S)"
)
_TYPED: Final = (
    "added_here = 3",
    "x = x * 2",
    "x = x.reshape(2, -1)",
    "print(x)",
    "self.extra = 4",
    "self.extra = x",
    "self.training = False",
    "import math",
    "loss.backward()",
    "optimizer.step()",
    "model.eval()",
    "for step in range(3): x = x + step",
    "with torch.no_grad(): x = x + 1",
    "assert x is not None",
    "global counter; counter = 1",
    "raise ValueError",
    "del x",
    "# a comment",
    "# noqa",
    "",
)


def type_statement(text: str, random: Random) -> str:
    """A statement before or behind another one, with its margin."""
    places = list(_SIMPLE.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    at = place.start() if random.random() < 0.5 or place[0].lstrip().startswith("return") else place.end()
    return f"{text[:at]}{place[1]}{random.choice(_TYPED)}\n{text[at:]}"


def delete_statement(text: str, random: Random) -> str:
    """One statement less."""
    places = list(_SIMPLE.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + text[place.end() :]


def exchange_statements(text: str, random: Random) -> str:
    """A statement in the place of another one of the same margin."""
    places = list(_SIMPLE.finditer(text))
    if not places:
        return text
    place = random.choice(places)
    other = random.choice([one for one in places if one[1] == place[1]])
    return text[: place.start()] + other[0] + text[place.end() :]


def change_number(text: str, random: Random) -> str:
    """Another number."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text
    number = random.choice(numbers)
    return text[: number.start()] + str(random.choice((0, 1, 2, 3, 7, 16))) + text[number.end() :]


def exchange_names(text: str, random: Random) -> str:
    """A name where another one was."""
    names = list(_NAME.finditer(text))
    if not names:
        return text
    name, other = random.choice(names), random.choice(names)
    return text[: name.start()] + other[0] + text[name.end() :]


def misspell(text: str, random: Random) -> str:
    """A name with a letter more."""
    names = list(_NAME.finditer(text))
    if not names:
        return text
    end = random.choice(names).end()
    return f"{text[:end]}x{text[end:]}"


def delete_line(text: str, random: Random) -> str:
    """One line less."""
    lines = text.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def move_chunk(text: str, random: Random) -> str:
    """A statement of the top level at another place, or gone."""
    chunks = _TOP.split(text)
    chunk = chunks.pop(random.randrange(len(chunks)))
    if random.random() < 0.7:
        chunks.insert(random.randrange(len(chunks) + 1), chunk)
    return "".join(chunks)


def strike_keys(text: str, random: Random) -> str:
    """Whatever an editor may send."""
    return edit(text, random)[0]


#: How often each is taken.
WEIGHTS: Final[dict[Callable[[str, Random], str], int]] = {
    type_statement: 5,
    delete_statement: 3,
    exchange_statements: 3,
    change_number: 4,
    exchange_names: 3,
    misspell: 2,
    delete_line: 2,
    move_chunk: 2,
    strike_keys: 2,
}


def code_edit(text: str, random: Random) -> str:
    """The text after one random edit."""
    (make,) = random.choices(list(WEIGHTS), list(WEIGHTS.values()))
    return make(text, random)
