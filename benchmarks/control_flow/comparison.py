"""What Python makes of a program beside what the interpreter claims."""

from __future__ import annotations

import ast
import builtins
import io
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.control_flow.generator import FLAGS
from benchmarks.control_flow.grammar import Grammar
from benchmarks.failing import says_that_it_fails
from dllint.config.discovery import Configuration
from dllint.domains.dim import DimExpr
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.engine.session import Session
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, ClassVal, DictVal, InstanceVal, LibSymbol, ListVal, ModuleVal, SetVal, Value
from dllint.lower import toplevel
from dllint.lower.document import Lowered, begin, guarded, lower_document, undisturbed
from dllint.lower.lazy import ChoiceVal
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.source.document import Document

PATH: Final = Path("/control/program.py")
#: Kinds of variables that are compared, by the first letter of their names.
_COMPARED: Final = "tnsdobwxcgmuvqk"
_HAS: Final = "that has the attribute"
#: No program works for longer.
_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Run:
    """One run: the variables it left, or the error that ended it."""

    variables: Mapping[str, Any]
    error: str = ""


@dataclass(slots=True)
class Verdict:
    """What is said of one program."""

    #: Claims that some run refutes, and operations that the interpreter could not perform for a bug of its own.
    wrong: list[str] = field(default_factory=list)
    #: Errors reported although no run ends in one: of statements that are always executed, and of those under a condition,
    #: which no run need fulfil.
    false_errors: list[str] = field(default_factory=list)
    conditional: list[str] = field(default_factory=list)
    #: Whether every run ends in an error, and whether one is reported.
    fails: bool = False
    found: bool = False
    #: Tensors at the end, and those of known shape; values of Python that are no tensors, and those known in all parts.
    tensors: int = 0
    known: int = 0
    values: int = 0
    known_values: int = 0
    crashes: list[str] = field(default_factory=list)


def program(seed: int, grammar: Grammar) -> str:
    """A seed's program. In three of four, statements that fail under the first answers are left out."""
    statements, preamble = grammar.statements(seed), grammar.preamble
    if seed % 4 == 0:
        return preamble + "".join(statements)
    variables: dict[str, Any] = {}
    exec(compile(preamble, "<program>", "exec"), variables)
    return preamble + "".join(text for text in statements if not _run(text, variables).error)


def runs(text: str) -> list[Run]:
    """The program under every answer of the environment that it asks for."""
    asked = [name for name in FLAGS if f"flag({name!r})" in text]
    out = []
    for answers in product("01", repeat=len(asked)):
        saved = dict(os.environ)
        os.environ.update(zip(asked, answers, strict=True))
        try:
            out.append(_run(text, {}))
        finally:
            os.environ.clear()
            os.environ.update(saved)
    return out


