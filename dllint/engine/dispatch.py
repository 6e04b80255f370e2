"""Handing operations, events and programs to the rules that subscribed to them; a rule that raises does not stop the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dllint.engine.failing import crash
from dllint.engine.results import Notice
from dllint.engine.topics import Item, Topics
from dllint.finding import Finding
from dllint.fixes.boundary import taken_failures
from dllint.ir.program import Program
from dllint.ir.watched import Noted, listening
from dllint.rules.context import Context
from dllint.rules.index_row import RuleRow
from dllint.rules.rule import AnyRule
from dllint.source.live import LiveDocument

#: An item and the code of a rule that is asked about it.
Question = tuple[Item, str]


@dataclass(frozen=True, slots=True)
class Raw:
    """A finding as a rule made it, with the item it is about, the program that holds the item, and the rule."""

    finding: Finding
    item: Item
    program: Program
    rule: AnyRule


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules say about a program. ``failed``: the first failure of each rule and of its fixes. ``again``: the questions
    whose answers hold for the present text only, because they name places or depend on the text as a whole; the others need
    not be asked again for the same program. ``lookers``: the codes of the rules that have looked at code."""

    raws: list[Raw]
    failed: dict[str, Notice]
    again: list[Question]
    #: The code of definitions that they have looked at.
    seen: Noted
    lookers: set[str]


class Dispatcher:
    """The selected rules, by topic. A rule is loaded when an item it subscribed to first occurs."""

    def __init__(self, rows: Iterable[RuleRow], load: Callable[[str], AnyRule]) -> None:
        self._load = load
        rows = list(rows)
        self._topics = Topics(rows, self._may_concern)
        #: The codes of the rules that can be asked.
        self.codes = frozenset(row.code for row in rows if row.topics)
        #: The codes of the rules that have been found to look at the code of definitions.
        self.lookers: set[str] = set()

    def questions(self, program: Program) -> Iterator[Question]:
        """Everything that the rules are to be asked about a program."""
        faults_only = _is_partial(program)
        for item in _items(program):
            for code in self._topics.subscribers(item, faults_only):
                yield item, code

    def ask(self, questions: Iterable[Question], context: Context, path: Path) -> Answer:
        """What the rules find in a program, and which of them failed; ``path`` is the file being checked."""
        found: list[Raw] = []
        failed: dict[str, Notice] = {}
        again: list[Question] = []
        all_seen, lookers = Noted(), set[str]()
        program, live = context.program, context.document if isinstance(context.document, LiveDocument) else None
        with listening() as (seen, _):
            for item, code in questions:
                before, failures = len(found), len(failed)
                if live is not None:
                    live.listen()
                try:
                    rule = self._load(code)
                    context.item = item
                    found.extend(Raw(finding, item, program, rule) for finding in rule.check(item, context))
                except Exception as error:  # a faulty rule must not hide what the others find, or itself elsewhere
                    failed.setdefault(code, crash(path, f"rule {code} failed on {_formatted(item, program)}", error))
                if seen:
                    all_seen.update(seen)
                    seen.clear()
                    lookers.add(code)
                for failure in taken_failures():
                    what = f"a fix of rule {code} failed on {_formatted(item, program)}"
                    failed.setdefault(f"{code} fix", crash(path, what, failure))
                if live is not None and (live.read or live.asked or len(failed) > failures or len(found) > before):
                    again.append((item, code))
        return Answer(found, failed, again, all_seen, lookers)

    def _may_concern(self, code: str, name: str) -> bool:
        """Whether a rule is to be asked about calls of what has this name; one that fails here fails again when it is asked."""
        try:
            return self._load(code).may_concern(name)
        except Exception:
            return True


def _items(program: Program) -> Iterable[Item]:
    """The objects that rules are asked about: all, or those that are provably wrong."""
    if _is_partial(program):
        return [op for op in program.ops if op.faults]
    return (*program.trace, program)


def _formatted(item: Item, program: Program) -> str:
    """Which item that is, in words: the line it stands on, in which entry."""
    site = None if isinstance(item, Program) else item.site
    if site is None or site.document is None or site.statement is None:
        return program.entry
    try:
        line = site.document.location(site.statement, site.node).span.first.line
    except Exception:  # what has failed may be this very place
        return program.entry
    return f"line {line} of {site.document.path.name} ({program.entry})"


def _is_partial(program: Program) -> bool:
    """Whether a program shows only faults: it was run under another setting than the default one, or did not end."""
    return bool(program.setting) or program.is_part
