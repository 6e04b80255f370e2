"""Analysing one document: its traced programs, what the rules find in them, what is reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dllint.config.options import Settings
from dllint.edit import Fix
from dllint.engine.coverage import Coverage, coverage_of
from dllint.engine.dispatch import Dispatcher, Raw, crash
from dllint.engine.refine import Policy, refine
from dllint.engine.results import SYNTAX_ERROR, Notice, problem
from dllint.finding import Finding
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.source.document import Document
from dllint.source.pragmas import Suppressions


@dataclass(slots=True)
class Traced:
    """The programs of a document and what went wrong while tracing them."""

    programs: Sequence[Program]
    #: Entries run again under settings that the defaults do not choose; what they show beside faults is not looked at.
    settings: Sequence[Program] = ()
    notices: list[Notice] = field(default_factory=list)


Trace = Callable[[Document], Traced]


@dataclass(eq=False)
class Analysis:
    """A document, its programs and the findings about them that are to be reported."""

    document: Document
    programs: Sequence[Program]
    settings: Sequence[Program]
    raws: list[Raw]
    notices: list[Notice]
    #: What the gate has let pass so far, by finding.
    proved: dict[Finding, tuple[Fix, ...]] = field(default_factory=dict)

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings, sorted by place; a document that does not parse has one about that."""
        found = [raw.finding for raw in self.raws]
        problem_ = self.document.problem
        if problem_ is None:
            return found
        return [problem(SYNTAX_ERROR, self.document.path, problem_.line, problem_.column, problem_.message), *found]

    @cached_property
    def coverage(self) -> Coverage:
        """How much is known about the traced tensors."""
        return coverage_of(self.programs)


@dataclass(slots=True)
class Analyser:
    """Analyses documents under one policy: ``trace`` gives programs, ``dispatcher`` holds the selected rules."""

    trace: Trace
    dispatcher: Dispatcher
    policy: Policy
    settings: Settings
    _comments: dict[int, tuple[Any, Suppressions]] = field(default_factory=dict)

    def analyse(self, document: Document) -> Analysis:
        """Trace a document and check its programs."""
        if document.problem is not None:
            return Analysis(document, (), (), [], [])
        traced = self.trace(document)
        if document.problem is not None:  # found while the document was parsed on demand
            return Analysis(document, (), (), [], [])
        raws: list[Raw] = []
        notices = list(traced.notices)
        for program in (*traced.programs, *traced.settings):
            context = Context(program, document, settings=self.settings)
            found, failed = self.dispatcher.run(program, context, document.path)
            raws += found
            notices += failed
        try:
            raws = refine(raws, traced.programs, self.policy, self.suppressions)
        except RecursionError as error:
            raws, notices = [], [*notices, crash(document.path, "the findings could not be placed", error)]
        return Analysis(document, traced.programs, traced.settings, raws, _distinct(notices))

    def suppressions(self, document: Any) -> Suppressions:
        """The suppression comments of a document, read once."""
        known = self._comments.get(id(document))
        if known is None or known[0] is not document:
            known = self._comments[id(document)] = (document, Suppressions.of(document))
        return known[1]


def _distinct(notices: Sequence[Notice]) -> list[Notice]:
    return list(dict.fromkeys(notices))
