"""Errors in the ranges that comments state: reported, never a reason to stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dllint.domains.stated import written
from dllint.engine.results import Notice
from dllint.ir.program import Op, Program
from dllint.source.document import Document
from dllint.source.pragmas import MARK
from dllint.source.range_comments import problems

_COPY = "identity"


def ignored_ranges(document: Document, programs: Iterable[Program]) -> Iterator[Notice]:
    """Comments that cannot be read, and stated ranges that contradict what the program computes."""
    if MARK in document.text:
        for line, message in problems(document):
            yield Notice("ignored", document.path, f"line {line}: {message}")
    for program in programs:
        copies = [op for op in program.ops if op.kind == _COPY and op.output.stated is not None]
        yield from _contradictions(document, program, copies) if copies else ()


def _contradictions(document: Document, program: Program, copies: list[Op]) -> Iterator[Notice]:
    from dllint.analysis.ranges.evaluator import Ranges, contradicts  # few programs state ranges

    ranges = Ranges(program)
    for op in copies:
        stated, computed = op.output.stated, ranges.of(op.args["x"])
        if stated is not None and contradicts(computed, stated.interval) and op.site.document.path == document.path:
            line = op.site.document.span(op.site.statement, op.site.statement).first.line
            yield Notice(
                "ignored",
                document.path,
                f"line {line}: the range {written(stated.interval)} stated in {stated.where} contradicts {computed}, which the "
                "program computes; nothing is concluded from either",
            )
