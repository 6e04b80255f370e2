"""Random Python programs whose difficulty is control flow: which statements are executed, and on what values.

Every program is a module. ``flag("A")`` is a condition that the source does not decide; it is answered by the environment.
Variables keep their kind: ``t…`` tensors, ``n…`` numbers, ``s…`` texts, ``d…`` element types, ``o…`` a tensor or None,
``b…`` lists.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

#: Conditions that the environment answers.
FLAGS: Final = ("A", "B", "C")
PREAMBLE: Final = """\
import os
from contextlib import suppress
import numpy as np
import torch


def flag(name):
    return os.environ.get(name) == "1"


def narrow(t, width):
    return t[:, :width]


def flat(t, rows):
    if rows > 4:
        raise ValueError("too many rows")
    return t.view(rows, -1)


t0, t1, t2 = torch.zeros(2, 6), torch.ones(3, 4), torch.zeros(6)
n0, n1, n2 = 2, 3, 6
s0, s1 = "same", "valid"
d0, d1 = torch.float32, torch.int64
o0, o1 = None, torch.zeros(2, 6)
b0 = [torch.zeros(2, 6), torch.ones(3, 4)]
"""
_ERRORS: Final = (
    "RuntimeError", "ValueError", "IndexError", "KeyError", "Exception", "(RuntimeError, ValueError)", "ZeroDivisionError",
    "AssertionError", "TypeError", "(IndexError, RuntimeError, ValueError)",
)  # fmt: skip
_RAISED: Final = ("RuntimeError", "ValueError", "KeyError", "IndexError", "AssertionError")
_MOST_STATEMENTS: Final = 9
_DEEPEST: Final = 3


class Writer:
    """Writes one program from a stream of random choices."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._lines: list[str] = []
        self._depth = 0
        self._loops = 0
        self._returns = False
        self._functions = self._counters = 0

    def statements(self) -> list[str]:
        """The statements of the program behind the preamble."""
        out = []
        for _ in range(self._random.randint(4, _MOST_STATEMENTS)):
            self._lines = []
            self._statement()
            out.append("\n".join(self._lines) + "\n")
        return out

    # --- statements ---------------------------------------------------------------------------------------------------

    def _write(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _statement(self) -> None:
        simple: list[Callable[[], None]] = [self._assignment] * 5 + [self._unpacking]
        nested: list[Callable[[], None]] = [self._if, self._if, self._try, self._try, self._suppress, self._for, self._while]
        if self._depth == 0:
            nested.append(self._function)
        if self._loops:
            simple.append(self._jump)
        if self._depth:
            simple.append(self._raise)
        if self._returns and self._depth > 1:
            simple.append(lambda: self._write(f"return {self._tensor()}"))
        self._random.choice(simple + nested if self._depth < _DEEPEST else simple)()

    def _block(self, most: int = 3) -> None:
        self._depth += 1
        for _ in range(self._random.randint(1, most)):
            self._statement()
        self._depth -= 1

    def _suite(self, head: str) -> None:
        """A head with a block, or with statements on its line."""
        if self._random.random() < 0.15:
            parts = "; ".join(self._assigned() for _ in range(self._random.randint(1, 2)))
            self._write(f"{head} {parts}")
        else:
            self._write(head)
            self._block()

    def _assignment(self) -> None:
        self._write(self._assigned())

    def _assigned(self) -> str:
        r = self._random
        return r.choice([
            lambda: f"t{r.randrange(3)} = {self._tensor()}",
            lambda: f"t{r.randrange(3)} = {self._tensor()}",
            lambda: f"n{r.randrange(3)} = {self._number()}",
            lambda: f"s{r.randrange(2)} = {r.choice(['s0', 's1', repr('same'), repr('valid'), repr('full')])}",
            lambda: f"d{r.randrange(2)} = {self._dtype()}",
            lambda: f"o{r.randrange(2)} = {r.choice(['None', self._variable('t'), 'o0', 'o1'])}",
            lambda: f"b0.append({self._variable('t')})",
            lambda: f"n{r.randrange(3)} += {r.choice(['-1', '1', '2'])}",
        ])()  # fmt: skip

    def _unpacking(self) -> None:
        r = self._random
        source = r.choice(["t0.shape", "t1.shape", "t2.shape", "(n1, n0)", "b0[0].shape"])
        targets = r.choice(["n0, n1", "n0, n2", "n1, *_", "n0, n1, n2"])
        self._write(f"{targets} = {source}")

    def _if(self) -> None:
        self._suite(f"if {self._condition()}:")
        while self._random.random() < 0.3:
            self._suite(f"elif {self._condition()}:")
        if self._random.random() < 0.5:
            self._suite("else:")

    def _try(self) -> None:
        r = self._random
        self._suite("try:")
        for _ in range(r.randint(1, 2)):
            self._suite(f"except {r.choice(_ERRORS)}{' as error' if r.random() < 0.2 else ''}:")
        if r.random() < 0.25:
            self._suite("else:")
        if r.random() < 0.2:  # a jump out of it would swallow the exception
            loops, self._loops = self._loops, 0
            self._suite("finally:")
            self._loops = loops

    def _suppress(self) -> None:
        self._suite(f"with suppress({self._random.choice(_ERRORS).strip('()')}):")

    def _for(self) -> None:
        r = self._random
        target, over = r.choice([
            ("i", f"range({r.randint(0, 4)})"), ("i", "range(n0)"), ("t1", "list(b0)"), ("i, t0", "enumerate(b0[:2])"),
            ("s0", "('same', 'valid')"), ("i", "range(3, 0, -1)"), ("n0, s1", "zip((1, 2), 'ab')"),
        ])  # fmt: skip
        self._loops += 1
        self._suite(f"for {target} in {over}:")
        self._loops -= 1

    def _while(self) -> None:
        self._counters += 1
        name = f"w{self._counters}"
        self._write(f"{name} = 0")
        self._write(f"while {name} < {self._random.randint(1, 4)}:")
        self._depth += 1
        self._write(f"{name} += 1")
        self._depth -= 1
        self._loops += 1
        self._block(2)
        self._loops -= 1

    def _jump(self) -> None:
        self._write(f"if {self._condition()}: {self._random.choice(['break', 'continue'])}")

    def _raise(self) -> None:
        r = self._random
        text = r.choice([f"raise {r.choice(_RAISED)}('odd')", f"assert {self._condition()}"])
        self._write(f"if {self._condition()}: {text}" if text.startswith("raise") else text)

    def _function(self) -> None:
        name = f"f{self._functions}"
        self._functions += 1
        self._write(f"def {name}(t0, n0, t1=None):")
        loops, self._loops, self._returns = self._loops, 0, True
        self._depth += 1
        self._write("t1 = torch.ones(3, 4) if t1 is None else t1")
        self._write("t2, n1, n2, s0, s1, d0, d1 = torch.zeros(6), 3, 6, 'same', 'valid', torch.float32, t0.dtype")
        self._write("o0, o1, b0 = None, t0, [t0, t1]")
        self._depth -= 1
        self._block(4)
        self._loops, self._returns = loops, False
        self._depth += 1
        self._write(f"return {self._random.choice(['t0', 't1', 't2'])}")
        self._depth -= 1
        self._write(f"t{self._random.randrange(3)} = {name}({self._variable('t')}, {self._number()})")

    # --- expressions --------------------------------------------------------------------------------------------------

    def _variable(self, kind: str) -> str:
        return f"{kind}{self._random.randrange({'t': 3, 'n': 3, 's': 2, 'd': 2, 'o': 2}[kind])}"

    def _tensor(self) -> str:
        r, t, u, n = self._random, self._variable("t"), self._variable("t"), self._variable("n")
        return r.choice([
            f"torch.zeros(min({n}, 9), {r.randint(1, 6)})", f"torch.ones({r.randint(1, 6)}, dtype={self._variable('d')})",
            f"{t}.view({n}, -1)", f"{t}.view({r.randint(1, 4)}, {r.randint(1, 6)})", f"{t}.reshape(-1)", f"{t} @ {u}",
            f"{t} + {u}",
            f"torch.cat([{t}, {u}])", f"{t}[:, {r.randint(0, 3)}]", f"{t}[{n}]", f"{t}.to({self._variable('d')})", f"{t}.t()",
            f"{t}.unsqueeze({r.randint(0, 2)})", f"{t}.sum({r.randint(0, 1)})", f"flat({t}, {n})", f"narrow({t}, {n})",
            f"({t} if {self._condition()} else {u})", "b0[-1]", f"b0[{r.randint(0, 2)}]", f"{{'a': {t}}}[{self._key()}]",
            f"({self._variable('o')} if {self._variable('o')} is not None else {t})",
        ])  # fmt: skip

    def _key(self) -> str:
        return self._random.choice(["'a'", "'a'", "'b'", "s0"])

    def _number(self) -> str:
        r, t, n = self._random, self._variable("t"), self._variable("n")
        return r.choice([
            str(r.randint(0, 6)), f"({n} + {r.randint(1, 3)}) % 8", f"{n} * 2 % 7", f"{n} // {self._variable('n')}",
            f"{t}.shape[0]",
            f"{t}.shape[-1]", f"{t}.dim()", "len(b0)", f"int('{r.choice(['3', '5', 'x'])}')", f"[1, 2, 4][{n}]",
            f"{t}.size({r.randint(0, 2)})", f"max({n}, {r.randint(1, 4)})",
            f"{n} if {self._condition()} else {r.randint(1, 4)}",
            f"{t}.numel()", f"{{'a': 2, 'b': 3}}[{self._key()}]",
        ])  # fmt: skip

    def _dtype(self) -> str:
        t = self._variable("t")
        return self._random.choice([
            f"{t}.dtype", "torch.float32", "torch.float", "torch.int64", "torch.long", "torch.float64", "d0", "d1",
            "{'f': torch.float16, 'i': torch.int32}['i']",
        ])  # fmt: skip

    def _condition(self) -> str:
        r = self._random
        if r.random() < 0.2:
            return f"{self._condition()} {r.choice(['and', 'or'])} {self._condition()}"
        if r.random() < 0.1:
            return f"not ({self._condition()})"
        t, n, o, d = (self._variable(kind) for kind in "tnod")
        return r.choice([
            f"flag({r.choice(FLAGS)!r})", f"flag({r.choice(FLAGS)!r})",
            f"{n} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {r.choice([str(r.randint(0, 6)), self._variable('n')])}",
            f"{t}.dim() == {r.randint(1, 3)}", f"{t}.shape[0] == {n}", f"{t}.shape == {self._variable('t')}.shape",
            f"{o} is None", f"{o} is not None", f"isinstance({o}, torch.Tensor)", f"isinstance({n}, int)",
            f"isinstance({t}, (list, tuple))", f"{d} == torch.float32", f"{d} is torch.int64", f"{t}.dtype == {d}",
            f"{d} in (torch.float32, torch.float64)", f"{t}.dtype != torch.float", f"{self._variable('s')} == 'same'",
            f"{self._variable('s')} in ('same', 'full')", f"{self._variable('s')}.startswith('va')",
            f"len(b0) > {r.randint(1, 3)}",
            f"{t}.is_floating_point()", f"{d} == np.float32",
            "torch.float32 == torch.float",
            "hasattr(t0, 'shape')", "b0",
        ])  # fmt: skip


def generate(seed: int) -> list[str]:
    """The top-level statements of a seed's program, which stand behind the preamble."""
    return Writer(seed).statements()
