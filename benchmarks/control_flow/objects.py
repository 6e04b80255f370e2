"""Random Python programs whose difficulty is Python's objects: classes, containers, closures, texts and numbers.

Every program defines a class and one derived from it, and works with objects of them. What it consists of stands in
``expressions`` and ``definitions``.
"""

from __future__ import annotations

import re
from random import Random
from textwrap import indent
from typing import Final

from benchmarks.control_flow.definitions import (
    BLOCKS,
    CONTINUED,
    FUNCTIONS,
    FURTHER,
    MATCHES,
    METHODS,
    RARE,
    RECORD,
    SIMPLE,
    STARTS,
)  # fmt: skip
from benchmarks.control_flow.expressions import TEMPLATES, VARIABLES, WORDS

PREAMBLE: Final = """\
import copy
import dataclasses
import functools
import itertools
import json
import math
import operator
import os
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from types import SimpleNamespace
from typing import NamedTuple
import numpy as np
import torch
from torch import nn


def flag(name):
    return os.environ.get(name) == "1"


@contextmanager
def entered(n):
    yield n + 1


class E1(Enum):
    low = 1
    mid = 2
    high = auto()


class E2(IntEnum):
    big = 7


R1 = namedtuple("R1", "left right", defaults=[5])


@dataclass
class D1:
    n: int = 2
    s: str = "d"
    b: list = field(default_factory=list)

    def total(self):
        return self.n + len(self.s)


n0, n1, n2, n3 = 2, 3, 6, -4
x0, x1 = 0.5, 2.75
s0, s1, s2 = "ab", "a_b_c", "12"
b0, b1, b2 = [3, 1, 2], [4, 0], [5, -1, 5, 2]
c0 = ["b", "ab", "c"]
g0 = [[1, 2], [3]]
m0, m1 = {"a": 1, "b": 2}, {"c": 3}
u0, u1 = (2, 3), (1,)
v0 = {1, 2, 5}
q0 = True
t0, t1 = torch.zeros(2, 6), torch.ones(3)
k0 = k1 = k2 = None
"""
_PLACE: Final = re.compile(r"<([*]?[a-zA-Z#])>")
_DEEPEST: Final = 2
#: Heads of blocks in which ``i`` is a number.
_BINDS: Final = re.compile(r"(for|,|as) i\b")
#: What stands for a kind inside methods.
_OWN: Final = {"n": ("self.n",), "s": ("self.s",), "b": ("self.b",), "m": ("self.m",)}
#: What speaks of objects, which methods do not.
_OBJECTS: Final = re.compile(r"<k>|<K>|\bK\d|<M>\.|<B>\.|<C>\.|flag")


