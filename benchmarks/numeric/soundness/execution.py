"""Programs run in process, with inputs at the ends of their ranges, and what each statement made."""

from __future__ import annotations

import math
import random
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import CodeType
from typing import Any, Final
from unittest import mock

import torch

from benchmarks.numeric.soundness.generator import Program

_WATCH: Final = "_watch"
_PLACE: Final = "_place"
_STATED: Final = re.compile(r"\s*# dllint: range (\w+) in \[(\S+), (\S+)\]")
#: The largest number below 1 that a uniform draw of a type gives: 1 - 2^-bits.
_BITS: Final = {torch.float64: 53, torch.float32: 24, torch.float16: 11, torch.bfloat16: 8}
#: How inputs are drawn, run by run.
MODES: Final = ("drawn", "lowest", "highest", "ends", "mixed")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a statement made once: the extremes of its elements, and whether 0 is among them."""

    low: float
    high: float
    zero: bool


@dataclass(slots=True)
class Run:
    """What the statements of a program made, by line number from 1, in the order in which they did, and whether the gradients
    that came back to them were finite. A run ends at the first NaN: what is computed of it is nowhere claimed."""

    seen: dict[int, list[Seen]] = field(default_factory=lambda: defaultdict(list))
    gradients: dict[int, bool] = field(default_factory=dict)
    finished: bool = False

    def watch(self, line: int, value: Any) -> None:
        """Note what a statement has made."""
        self.seen[line].append(_seen(value))
        if isinstance(value, torch.Tensor) and value.requires_grad and not value._is_view():  # torch 2.13 crashes on some views
            value.register_hook(partial(self._came_back, line))

    def _came_back(self, line: int, gradient: torch.Tensor) -> None:
        self.gradients[line] = self.gradients.get(line, True) and bool(torch.isfinite(gradient).all())


class NotANumberError(Exception):
    """A statement has made a NaN."""


def run(program: Program, mode: str, seed: int) -> Run:
    """Run a program once."""
    out = Run()
    names: dict[str, Any] = {_WATCH: out.watch, _PLACE: _stated}
    torch.manual_seed(seed)
    with warnings.catch_warnings(), drawing(mode, random.Random(seed)):
        warnings.simplefilter("ignore")
        try:
            exec(_watched(program.text, tuple(name for _, name in program.probed())), names)
        except NotANumberError:
            return out
        except (RuntimeError, ValueError, IndexError, TypeError, ZeroDivisionError, NameError):
            return out  # shapes that depend on elements, names of an arm that was not taken
    out.finished = True
    return out


@lru_cache(maxsize=1)
def _watched(text: str, names: tuple[str | None, ...]) -> CodeType:
    """The code of a program in which each probe tells what its variable holds, and what comments state is so."""
    out = []
    for number, (line, name) in enumerate(zip(text.splitlines(), names, strict=True), start=1):
        if name is not None:
            line = line.replace("probe =", f"{_WATCH}({number}, {name}); probe =")
        elif (stated := _STATED.search(line)) is not None:
            line = f"{line[: stated.start()]}; {_PLACE}({', '.join(stated.groups())})"
        out.append(line)
    return compile("\n".join(out), "program", "exec")


def _stated(value: torch.Tensor, low: float, high: float) -> None:
    """Put elements into a range."""
    value.data.clamp_(low, high)


def _seen(value: Any) -> Seen:
    if not isinstance(value, torch.Tensor):
        value = torch.tensor(value)
    numbers = value.detach().double()
    if not numbers.numel():
        return Seen(math.inf, -math.inf, False)
    if torch.isnan(numbers).any():
        raise NotANumberError
    return Seen(numbers.min().item(), numbers.max().item(), bool((numbers == 0).any()))


@contextmanager
def drawing(mode: str, source: random.Random) -> Iterator[None]:
    """torch's random tensors as a mode wants them, within what torch may give."""
    if mode == "drawn":
        yield
        return
    with mock.patch.multiple(torch, rand=_uniform(mode, source), randn=_normal(mode, source), randint=_whole(mode, source)):
        yield


def _uniform(mode: str, source: random.Random) -> Callable[..., torch.Tensor]:
    original = torch.rand

    def rand(*size: Any, **kwargs: Any) -> torch.Tensor:
        drawn = original(*size, **kwargs)
        return _placed(drawn, (0.0, 1 - 2.0 ** -_BITS[drawn.dtype]), (0.5, 2.0**-8), mode, source)

    return rand


def _normal(mode: str, source: random.Random) -> Callable[..., torch.Tensor]:
    original = torch.randn

    def randn(*size: Any, **kwargs: Any) -> torch.Tensor:
        """A trained tensor may be anything; a drawn one lies within a few deviations, and is not 0."""
        drawn = original(*size, **kwargs)
        trained = bool(kwargs.get("requires_grad"))
        ends = (-1e4, 1e4) if trained else (-4.5, 4.5)
        made = _placed(drawn.detach(), ends, (0.0, 1.0, -3e8) if trained else (0.125, -1.0), mode, source)
        return made.requires_grad_(trained)

    return randn


def _whole(mode: str, source: random.Random) -> Callable[..., torch.Tensor]:
    original = torch.randint

    def randint(low: int, high: int, size: Any, **kwargs: Any) -> torch.Tensor:
        return _placed(original(low, high, size, **kwargs), (low, high - 1), ((low + high) // 2,), mode, source)

    return randint


def _placed(
    drawn: torch.Tensor, ends: tuple[float, float], others: tuple[float, ...], mode: str, source: random.Random
) -> torch.Tensor:
    """Elements at the ends of a range, among others at random, or all at one end."""
    choices = {"lowest": ends[:1], "highest": ends[1:], "ends": ends}.get(mode, (*ends, *others))
    flat = [source.choice(choices) for _ in range(drawn.numel())]
    made = torch.tensor(flat, dtype=torch.float64).to(drawn.dtype).reshape(drawn.shape)
    return made if mode != "mixed" else torch.where(torch.rand_like(made.double()) < 0.5, made, drawn)
