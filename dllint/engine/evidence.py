"""What an analysis knows about the operations at a place, in words: operands, results, ranges and where these come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.uses import chain
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_type
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.rules.numeric_evidence import origins_of
from dllint.source.document import Document
from dllint.source.neutral import neutral
from dllint.span import Span


def operations(
    programs: Iterable[Program], document: Document, wanted: Callable[[Span], bool], place: Callable[[Site], str]
) -> Iterator[str]:
    """A text for each operation of a document whose span is ``wanted``, for every traced context, each text once; ``place``
    cites a site."""
    seen: set[str] = set()
    for program in programs:
        facts = Facts(program)
        for op in program.ops:
            span = _span(op, document)
            if span is not None and wanted(span):
                text = "\n".join((_described(op, document.source(span)), *_ranges(op, facts, place)))
                if text not in seen:
                    seen.add(text)
                    yield text


def _span(op: Op, document: Document) -> Span | None:
    if op.site.document is not document or op.site.statement is None:
        return None
    span: Span = document.span(op.site.statement, op.site.node)
    return span


def _described(op: Op, source: str) -> str:
    flat = " ".join(source.split())
    operands = ", ".join(f"{name}: {show_type(value.type)}" for name, value in op.args.items() if isinstance(value, TensorVal))
    results = ", ".join(_result(value) for value in op.outputs)
    return f"{flat}\n    {op.kind}({operands}) -> {results}"


def _ranges(op: Op, facts: Facts, place: Callable[[Site], str]) -> Iterator[str]:
    """The interval of each result that has one, and the operations it comes from, last first."""
    for value in op.outputs:
        for depth, (maker, found) in enumerate(chain(value, facts)):
            where = f" by {maker.kind} at {neutral(place(maker.site))}" if depth else ""
            yield f"    {'  ' * min(depth, 1)}{'from ' if depth else ''}{found} ({origins_of(found)}){where}"


def _result(value: TensorVal) -> str:
    shape = value.shape
    reason = f"   shape unknown: {shape.reason} {shape.detail}".rstrip() if isinstance(shape, Unknown) else ""
    return show_type(value.type) + reason
