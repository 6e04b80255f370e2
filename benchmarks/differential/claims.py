"""What dllint says of a program: what each name holds after each statement, the ranges of tensors, the findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.domains.interval import Interval
from dllint.domains.shape import TensorType
from dllint.engine.analysis import Traced
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.ir.values import Assumed, ListVal, ModuleVal, PartsVal, Value
from dllint.lower import document as lowering
from dllint.lower import statements
from dllint.lower.configuration import CONSTRUCT
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.source.document import Document
from dllint.span import Span

_PATH: Final = Path("/generated/program.py")


@dataclass(frozen=True, slots=True)
class TensorClaim:
    """What is said of a tensor at one moment; what its elements are said to lie in is asked for later, by ``value``."""

    value: TensorVal
    type: TensorType
    data: object
    low: float | None
    high: float | None

    @property
    def kind(self) -> str:
        """The operation that has made the tensor."""
        return self.value.producer.kind if self.value.producer is not None else "no operation"


@dataclass(frozen=True, slots=True)
class RowClaim:
    """A tuple or list, item by item; the last ones may be missing if there may be ``fewer``."""

    items: tuple[object, ...]
    fewer: bool = False


@dataclass(slots=True)
class Claims:
    """``after`` has, for each statement, what each name is said to hold after it; ``error`` is set where the analysis itself
    has failed."""

    after: list[dict[str, object]] = field(default_factory=list)
    program: Program | None = None
    facts: Facts | None = None
    #: The number of the statement in which a finding stands, with the finding.
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    #: Where layers are called first that are said to refuse their arguments, by the number of the statement that builds them:
    #: libraries notice some at the one, some at the other.
    first_calls: dict[int, int] = field(default_factory=dict)
    #: The bodies of loops that run while a condition holds, by the numbers of their lines: it may never hold.
    conditional: set[int] = field(default_factory=set)
    #: The operations by the number of their statement.
    ops: dict[int, list[Op]] = field(default_factory=dict)
    error: str = ""

    def range_of(self, value: TensorVal) -> Interval:
        """The numbers that the elements of a tensor are said to be among when it has been made."""
        assert self.facts is not None
        return self.facts.ranges.of(value)

    def range_at(self, op: Op, value: TensorVal) -> Interval:
        """The same where an operation takes it."""
        assert self.facts is not None
        return self.facts.ranges.at(op, value)


@cache
def _session() -> Session:
    return Session(Configuration(isolated=True))


def claims(text: str) -> Claims:
    """What dllint says of a program."""
    out = Claims()
    document = Document.from_text(_PATH, text)
    analyser = replace(_session().analyser(_PATH), trace=lambda document: _traced(document, out))
    try:
        analysis = analyser.analyse(document)
    except Exception as error:
        out.error = f"{type(error).__name__}: {error}"
        return out
    if problems := [notice.message for notice in analysis.notices if notice.kind == "internal-error"]:
        out.error = out.error or problems[0]
    lines = _lines(document)
    calls: dict[Span, int] = {}
    if out.program is not None:
        out.facts = Facts(out.program)
        for op in out.program.ops:
            out.ops.setdefault(_statement(document, op.site, lines), []).append(op)
            if op.faults:
                calls.setdefault(
                    document.span(op.site.statement, op.site.node), _statement(document, op.site.stack()[-1], lines)
                )
    out.conditional = set(_conditional(document))
    out.first_calls = dict(_first_calls(document, out))
    out.findings = [(_performed(found, calls, lines), found) for found in analysis.findings]
    return out


def _conditional(document: Document) -> Iterator[int]:
    for statement, lines in _extents(document):
        if isinstance(statement, cst.While) and not isinstance(statement.test, cst.Name):
            yield from lines[1:]


def _extents(document: Document) -> Iterator[tuple[cst.CSTNode, range]]:
    """The top-level statements with their lines, bodies included: a span ends with the header."""
    firsts = [document.span(statement, statement).first.line for statement in document.body]
    ends = [*firsts[1:], document.text.count("\n") + 2]
    for statement, first, end in zip(document.body, firsts, ends, strict=True):
        yield statement, range(first, end)


def _first_calls(document: Document, claims: Claims) -> Iterator[tuple[int, int]]:
    """The statements that build a layer of refused arguments, with those that call it first; the end if none does."""
    texts = [cst.Module([]).code_for_node(statement).strip() for statement in document.body]
    for at, ops in claims.ops.items():
        name = texts[at].partition(" =")[0] if at >= 0 else ""
        if name.isidentifier() and any(op.kind == CONSTRUCT and op.faults for op in ops):
            called = (number for number in range(at + 1, len(texts)) if f"{name}(" in texts[number])
            yield at, next(called, len(texts))


def _statement(document: Document, site: Site, lines: Mapping[int, int]) -> int:
    return lines.get(document.span(site.statement, site.node).first.line, -1)


def _performed(finding: Finding, calls: Mapping[Span, int], lines: Mapping[int, int]) -> int:
    """The number of the statement that performs what a finding is about: if functions or graphs of layers have the operation,
    the outermost call."""
    span = finding.location.span
    return calls.get(span, lines.get(span.first.line, -1))


def _lines(document: Document) -> dict[int, int]:
    """The number of the top-level statement that each line belongs to."""
    out: dict[int, int] = {}
    for number, (_, lines) in enumerate(_extents(document)):
        out.update(dict.fromkeys(lines, number))
    return out


def _traced(document: Document, out: Claims) -> Traced:
    """The program of the top level, executed statement by statement."""
    m = Interpreter(document, _session().tracer(_session().analyser(_PATH).settings).workspace, Options())
    lowered = lowering.Lowered([], ModuleVal("__main__", document))
    with lowering.undisturbed():
        lowering.begin(m, lowered.module)
        for statement in document.body:
            lowering.guarded(lowered, "program", lambda statement=statement: statements.run(m, [statement]))
            out.after.append({name: _claim(value) for name, value in m.frame.scope.vars.items() if name[:2] != "__"})
    if lowered.failures:
        out.error = lowered.failures[0].reason
    out.program = m.program
    return Traced(document, [m.program])


def _claim(value: Value) -> object:
    """A value as it is now: tensors and lists change."""
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, TensorVal):
        return TensorClaim(value, value.type, value.data, value.low, value.high)
    if isinstance(value, tuple):
        return RowClaim(tuple(map(_claim, value)), fewer=isinstance(value, PartsVal))
    if isinstance(value, ListVal) and value.rest is None:
        return RowClaim(tuple(map(_claim, value.items)))
    return value


def tensors_of(claim: object) -> Iterator[TensorClaim]:
    """The tensors in a claim."""
    if isinstance(claim, TensorClaim):
        yield claim
    elif isinstance(claim, RowClaim):
        for item in claim.items:
            yield from tensors_of(item)
