"""What a kind of fault is, and the register of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import libcst as cst

from benchmarks.training_slips.script import Change, Script

#: What comes of a fault: Python raises, or nothing is said.
Effect = Literal["raises", "silent"]
Changes = Mapping[cst.CSTNode, Change]


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a fault can be: the line that has it, and the parts of the script that change."""

    line: int
    changes: Changes


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault. ``codes``: the rules that shall tell it. ``check``: why a place that ``sites`` gives is faulty then."""

    name: str
    codes: tuple[str, ...]
    effect: Effect
    check: str
    sites: Callable[[Script], Iterator[Site]]


Sites = Callable[[Script], Iterator[Site]]


class Registry:
    """The kinds of one benchmark, in the order of their definitions; as a decorator, it adds one."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []

    def __call__(self, name: str, *codes: str, effect: Effect = "silent") -> Callable[[Sites], Sites]:
        """Register a function that gives the places for a kind of fault; its docstring is the check."""

        def register(sites: Sites) -> Sites:
            self.kinds.append(Kind(name, codes, effect, " ".join((sites.__doc__ or "").split()), sites))
            return sites

        return register


#: The kinds of faults of training.
kind: Final = Registry()