def _run(text: str, variables: dict[str, Any]) -> Run:
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            exec(compile(text, "<program>", "exec"), variables)
    except Exception as error:
        return Run(variables, f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return Run(variables)


def _stop(_number: int, _frame: object) -> None:
    raise TimeoutError("the program takes too long")


signal.signal(signal.SIGALRM, _stop)


def check(text: str) -> Verdict:
    """Compare a program's runs with what is claimed of it."""
    verdict = Verdict()
    made = runs(text)
    whole = [run for run in made if not run.error]
    lowered = lower_document(Document.from_text(PATH, text))
    verdict.crashes = [failure.reason for failure in lowered.failures]
    if whole:
        _compare(verdict, *_claimed(text), whole)
    result = Session(Configuration(isolated=True)).check_bytes(PATH, text.encode())
    errors = [finding for finding in result.findings if says_that_it_fails(finding)]
    verdict.fails, verdict.found = not whole, bool(errors)
    if len(whole) == len(made):
        told = [f"{f.code} line {f.location.span.first.line}: {f.message}" for f in errors]
        verdict.false_errors = [text for text in told if ", when " not in text]
        verdict.conditional = [text for text in told if ", when " in text]
    return verdict


def _claimed(text: str) -> tuple[Mapping[str, Value], bool]:
    """The variables at the end of the top level, before functions that nothing calls are looked at, and whether any condition
    was undecided: then an attribute is one that some path has set."""
    m = Interpreter(Document.from_text(PATH, text), None, Options())
    module = ModuleVal("__main__", m.document)
    with undisturbed():
        begin(m, module)
        guarded(Lowered([], module), "<module>", lambda: toplevel.run(m, module))
    return module.attrs, bool(m.program.questions)


def _compare(verdict: Verdict, claimed: Mapping[str, Value], undecided: bool, whole: list[Run]) -> None:
    for name, value in claimed.items():
        if name[0] not in _COMPARED or not name[1:].isdigit():
            continue
        value = value.value if isinstance(value, Assumed) else value
        if isinstance(value, TensorVal):
            verdict.tensors += 1
            verdict.known += not isinstance(value.shape, Unknown) and all(isinstance(size, int) for size in value.shape)
        else:
            verdict.values += 1
            verdict.known_values += _is_known(value)
        for run in whole:
            found = _problems(value, run.variables[name]) if name in run.variables else ()
            if problem := next((text for text in found if not (undecided and _HAS in text)), ""):
                verdict.wrong.append(f"{name} is {_shown(run.variables[name])}, claimed {problem}")
                break


def _is_known(value: Value, deepest: int = 6) -> bool:
    """Whether a value and all that it holds are known."""
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, (Unknown, ChoiceVal, DimExpr)) or deepest == 0:
        return False
    if isinstance(value, (ListVal, SetVal, DictVal)) and value.rest is not None:
        return False
    return all(_is_known(part, deepest - 1) for part in _parts(value))


def _parts(value: Value) -> list[Value]:
    if isinstance(value, (ListVal, SetVal)):
        return value.items
    if isinstance(value, tuple):
        return list(value)
    return list(
        value.items.values() if isinstance(value, DictVal) else value.attrs.values() if isinstance(value, InstanceVal) else ()
    )


def _problems(value: Value, real: object, deepest: int = 6) -> Iterator[str]:
    """What is claimed of a value and does not hold."""
    value = value.value if isinstance(value, Assumed) else value
    if deepest == 0:
        return
    if isinstance(value, ChoiceVal):
        if not any(next(_problems(option, real, deepest - 1), None) is None for option in value.options):
            yield f"one of {value.options}"
    elif isinstance(value, TensorVal):
        yield from _tensor_problems(value, real)
    elif isinstance(value, DType):
        if str(real).removeprefix("torch.") != value.name:
            yield value.name
    elif (compare := _CONTAINERS.get(type(value))) is not None:
        yield from compare(value, real, deepest - 1)
    elif (isinstance(value, (bool, int, float, str)) or value is None) and (type(value) is not type(real) or value != real):
        yield repr(value)


def _tensor_problems(value: TensorVal, real: object) -> Iterator[str]:
    if not isinstance(real, torch.Tensor):
        yield str(value.type)
        return
    shape = value.shape
    if not isinstance(shape, Unknown):
        sizes = list(zip(shape, real.shape, strict=False))
        if len(shape) != real.dim() or any(isinstance(size, int) and size != actual for size, actual in sizes):
            yield str(value.type)
    if isinstance(value.dtype, DType) and value.dtype.name != str(real.dtype).removeprefix("torch."):
        yield str(value.type)


def _list_problems(value: ListVal, real: object, deepest: int) -> Iterator[str]:
    kinds = (list, deque) if value.rest is None else (list, deque, tuple)
    if not isinstance(real, kinds) or (value.rest is None and len(value.items) != len(real)):
        yield f"a list of {len(value.items)}"
        return
    for item, actual in zip(value.items, real, strict=False):
        yield from (f"a list with {problem}" for problem in _problems(item, actual, deepest))


