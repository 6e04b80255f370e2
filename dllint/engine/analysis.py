"""Analysing one document: its traced programs, what the rules find in them, what is reported."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

from dllint.config.options import Settings
from dllint.edit import Fix
from dllint.engine.continuity import in_good_parts, tells_all
from dllint.engine.coverage import Coverage, coverage_of
from dllint.engine.dispatch import Answer, Dispatcher, Question, Raw
from dllint.engine.failing import crash, noting
from dllint.engine.followed import Followed
from dllint.engine.frames import with_room_for_frames
from dllint.engine.one_cause import together
from dllint.engine.outside import IsInstalled, at_calls, nothing_installed
from dllint.engine.refine import Policy, order, refine, weigh
from dllint.engine.releases import Settled, settle
from dllint.engine.remarks import ignored_ranges
from dllint.engine.results import SYNTAX_ERROR, Notice, problem
from dllint.engine.seen import followed
from dllint.engine.suppressing import Rules, comment_findings
from dllint.finding import Finding
from dllint.ir.program import Program
from dllint.ir.watched import is_as_seen
from dllint.lower.options import StoppedError
from dllint.rules.context import Context
from dllint.rules.placing import IsOwn
from dllint.source.document import Document
from dllint.source.live import LiveDocument
from dllint.source.pragmas import Suppressions


@dataclass(slots=True)
class Traced:
    """The programs of a document and what went wrong while tracing them. ``document`` is the one their places are of;
    ``state`` stays equal as long as the objects that programs speak of are what they were."""

    document: Document
    programs: Sequence[Program]
    #: Entries run again under settings that the defaults do not choose; what they show beside faults is not looked at.
    settings: Sequence[Program] = ()
    notices: list[Notice] = field(default_factory=list)
    state: Hashable = None
    #: Entries that ran out of fuel, or for which none was left.
    cut: tuple[str, ...] = ()


Trace = Callable[[Document], Traced]


@dataclass(eq=False)
class Analysis:
    """A document, its programs and the findings about them that are to be reported.

    ``home`` is the document that the places of the programs belong to. In an editor it shows the text that was last looked
    at; ``is_present`` says whether that is still the text of this analysis.
    """

    document: Document
    home: Document
    programs: Sequence[Program]
    settings: Sequence[Program]
    raws: list[Raw]
    notices: list[Notice]
    cut: tuple[str, ...] = ()
    #: Who decided which releases the code is for, as ``library: who``, where it mattered.
    decided: tuple[str, ...] = ()
    #: About comments that suppress findings.
    comments: Sequence[Finding] = ()
    #: Whether a file belongs to an installed package.
    is_installed: IsInstalled = nothing_installed
    #: What the gate has let pass so far, by finding.
    proved: dict[Finding, tuple[Fix, ...]] = field(default_factory=dict)

    @property
    def is_present(self) -> bool:
        """Whether the programs' places are those in the text of this analysis."""
        return self.home.text == self.document.text

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings, sorted by place; a document that does not parse has one about that."""
        found = sorted([*(raw.finding for raw in self.raws), *self.comments], key=order) if self.comments else self.faults
        problem_ = self.document.problem
        if problem_ is None:
            return found
        return [problem(SYNTAX_ERROR, self.document.path, problem_.line, problem_.column, problem_.message), *found]

    @property
    def faults(self) -> list[Finding]:
        """The findings about the program."""
        return [raw.finding for raw in self.raws]

    @property
    def followed(self) -> Followed:
        """The coverage that the findings rest on."""
        return followed(self.document.path, self.document.text, self.programs, self.cut, self.is_installed)

    @cached_property
    def coverage(self) -> Coverage:
        """How much is known about the traced tensors."""
        return coverage_of(self.programs)


@dataclass(frozen=True, slots=True)
class _Part:
    """What some rules say about a program now, and what they said when they were first asked. ``questions`` are those to be
    asked anew when code has changed that they have looked at."""

    questions: Sequence[Question]
    answer: Answer
    first: Answer
    context: Context


@dataclass(frozen=True, slots=True)
class _Answered:
    """What the rules say about a program. Those that look at the code of definitions are a part of their own, with facts of
    their own: if code has changed, only these are asked anew."""

    parts: Sequence[_Part]
    state: Hashable

    def raws(self, questions: Callable[[], Iterable[Question]]) -> list[Raw]:
        """What they find, in the order of the questions."""
        found = [part.answer.raws for part in self.parts if part.answer.raws]
        if len(found) < 2:
            return found[0] if found else []
        places = {(id(item), code): number for number, (item, code) in enumerate(questions())}
        return sorted(chain.from_iterable(found), key=lambda raw: places[id(raw.item), raw.rule.code])

    @property
    def are_cut(self) -> bool:
        """Whether they could not learn all that they asked, as it would have been too much work."""
        return any(part.context.facts.are_cut for part in self.parts)

    @property
    def failed(self) -> dict[str, Notice]:
        """Their first failures."""
        return {code: notice for part in self.parts for code, notice in part.answer.failed.items()}


@dataclass(slots=True)
class Analyser:
    """Analyses documents under one policy: ``trace`` gives programs, ``dispatcher`` holds the selected rules, ``is_own`` says
    which files belong to the project, ``is_installed`` which to an installed package.

    Asked again about a document whose programs are partly the same, it asks the rules about the new ones only. ``goes_on``: of
    a document that does not parse, the parts are analysed that do, or did last.
    """

    trace: Trace
    dispatcher: Dispatcher
    policy: Policy
    settings: Settings
    is_own: IsOwn = lambda _path: True
    goes_on: bool = False
    is_installed: IsInstalled = nothing_installed
    _answered: dict[Program, _Answered] = field(default_factory=dict)
    _comments: dict[Path, tuple[str, Suppressions]] = field(default_factory=dict)

    @with_room_for_frames
    def analyse(self, document: Document) -> Analysis:
        """Trace a document and check its programs."""
        if document.problem is not None and not (self.goes_on and document.body):
            return Analysis(document, document, (), (), [], [])
        traced = self.trace(document)
        if document.problem is not None and not self.goes_on:  # found while the document was parsed on demand
            return Analysis(document, document, (), (), [], [])
        raws: list[Raw] = []
        notices = list(traced.notices)
        self.suppressions(document).used.clear()
        self._answered = self._all_asked(traced)
        traced = replace(traced, cut=(*traced.cut, *self._cut(traced)))
        failed: dict[str, Notice] = {}
        for program, answered in self._answered.items():
            questions = partial(self.dispatcher.questions, program)
            raws += answered.raws(questions) if tells_all(document, program) else ()
            failed = answered.failed | failed
        notices += failed.values()
        if document.problem is None:
            with noting(notices, document.path, "the comments about ranges could not be looked at"):
                notices += ignored_ranges(document, traced.programs)
        settled = self._settled(self._refined(raws, traced, notices), traced, notices)
        told = at_calls(settled.raws, self.is_installed)
        placed = in_good_parts(document, list(told))
        raws, notices = sorted(placed, key=lambda raw: order(raw.finding)), _distinct(notices)
        comments = self._about_comments(document, traced, notices) if document.problem is None else []
        return Analysis(
            document,
            traced.document,
            traced.programs,
            traced.settings,
            raws,
            notices,
            traced.cut,
            settled.decided,
            comments,
            self.is_installed,
        )

    def _about_comments(self, document: Document, traced: Traced, notices: list[Notice]) -> list[Finding]:
        """Findings about the comments of the document itself."""
        is_whole = not traced.cut and all(notice.kind == "ignored" for notice in notices)
        rules = Rules(self.policy.catalogue, self.policy.selection, self.policy.ignored, self.dispatcher.codes)
        try:
            return comment_findings(document, self.suppressions(document), rules, is_whole=is_whole)
        except Exception as error:
            notices.append(crash(document.path, "the suppression comments could not be looked at", error))
            return []

    def _refined(self, raws: list[Raw], traced: Traced, notices: list[Notice]) -> list[Raw]:
        """The findings to report. One that cannot be refined is reported in a notice and costs no other."""
        home = traced.document
        refined = partial(refine, programs=traced.programs, policy=self.policy, suppressions=self.suppressions, home=home)
        try:
            return refined(raws)
        except Exception as error:
            notices.append(crash(traced.document.path, "a finding could not be placed", error))
        return refined([raw for raw in raws if _succeeds(refined, raw)])

    def _settled(self, raws: list[Raw], traced: Traced, notices: list[Notice]) -> Settled:
        """The findings for the releases that the document is for. Where that cannot be decided, they stay as they are."""
        settled, selection = Settled(raws), self.policy.selection
        with noting(notices, traced.document.path, "the releases that the findings are for could not be found out"):
            settled = settle(raws, traced.document, self.policy.targets, selection)
        with noting(notices, traced.document.path, "the severity of findings could not be decided"):
            settled.raws = together(weigh(raw, selection) for raw in settled.raws)
        return settled

    def _all_asked(self, traced: Traced) -> dict[Program, _Answered]:
        """The answers of the rules about all programs, those that they have given before a limit was reached."""
        answered: dict[Program, _Answered] = {}
        with suppress(StoppedError):
            for program in (*traced.programs, *traced.settings):
                answered[program] = self._asked(program, traced)
        return answered

    def _cut(self, traced: Traced) -> Iterator[str]:
        """The entries of which the rules could not learn all that they asked, as it would have been too much work."""
        for program, answered in self._answered.items():
            if program.entry not in traced.cut and not program.setting and answered.are_cut:
                yield program.entry

    def _asked(self, program: Program, traced: Traced) -> _Answered:
        """The answers of the rules about a program, the earlier ones if they still hold."""
        known, ask = self._answered.get(program), partial(self._part, program, traced)
        if known is not None and known.state == traced.state:
            parts = [
                self._asked_again(part, traced) if is_as_seen(part.first.seen) else ask(part.questions) for part in known.parts
            ]
            if len(parts) == 1 or not self._has_lookers(parts[0]):
                return replace(known, parts=parts)
        questions = list(self.dispatcher.questions(program))
        if not isinstance(traced.document, LiveDocument):
            return _Answered([ask(questions)], traced.state)
        while True:
            lookers = frozenset(self.dispatcher.lookers)
            plain = ask([(item, code) for item, code in questions if code not in lookers])
            if not self._has_lookers(plain):
                of_code = ask([(item, code) for item, code in questions if code in lookers])
                return _Answered([replace(plain, questions=()), of_code], traced.state)

    def _has_lookers(self, plain: _Part) -> bool:
        """Whether rules have looked at code of which that was not known, so that facts rest on it; now it is."""
        self.dispatcher.lookers |= plain.answer.lookers
        return bool(plain.answer.lookers)

    def _part(self, program: Program, traced: Traced, questions: Sequence[Question]) -> _Part:
        """The answers to some questions that are asked for the first time."""
        context = Context(program, traced.document, settings=self.settings, is_own=self.is_own)
        answer = self.dispatcher.ask(questions, context, traced.document.path)
        return _Part(questions, answer, answer, context)

    def _asked_again(self, part: _Part, traced: Traced) -> _Part:
        """The answers for another text, where only those depend on it that were found to."""
        answer = self.dispatcher.ask(part.first.again, part.context, traced.document.path)
        part.first.seen.update(answer.seen)
        return replace(part, answer=answer)

    def suppressions(self, document: Document) -> Suppressions:
        """The suppression comments of a document, read once."""
        known = self._comments.get(document.path)
        if known is None or known[0] is not document.text:
            known = self._comments[document.path] = (document.text, Suppressions.of(document))
        return known[1]


def _succeeds(refined: Callable[[list[Raw]], list[Raw]], raw: Raw) -> bool:
    """Whether a finding for itself can be refined."""
    try:
        refined([raw])
    except Exception:
        return False
    return True


def _distinct(notices: Sequence[Notice]) -> list[Notice]:
    return list(dict.fromkeys(notices))
