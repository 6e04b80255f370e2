"""An interpreter between two statements, in which anything can be called."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import registry
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import Arguments, ClassVal, FuncVal, InstanceVal, LibSymbol, ModuleVal, Value
from dllint.lower import mro, toplevel
from dllint.lower.document import begin
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.lower.state import Control
from dllint.source.document import Document

_SOURCE: Final = """
import torch

def function(*args, **kwargs):
    return 1

class Plain:
    size = 3

last = 0
"""
#: What one call may burn.
_FUEL: Final = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gave: its value, or how it ended; whether a fault was found; what an operation failed of."""

    value: Value
    error: str = ""
    faults: bool = False
    failed: str = ""
    #: Whether an operation was given something in the place of a tensor that is none: such a call does not run.
    refused: bool = False
    #: The type of a tensor that was watched, as the call leaves it.
    watched: TensorType | None = None


class Workshop:
    """Calls made one after the other, each from the same state."""

    def __init__(self) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 12_000))
        for package in registry.ROOMS:
            registry.load(package)
        self.machine = Interpreter(Document.from_text(Path("/project/script.py"), _SOURCE), None, Options())
        module = ModuleVal("__main__", self.machine.document)
        begin(self.machine, module)
        toplevel.run(self.machine, module)
        toplevel.leave(self.machine.imports, module)
        self._frame = self.machine.frame
        plain, function = module.attrs["Plain"], module.attrs["function"]
        assert isinstance(plain, ClassVal)
        assert isinstance(function, FuncVal)
        self.plain, self.function, self.module = plain, function, module
        self.no_arguments = Arguments()
        #: How many calls were made.
        self.calls = 0

    def derived(self, base: str) -> ClassVal:
        """A class of the analysed code that is derived from a library class and adds nothing."""
        cls = ClassVal("Derived", self.plain.node, self.machine.document, (LibSymbol(base),))
        cls.mro = mro.linearize(cls)
        return cls

    def bare(self, base: str) -> InstanceVal:
        """An object of such a class, whose base's constructor has not run."""
        return InstanceVal(self.derived(base), site=self.machine.site)

    def run(self, call: Callable[[], Value], watch: Value = None) -> Outcome:
        """What a call gives; its effects are undone. ``watch`` is an argument of it."""
        m = self.machine
        self.calls += 1
        m.program = Program("<module>")
        m.budget.fuel, m.frame = _FUEL, self._frame
        m.trail.derived.clear()
        m.journal.open()
        try:
            value = call()
            watched = watch.type if isinstance(watch, TensorVal) else None
        except Exception as error:
            return Outcome(None, _told(error))
        finally:
            while m.journal.depth:
                m.journal.undo()
            m.control = Control()
            m.state.clear()
        gaps = [detail for reason, detail, _ in m.program.gaps if reason == "op-failed"]
        refused = any(reason in ("no-tensor", "foreign-operand") for reason, _, _ in m.program.gaps)
        return Outcome(
            value, "", any(op.faults for op in m.program.ops), gaps[0] if gaps else _failure(value), refused, watched
        )


def _failure(value: Value) -> str:
    return value.detail if isinstance(value, Unknown) and value.reason == "op-failed" else ""


def _told(error: Exception) -> str:
    """An exception and the place in dllint where it was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/dllint/" in frame.filename]
    place = f"{frames[-1].filename.rpartition('/dllint/')[2]}:{frames[-1].lineno}" if frames else "?"
    return f"{type(error).__name__} at {place}: {str(error)[:80]}"