class Writer:
    """Writes one program from a stream of random choices."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._uses = 0
        self._inside = False
        self._own: dict[str, tuple[str, ...]] = {}
        self._loops = 0

    def statements(self) -> list[str]:
        """The statements of the program behind the preamble."""
        out = [*self._classes(), "k0 = K0(3)\n", "k1 = K1(4)\n", "k2 = K1()\n"]
        out += [self._statement(0) + "\n" for _ in range(self._random.randint(6, 14))]
        return out

    # --- expressions --------------------------------------------------------------------------------------------------

    def _fill(self, template: str, depth: int) -> str:
        """A template with something in all of its places."""
        number = ""
        if "<#>" in template:
            self._uses += 1
            number = str(self._uses)

        def place(found: re.Match[str]) -> str:
            kind = found[1]
            if kind == "#":
                return number
            if kind in "ijw":
                return self._written(kind)
            if kind[0] == "*":
                return self._random.choice(VARIABLES[kind[1]])
            if kind.isupper():
                return self._variable(kind.lower())
            text = self.expression(kind, depth)
            applied = found.string[found.end() : found.end() + 1] in (".", "[")
            return f"({text})" if applied and not text.isidentifier() else text

        return _PLACE.sub(place, template)

    def _written(self, kind: str) -> str:
        if kind == "w":
            return repr(self._random.choice(WORDS))
        return str(self._random.randint(0, 4) if kind == "i" else self._random.randint(1, 4))

    def _variable(self, kind: str) -> str:
        if self._inside and kind in self._own:
            return self._random.choice(self._own[kind])
        if self._loops and kind == "n" and self._random.random() < 0.4:
            return "i"
        if kind in "nbms" and not self._inside and self._random.random() < 0.15:
            return f"{self._random.choice(VARIABLES['k'])}.{kind}"
        return self._random.choice(VARIABLES[kind])

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        templates = TEMPLATES[kind]
        if depth >= _DEEPEST or self._random.random() < 0.35:
            return self._variable(kind) if kind != "q" or self._random.random() < 0.5 else "flag('A')"
        for _ in range(20):
            template = self._random.choice(templates)
            if not (self._inside and _OBJECTS.search(template)):
                return self._fill(template, depth + 1)
        return self._variable(kind)

    # --- statements ---------------------------------------------------------------------------------------------------

    def _statement(self, depth: int) -> str:
        r = self._random.random()
        if depth == 0 and r < 0.2:
            return self._fill(self._random.choice(FUNCTIONS), 0)
        if depth < 2 and r < 0.4:
            return self._compound(depth)
        if depth < 2 and r < 0.45:
            return self._match(depth)
        return self._fill(self._random.choice(SIMPLE), 0)

    def _block(self, depth: int) -> str:
        return indent("\n".join(self._statement(depth + 1) for _ in range(self._random.randint(1, 3))), "    ")

    def _compound(self, depth: int) -> str:
        out = []
        parts = self._random.choice(BLOCKS)
        loop = _BINDS.search(parts[0]) is not None
        for part in parts:
            out.append(self._fill(part, 1))
            self._loops += loop
            out.append(self._block(depth))
            self._loops -= loop
        return "\n".join(out)

    def _match(self, depth: int) -> str:
        subject, cases = self._random.choice(MATCHES)
        out = [f"match {self._fill(subject, 1)}:"]
        for case in cases:
            if self._random.random() < 0.7 or len(out) == 1:
                out += [f"    {case}", indent(self._block(depth), "    ")]
        return "\n".join(out)

    # --- classes ------------------------------------------------------------------------------------------------------

    def _classes(self) -> list[str]:
        r = self._random
        self._inside = True
        record = r.random() < 0.15
        start = RECORD if record else r.choice(STARTS)
        head = "@dataclass\nclass K0:" if record else "class K0:"
        shared = [
            f"count = {r.randint(0, 2)}",
            "items = []",
            "options = {'o': 1}",
            f"limit = {r.randint(1, 5)}",
            "linked = None",
        ]
        names = [name for name in METHODS if name not in RARE or r.random() < 0.3]
        begun, continued = self._fill(start, 1), self._fill(r.choice(CONTINUED), 1)
        self._own = _OWN
        first = [*shared, begun, *(self._method(name, METHODS[name]) for name in names)]
        more: list[str] = [
            f"{name} = {value}"
            for name, value in (("limit", 7), ("count", 0), ("items", "[9]"), ("tag", "'t'"))
            if r.random() < 0.3
        ]
        more.append(continued)
        more += [self._method(name, METHODS[name]) for name in METHODS if r.random() < 0.1 and not name.startswith("@value")]
        more += [self._method(name, FURTHER[name]) for name in FURTHER if r.random() < 0.2]
        mixin = "class M0:\n    def step(self, n):\n        return super().step(n) * 2\n\n\n" if r.random() < 0.3 else ""
        self._inside = False
        bases = r.choice(["M0, K0", "M0, K0", "K0"]) if mixin else "K0"
        return [_class(head, first), mixin + _class(f"class K1({bases}):", more)]

    def _method(self, name: str, bodies: tuple[str, ...]) -> str:
        body = self._fill(self._random.choice(bodies), 1)
        decorator, _, rest = name.partition(" ") if name.startswith("@") else ("", "", name)
        head = rest if "(" in rest else f"{rest}(self)"
        return (f"{decorator}\n" if decorator else "") + f"def {head}:\n{indent(body, '    ')}"


def _class(head: str, members: list[str]) -> str:
    return f"{head}\n{indent(chr(10).join(m for m in members if m) or 'pass', '    ')}\n"


def generate(seed: int) -> list[str]:
    """The top-level statements of a seed's program, which stand behind the preamble."""
    return Writer(seed).statements()