def _tuple_problems(value: tuple[Value, ...], real: object, deepest: int) -> Iterator[str]:
    if not isinstance(real, tuple) or len(value) != len(real):
        yield f"a tuple of {len(value)}"
        return
    for item, actual in zip(value, real, strict=True):
        yield from (f"a tuple with {problem}" for problem in _problems(item, actual, deepest))


def _set_problems(value: SetVal, real: object, _deepest: int) -> Iterator[str]:
    if not isinstance(real, (set, frozenset)) or (value.rest is None and len(value.items) != len(real)):
        yield f"a set of {len(value.items)}"
        return
    wrong = [item for item in value.items if isinstance(item, (int, str)) and item not in real]
    yield from (f"a set with {item!r}" for item in wrong)


def _dict_problems(value: DictVal, real: object, deepest: int) -> Iterator[str]:
    keys = list(value.items)
    if not isinstance(real, dict) or (value.rest is None and keys != list(real)) or not set(keys) <= set(real):
        yield f"a dict with the keys {keys}" if value.of is None else f"attributes of an object {_HAS}s {keys}"
        return
    for key, item in value.items.items():
        yield from (f"a dict with {key!r}: {problem}" for problem in _problems(item, real[key], deepest))


def _instance_problems(value: InstanceVal, real: object, deepest: int) -> Iterator[str]:
    name = value.cls.name if isinstance(value.cls, (ClassVal, LibSymbol)) else type(real).__name__
    if type(real).__name__ != name.rpartition(".")[2]:
        yield f"an object of {name}"
        return
    held = vars(real) if hasattr(real, "__dict__") else {}
    for key, item in value.attrs.items():
        if isinstance(item, Unknown):
            continue
        if key not in held:
            yield f"an object {_HAS} {key}"
            return
        yield from (f"an object with {key} {problem}" for problem in _problems(item, held[key], deepest))


#: What compares each kind of container.
_CONTAINERS: Final[dict[type, Callable[[Any, object, int], Iterator[str]]]] = {
    ListVal: _list_problems, tuple: _tuple_problems, SetVal: _set_problems, DictVal: _dict_problems,
    InstanceVal: _instance_problems,
}  # fmt: skip


def _shown(real: object) -> str:
    if isinstance(real, torch.Tensor):
        return f"{str(real.dtype).removeprefix('torch.')}{list(real.shape)}"
    return repr(real) if not hasattr(real, "__dict__") else f"{type(real).__name__} with {vars(real)}"


def minimised(text: str, preamble: str) -> str:
    """A program of which as many lines as possible are left out while the same thing is said wrongly of it."""
    lines = text.removeprefix(preamble).splitlines(keepends=True)
    wanted = _subjects(text)
    fewer = _fewer(lines, preamble, wanted)
    while len(fewer) < len(lines):
        lines, fewer = fewer, _fewer(fewer, preamble, wanted)
    return "".join(lines)


def _fewer(lines: list[str], preamble: str, wanted: set[str]) -> list[str]:
    size = max(1, len(lines) // 2)
    while size:
        start = 0
        while start < len(lines):
            rest = lines[:start] + lines[start + size :]
            if wanted & _subjects(preamble + "".join(rest)):
                lines = rest
            else:
                start += size
        size //= 2
    return lines


def _subjects(text: str) -> set[str]:
    """The variables and rules about which something wrong is said; nothing of a program that has lost a name's definition."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return set()
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    defined = {node.id for node in names if isinstance(node.ctx, ast.Store)} | set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            defined |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
            defined.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            defined.add(node.rest)
    if any(node.id not in defined for node in names):
        return set()
    if any(run.error.startswith("NameError") for run in runs(text)):
        return set()
    verdict = check(text)
    return {problem.split()[0] for problem in (*verdict.wrong, *verdict.false_errors, *verdict.crashes)}
