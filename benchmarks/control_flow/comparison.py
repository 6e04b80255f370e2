"""What Python makes of a program beside what the interpreter claims."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.control_flow.generator import FLAGS, PREAMBLE, generate
from dllint.config.discovery import Configuration
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.engine.session import Session
from dllint.finding import Severity
from dllint.ir.program import TensorVal
from dllint.ir.values import Assumed, ListVal, Value
from dllint.lower.document import lower_document
from dllint.lower.lazy import ChoiceVal
from dllint.source.document import Document

PATH: Final = Path("/control/program.py")
#: Kinds of variables that are compared, by the first letter of their names.
_COMPARED: Final = "tnsdobw"
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
    #: Tensors at the end, and those of known shape.
    tensors: int = 0
    known: int = 0
    crashes: list[str] = field(default_factory=list)


def program(seed: int) -> str:
    """A seed's program. In three of four, statements that fail under the first answers are left out."""
    statements = generate(seed)
    if seed % 4 == 0:
        return PREAMBLE + "".join(statements)
    variables: dict[str, Any] = {}
    exec(compile(PREAMBLE, "<program>", "exec"), variables)
    return PREAMBLE + "".join(text for text in statements if not _run(text, variables).error)


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
    verdict.crashes = [error for _, error in lowered.failures]
    if whole:
        _compare(verdict, lowered.module.attrs, whole)
    result = Session(Configuration(isolated=True)).check_bytes(PATH, text.encode())
    errors = [f for f in result.findings if f.severity is Severity.ERROR]
    verdict.fails, verdict.found = not whole, bool(errors)
    if len(whole) == len(made):
        told = [f"{f.code} line {f.location.span.first.line}: {f.message}" for f in errors]
        verdict.false_errors = [text for text in told if ", when " not in text]
        verdict.conditional = [text for text in told if ", when " in text]
    return verdict


def _compare(verdict: Verdict, claimed: Mapping[str, Value], whole: list[Run]) -> None:
    for name, value in claimed.items():
        if name[0] not in _COMPARED or not name[1:].isdigit():
            continue
        value = value.value if isinstance(value, Assumed) else value
        if isinstance(value, TensorVal):
            verdict.tensors += 1
            verdict.known += not isinstance(value.shape, Unknown) and all(isinstance(size, int) for size in value.shape)
        for run in whole:
            if name in run.variables and (problem := next(_problems(value, run.variables[name]), "")):
                verdict.wrong.append(f"{name} is {_shown(run.variables[name])}, claimed {problem}")
                break


def _problems(value: Value, real: object) -> Iterator[str]:
    """What is claimed of a value and does not hold."""
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, ChoiceVal):
        if not any(next(_problems(option, real), None) is None for option in value.options):
            yield f"one of {value.options}"
    elif isinstance(value, TensorVal):
        yield from _tensor_problems(value, real)
    elif isinstance(value, DType):
        if str(real).removeprefix("torch.") != value.name:
            yield value.name
    elif isinstance(value, ListVal):
        yield from _list_problems(value, real)
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


def _list_problems(value: ListVal, real: object) -> Iterator[str]:
    if not isinstance(real, list) or (value.rest is None and len(value.items) != len(real)):
        yield f"a list of {len(value.items)}"
        return
    for item, actual in zip(value.items, real, strict=False):
        yield from _problems(item, actual)


def _shown(real: object) -> str:
    if isinstance(real, torch.Tensor):
        return f"{str(real.dtype).removeprefix('torch.')}{list(real.shape)}"
    return f"list[{len(real)}]" if isinstance(real, list) else repr(real)


def minimised(text: str) -> str:
    """A program of which as many lines as possible are left out while the same thing is said wrongly of it."""
    lines = text.removeprefix(PREAMBLE).splitlines(keepends=True)
    wanted = _subjects(text)
    size = max(1, len(lines) // 2)
    while size:
        start = 0
        while start < len(lines):
            fewer = lines[:start] + lines[start + size :]
            if wanted & _subjects(PREAMBLE + "".join(fewer)):
                lines = fewer
            else:
                start += size
        size //= 2
    return "".join(lines)


def _subjects(text: str) -> set[str]:
    """The variables and rules about which something wrong is said."""
    try:
        compile(text, "<program>", "exec")
    except SyntaxError:
        return set()
    if any(run.error.startswith("NameError") for run in runs(text)):
        return set()
    verdict = check(text)
    return {problem.split()[0] for problem in (*verdict.wrong, *verdict.false_errors, *verdict.crashes)}
