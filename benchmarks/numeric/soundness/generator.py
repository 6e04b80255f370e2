"""Random programs: statements that torch accepts, one after the other.

A statement is tried on real tensors as soon as it is written and left out if torch refuses it, so that no rule about shapes or
element types is needed here: what is valid is what runs.
"""

from __future__ import annotations

import random
import string
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from benchmarks.numeric.soundness import grammar

#: Tensors with more elements are not kept.
_LARGEST: Final = 4096
_NAMES: Final = tuple(string.ascii_lowercase[:8])


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a program and the variable that it makes or changes; ``None`` for headers of branches and loops."""

    text: str
    target: str | None = None
    depth: int = 0

    def __str__(self) -> str:
        return "    " * self.depth + self.text


@dataclass(slots=True)
class Program:
    """A program as lines; ``leaf`` is the tensor whose gradient is asked for, if there is one."""

    lines: list[Line] = field(default_factory=list)
    leaf: str | None = None

    def probed(self) -> Iterator[tuple[str, str | None]]:
        """The lines of the source text. After each statement stands one that adds 0 to what it has made or changed, so that it
        has a range of its own; with it the variable."""
        for line in self.lines:
            yield str(line), None
            if line.target is not None:
                yield f"{'    ' * line.depth}probe = {line.target} + 0", line.target

    @property
    def text(self) -> str:
        """The source text, with probes."""
        return "\n".join(text for text, _ in self.probed()) + "\n"


#: The line that lets a loop of unknown length end.
COUNTED: Final = "rounds += 1"
HEADER: Final = (Line("import torch"), Line("import torch.nn.functional as F"), Line("from torch import nn"))


#: How torch refuses what is not valid.
_REFUSALS: Final = (RuntimeError, ValueError, IndexError, TypeError, ZeroDivisionError, AttributeError, AssertionError)


class Writer:
    """Writes one program. ``source`` draws everything, so that a seed gives the same program."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self._program = Program(list(HEADER))
        self._values: dict[str, Any] = {"torch": torch, "F": F, "nn": nn}

    def program(self, steps: int, with_gradient: bool) -> Program:
        """A program of about so many statements."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if with_gradient:
                self._leaf()
            while len(self._tensors(float)) < 2:
                self._input()
            for _ in range(steps):
                self._source.choice((self._input, self._change, self._branch, self._loop, *[self._statement] * 7))()
            if with_gradient:
                self._loss()
        return self._program

    def _tensors(self, kind: type) -> list[str]:
        """The variables with floating-point (``float``), whole (``int``) or all (``object``) elements."""
        found = [name for name, value in self._values.items() if isinstance(value, torch.Tensor)]
        if kind is object:
            return found
        wanted = {float: torch.is_floating_point, int: lambda v: not torch.is_floating_point(v) and v.dtype != torch.bool}[kind]
        return [name for name in found if wanted(self._values[name])]

    def _fresh(self) -> str:
        number = sum(line.target is not None for line in self._program.lines)
        return f"{self._source.choice(_NAMES)}{number}"

    def _filled(self, template: str) -> str | None:
        """A template with variables and numbers for its fields; operands preferably of one shape."""
        choice, fields = self._source.choice, {name for _, name, _, _ in string.Formatter().parse(template) if name}
        given: dict[str, Any] = {
            "c": choice(grammar.NUMBERS),
            "d": choice(grammar.POSITIVE),
            "k": self._source.randint(1, 7),
            "shape": choice(grammar.SHAPES),
            "dtype": choice(grammar.FLOATS),
            "whole": choice(grammar.INTEGERS),
        }
        for names, kind in ((("x", "y"), float), (("i", "j"), int)):
            if fields & set(names):
                pair = self._pair(kind)
                if pair is None:
                    return None
                given.update(zip(names, pair, strict=True))
        if "n" in fields:
            shape = self._values[given["x"]].shape
            given["n"] = shape[-1] if shape else 1
        return template.format(**given)

    def _pair(self, kind: type) -> tuple[str, str] | None:
        names = self._tensors(kind)
        if not names:
            return None
        first = self._source.choice(names[-8:])
        alike = [name for name in names if self._values[name].shape == self._values[first].shape]
        return first, self._source.choice(alike if self._source.random() < 0.8 else names)

    def _stated(self, name: str) -> str:
        """A comment that states the range of a variable."""
        return f"  # dllint: range {name} in {self._source.choice(grammar.STATED)}"

    def _input(self) -> None:
        if self._source.random() < 0.2:
            name = self._fresh()
            return self._try([Line(f"{name} = {self._filled(grammar.STATED_SOURCE)}{self._stated(name)}", name)])
        templates = grammar.SOURCES if self._source.random() < 0.8 else grammar.INTEGER_SOURCES
        return self._assign(self._source.choice(templates))

    def _leaf(self) -> None:
        """A trained tensor, and what is computed of it in known limits."""
        shape = self._source.choice(grammar.SHAPES)
        stated = self._stated("w") if self._source.random() < 0.4 else ""
        self._try([Line(f"w = torch.randn({shape}, requires_grad=True){stated}", "w")])
        self._program.leaf = "w"
        self._try([Line(f"p = {self._source.choice(grammar.LIMITED)}", "p")])

    def _loss(self) -> None:
        """The gradient of one of the last results."""
        names = [n for n in self._tensors(float) if self._values[n].requires_grad and n != "w"]
        if not names:
            self._program.leaf = None
            return
        name = self._source.choice(names[-3:])
        self._try([Line(f"loss = {name}.{self._source.choice(('sum', 'mean'))}()", "loss"), Line("loss.backward()")])
        if "loss" not in self._values:
            self._program.leaf = None

    def _statement(self) -> None:
        families, weights = zip(*grammar.FAMILIES, strict=True)
        (family,) = self._source.choices(families, weights=weights)
        template = self._source.choice(family)
        if self._source.random() < 0.2:  # a longer expression
            template = self._source.choice(grammar.UNARY).replace("{x}", f"({template})")
        self._assign(template)

    def _assign(self, template: str) -> None:
        text = self._filled(template)
        if text is not None:
            name = self._fresh()
            self._try([Line(f"{name} = {text}", name)])

    def _change(self) -> None:
        line = self._changing(grammar.CHANGES, 0)
        if line is not None:
            self._try([line])

    def _changing(self, templates: tuple[str, ...], depth: int) -> Line | None:
        """A statement that changes a variable. Its target is the name that the text begins with."""
        text = self._filled(self._source.choice(templates))
        if text is None:
            return None
        target = text[: next(n for n, letter in enumerate(text) if not letter.isalnum())]
        return None if target == self._program.leaf else Line(text, target, depth)

    def _branch(self) -> None:
        """A branch with one or two statements on each side."""
        test = self._filled(self._source.choice(grammar.TESTS))
        if test is None:
            return
        lines = [Line(f"if {test}:")]
        name = self._fresh()
        for arm in range(2):
            if arm:
                lines.append(Line("else:"))
            if self._source.random() < 0.4 and (step := self._changing(grammar.STEPS + grammar.CHANGES, 1)) is not None:
                lines.append(step)
                continue
            text = self._filled(self._source.choice(grammar.UNARY + grammar.SCALAR + grammar.BINARY))
            lines.append(Line(f"{name} = {text}", name, 1))
        self._try(lines)

    def _loop(self) -> None:
        """A loop of known or unknown length that changes a variable."""
        header = self._source.choice(grammar.LOOPS)
        first = self._filled(header)
        lines = [self._changing(grammar.STEPS, 1) for _ in range(self._source.randint(1, 2))]
        if first is None or any(line is None for line in lines):
            return
        body = [line for line in lines if line is not None]
        if header.startswith("while"):
            guard = [
                Line("rounds = 0"),
                Line(first.replace(":", " and rounds < 6:")),
                *body,
                Line(COUNTED, None, 1),
            ]
            self._try(guard)
        else:
            self._try([Line(first), *body])

    def _try(self, lines: list[Line]) -> None:
        """Add lines to the program if they run."""
        before = {name: value.clone() if isinstance(value, torch.Tensor) and not value.requires_grad else value
                  for name, value in self._values.items()}  # fmt: skip
        try:
            exec("\n".join(map(str, lines)), self._values)
        except _REFUSALS:
            self._values = before
            return
        if any(isinstance(v, torch.Tensor) and v.numel() > _LARGEST for v in self._values.values()):
            self._values = before
            return
        self._program.lines += lines


def generate(seed: int) -> Program:
    """The program of a seed."""
    source = random.Random(seed)
    torch.manual_seed(seed)
    return Writer(source).program(source.randint(3, 14), with_gradient=source.random() < 0.35)
