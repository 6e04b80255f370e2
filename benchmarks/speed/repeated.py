"""What a store of summaries could save: the CPU time of calls that do again what an earlier call of the same run has done.

python -m benchmarks.speed.repeated --peers DIR [--only timm] [--every 1]

Every n-th directory of a package is checked in one process. A constructor, function or method counts as repeated if the same
code has been executed before with equal arguments (``equal``), or with arguments of which only numbers and the sizes of
tensors differ (``sizes``), and only the outermost one of calls inside each other counts. The figures are upper bounds: the
object that a method belongs to and everything else that a call reads are taken to be the same, each size to be of no
consequence, and replaying to be free. A call that gets an object or a container with an object in it is no repetition. What
the analysis copies already (an object like the last one of its class, a block like the one before) is not executed, so that
it is not counted.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Final, TypeVar
from unittest.mock import patch

from benchmarks import results
from benchmarks.speed.stages import sample
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    LibSymbol,
    ListVal,
    PartialVal,
    SetVal,
    Value,
    unwrap,
)
from dllint.lower import functions, repeats

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

AtYield = Callable[[Value], None] | None
Result = TypeVar("Result")

#: How deep containers in arguments are looked into.
_DEPTH: Final = 6
_CONSTRUCT: Final = repeats.construct
_EXECUTE: Final = functions.execute


class _HasObjectError(Exception):
    """An argument holds an object, which may be in another state than in an earlier call."""


class Repeats:
    """The calls so far, and the CPU seconds of those that repeat one."""

    def __init__(self, *, sizes: bool) -> None:
        self.sizes = sizes
        self.seconds = 0.0
        self.calls = self.repeated = 0
        self._seen: set[Hashable] = set()
        self._inside = False

    def run(self, code: object, given: Iterable[tuple[int | str, Value]], call: Callable[[], Result]) -> Result:
        """Do a call and count it."""
        self.calls += 1
        try:
            key = id(code), tuple((name, self._key(value, _DEPTH)) for name, value in given)
        except _HasObjectError:
            return call()
        is_known = key in self._seen
        self._seen.add(key)
        if not is_known or self._inside:
            return call()
        self.repeated += 1
        self._inside = True
        before = process_time()
        try:
            return call()
        finally:
            self.seconds += process_time() - before
            self._inside = False

    def _key(self, value: Value, depth: int) -> Hashable:
        value = unwrap(value)
        if depth == 0:
            raise _HasObjectError
        if value is None or isinstance(value, str | bytes | bool):
            return value
        if isinstance(value, int | float):
            return type(value), None if self.sizes else value
        if isinstance(value, LibSymbol):
            return value.name
        if isinstance(value, FuncVal | ClassVal):
            return id(value)
        if isinstance(value, TensorVal):
            shape = value.type.shape
            rank = len(shape) if isinstance(shape, tuple) else shape
            return (value.type.dtype, rank) if self.sizes else value.type
        return self._of_container(value, depth - 1)

    def _of_container(self, value: Value, depth: int) -> Hashable:
        if isinstance(value, ListVal | SetVal):
            return type(value), tuple(self._key(item, depth) for item in value.items)
        if isinstance(value, tuple):
            return tuple(self._key(item, depth) for item in value)
        if isinstance(value, DictVal):
            return tuple((key, self._key(item, depth)) for key, item in value.items.items())
        if isinstance(value, PartialVal):
            held = tuple((name, self._key(item, depth)) for name, item in value.kwargs.items())
            return self._key(value.func, depth), self._key(value.args, depth), held
        raise _HasObjectError

    def construct(self, m: Interpreter, cls: ClassVal, arguments: Arguments, run: Callable[[], InstanceVal]) -> InstanceVal:
        """As :func:`dllint.lower.repeats.construct`, counted."""
        given: list[tuple[int | str, Value]] = [*enumerate(arguments.args), *arguments.kwargs.items()]
        return self.run(cls, given, lambda: _CONSTRUCT(m, cls, arguments, run))

    def execute(self, m: Interpreter, func: FuncVal, variables: dict[str, Value], at_yield: AtYield = None) -> Value:
        """As :func:`dllint.lower.functions.execute`, counted but for ``__init__``, which belongs to a construction."""
        if func.name == "__init__" or at_yield is not None:
            return _EXECUTE(m, func, variables, at_yield)
        given: list[tuple[int | str, Value]] = [*variables.items()]
        if func.owner is not None and given and isinstance(given[0][1], InstanceVal):
            del given[0]
        return self.run(func.node, given, lambda: _EXECUTE(m, func, variables))


def main() -> None:
    """Measure both kinds, print, write ``results/speed-repeated.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--only", default="timm")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    files = sample(options.peers / f"pypi+{options.only}", options.every)
    figures: dict[str, object] = {"package": options.only, "every": options.every, "files": len(files)}
    for name, sizes in (("equal", False), ("sizes", True)):
        figures[name] = measured(files, Repeats(sizes=sizes))
        print(name, json.dumps(figures[name]), flush=True)
    print(f"written: {results.write('speed-repeated', figures).name}")


def measured(files: Sequence[Path], repeats_: Repeats) -> dict[str, float]:
    """Check the files; the CPU seconds, and those of repeated calls."""
    session = Session(Configuration(isolated=True))
    gc.disable()
    before = process_time()
    with patch.object(repeats, "construct", repeats_.construct), patch.object(functions, "execute", repeats_.execute):
        for path in files:
            session.check_file(path)
    whole = process_time() - before
    gc.enable()
    return {
        "check_cpu_s": round(whole, 2),
        "calls": repeats_.calls,
        "repeated": repeats_.repeated,
        "repeated_cpu_s": round(repeats_.seconds, 2),
        "share": round(repeats_.seconds / whole, 4),
    }


if __name__ == "__main__":
    main()
