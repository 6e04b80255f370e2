"""From what rules found in every traced context to what is reported: each root cause once, nothing doubtful.

The steps, in order: a fault seen only under invented arguments where a real call of the same place is fine is dropped;
the configured severities are set; suppression comments are honoured; a rule's finding removes those that it makes
redundant; the same fault reached on several ways is reported once.

- An entry that nothing calls runs with invented arguments (defaults, symbols). A fault in its own frame is dropped if
  a real call of the same place, in another program, passes without fault. A fault behind a real call stands.
- Conditions that exclude each other are no path (``analysis/conditions.py``, by the keys of the branches and by what
  their texts compare): what stands under them is dropped, whatever it is.
- A configured severity replaces the rule's. A rule that is a mere hint by default reports hints, which JSON holds and
  the command line prints with ``--show-hints``, unless it was selected by its code or name.
- ``# dllint: ignore[…]`` and ``# noqa`` are honoured at the reported place, inside the code that is called there, and
  at the calls that lead to a place in another file.
- A rule names the codes that it makes redundant (``suppresses``): about the same item, or about the same tensor at
  the same place.
- One root cause is reported once: of the findings with the same rule, place and layer, or the same rule and repair,
  the most severe, most certain and least conditional one is kept. One call may apply several layers, each with a
  fault of its own.
- Every kind of fault (``ops/faults.py``) has a rule that reports what no more special one describes;
  ``tests/rules/test_every_fault_is_told.py`` holds it for every call that the library samples refuse.
- What raises while findings are refined or fixes tried costs that finding or fix, never the others; a notice tells of
  it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dllint.analysis.assumed_batch import rests_on_assumed_batch
from dllint.analysis.closed import is_closed
from dllint.analysis.conditions import can_hold, is_at_times
from dllint.analysis.consequences import is_consequence
from dllint.analysis.facts import Facts
from dllint.analysis.set_ranks import rests_on_set_ranks
from dllint.config.selection import Catalogue, Selection
from dllint.config.targets import Targets
from dllint.engine.dispatch import Raw
from dllint.finding import CALLED, INNER_PLACE, Confidence, Finding, Severity
from dllint.ir.program import ONE_OF_SEVERAL, SCRIPT, Event, Op, Program, Site
from dllint.ops.spec import known_shapes
from dllint.rules.calibration import Evidence, weighed
from dllint.rules.context import location
from dllint.source.document import Document
from dllint.source.pragmas import Suppressions
from dllint.span import Location

#: The messages of related places at which a comment counts for a finding about a whole program, as those of one about an
#: operation are taken from its call stack.
_AROUND: Final = frozenset({CALLED, INNER_PLACE})
_LESS = {Confidence.HIGH: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.LOW, Confidence.LOW: Confidence.LOW}


@dataclass(frozen=True, slots=True)
class Policy:
    """The part of a file's configuration that refinement needs."""

    selection: Selection
    catalogue: Catalogue
    ignored: frozenset[str]
    min_confidence: str
    targets: Targets


def refine(
    raws: Sequence[Raw],
    programs: Iterable[Program],
    policy: Policy,
    suppressions: Callable[[Document], Suppressions],
    home: Document,
) -> list[Raw]:
    """The findings to report, sorted by place; ``suppressions`` gives the comments of a document, ``home`` is the one under
    check."""
    kept = _drop_doubtful(_drop_contradicted(raws, programs))
    kept = [replace(raw, finding=_less_certain(raw)) if raw.program.setting else raw for raw in kept]
    kept = [replace(raw, finding=_with_severity(raw.finding, policy)) for raw in kept if _wanted(raw.finding, policy)]
    kept = _drop_subsumed(kept)
    kept = [raw for raw in kept if not _suppressed(raw, suppressions, home)]
    return sorted(_once(kept), key=lambda raw: order(raw.finding))


def weigh(raw: Raw, selection: Selection) -> Raw:
    """A finding with the severity that its confidence, when nothing lowers that any more, allows; a configured one stays."""
    finding = raw.finding
    if finding.code in selection.severity:
        return raw
    item = raw.item
    fault = isinstance(item, Op) and bool(item.faults)
    is_set = isinstance(item, Op) and rests_on_set_ranks(item)  # what comes to it fails, whatever the condition is about
    setting = "" if raw.program.is_meant else raw.program.setting
    at_times = isinstance(item, Op) and is_at_times(item.path, setting) and not is_set
    invented = raw.program.entry != SCRIPT and not raw.program.takes_nothing and not is_set
    empty = isinstance(item, Op) and _is_empty(item)
    declared = finding.confidence is Confidence.LOW and is_closed(item, Facts(raw.program))
    evidence = Evidence(finding.code, finding.kind, fault, at_times, invented, empty, declared)
    severity = weighed(finding.severity, finding.confidence, evidence)
    return replace(raw, finding=replace(finding, severity=severity))


def _is_empty(op: Op) -> bool:
    """Whether an operation takes or gives a tensor without elements, or should have."""
    reported = (shape for fault in op.faults for shape in fault.shapes if isinstance(shape, tuple))
    return any(0 in shape for shape in (*reported, *known_shapes(*(value.type for value in (*op.inputs, *op.outputs)))))


def order(finding: Finding) -> tuple[str, int, int, str, str]:
    """The sort key of findings: file, place, code, message."""
    span = finding.location.span
    return str(finding.location.path), span.start, span.end, finding.code, finding.message


def _less_certain(raw: Raw) -> Finding:
    """What shows under a setting only: the setting may be meant to go with others. What shows with the inputs that a program is
    made for by its names is a warning: the names may mislead."""
    finding = raw.finding
    return replace(finding, confidence=Confidence.LOW if raw.program.is_meant else _LESS[finding.confidence])


def _wanted(finding: Finding, policy: Policy) -> bool:
    if finding.code not in policy.selection or finding.code in policy.ignored:
        return False
    return finding.confidence.rank <= Confidence(policy.min_confidence).rank


def _with_severity(finding: Finding, policy: Policy) -> Finding:
    """The configured severity; without one, a rule that is a mere hint by default stays one unless asked for by name."""
    configured = policy.selection.severity.get(finding.code)
    if configured is not None:
        return replace(finding, severity=Severity(configured))
    entry = policy.catalogue.entries.get(finding.code)
    if entry is not None and entry.default == "hint" and finding.code not in policy.selection.exact:
        return replace(finding, severity=Severity.HINT)
    return finding


def _drop_contradicted(raws: Sequence[Raw], programs: Iterable[Program]) -> list[Raw]:
    """Without the faults of an uncalled entry's own frame whose place another program passes without fault.

    An uncalled entry runs with invented arguments (defaults, symbols). A call that the source really makes knows better:
    a fault inside it stands, and where it shows no fault, one under invented arguments proves nothing.
    """
    suspects = [
        (raw, id(raw.item.site.node)) for raw in raws if isinstance(raw.item, Op) and _is_invented(raw.item, raw.program)
    ]
    if not suspects:
        return list(raws)
    nodes = {node for _, node in suspects}
    fine: dict[int, set[int]] = {}
    for program in programs:
        for op in program.ops:
            if id(op.site.node) in nodes and not op.faults and _is_called(op, program):
                fine.setdefault(id(op.site.node), set()).add(id(program))
    refuted = {id(raw) for raw, node in suspects if fine.get(node, set()) - {id(raw.program)}}
    return [raw for raw in raws if id(raw) not in refuted]


def _drop_doubtful(raws: Sequence[Raw]) -> list[Raw]:
    """Without what stands under conditions that exclude each other, faults that follow from another fault, and those in arms
    whose conditions need not go together with what was built before."""
    facts: dict[int, Facts] = {}
    arms = _faulty_options(raws)
    kept = []
    for raw in raws:
        item = raw.item
        if not isinstance(item, Program) and not can_hold(item.path, raw.program.setting):
            continue
        if isinstance(item, Event) and _is_one_of_several(item):
            continue
        if raw.finding.severity is Severity.ERROR and _is_behind_error(item):
            continue
        if isinstance(item, Op) and item.faults:
            known = facts.setdefault(id(raw.program), Facts(raw.program))
            if item.doubtful or is_consequence(item, known) or rests_on_assumed_batch(item) or not _holds_for_all(item, arms):
                continue
        kept.append(raw)
    return kept


def _faulty_options(raws: Sequence[Raw]) -> dict[int, set[int]]:
    """Place that holds one of several values (key of its condition) → the values with which an operation has a fault."""
    arms: dict[int, set[int]] = {}
    for raw in raws:
        if isinstance(raw.item, Op) and raw.item.faults:
            for condition in raw.item.path:
                if condition.text == ONE_OF_SEVERAL:
                    arms.setdefault(condition.key, set()).add(condition.arm)
    return arms


def _holds_for_all(op: Op, arms: dict[int, set[int]]) -> bool:
    """Whether a fault does not depend on which of several values a place holds: each of them has one."""
    return all(len(arms[condition.key]) == condition.arms for condition in op.path if condition.text == ONE_OF_SEVERAL)


def _is_behind_error(item: Op | Event | Program) -> bool:
    """Whether something is executed for what it shows only: the run has ended before, or what ends it is not understood."""
    return not isinstance(item, Program) and any(condition.behind_error for condition in item.path)


def _is_one_of_several(event: Event) -> bool:
    """Whether an event concerns one of the values that branches have left: the others may be the ones that come here."""
    return any(condition.text == ONE_OF_SEVERAL for condition in event.path)


def _is_invented(op: Op, program: Program) -> bool:
    return bool(op.faults) and not _is_called(op, program) and not program.setting


def _is_called(op: Op, program: Program) -> bool:
    return program.entry == SCRIPT or op.site.caller is not None


def _drop_subsumed(raws: list[Raw]) -> list[Raw]:
    """Without the findings that another rule's finding makes redundant: about the same item, or about the same tensor at the
    same place."""
    items: set[tuple[int, str]] = set()
    places: dict[tuple[Location, str], list[Raw]] = {}
    for raw in raws:
        for code in getattr(raw.rule, "suppresses", ()):
            items.add((id(raw.item), code))
            places.setdefault((raw.finding.location, code), []).append(raw)
    return [
        raw
        for raw in raws
        if (id(raw.item), raw.finding.code) not in items or isinstance(raw.item, Program)
        if not any(_is_same_matter(raw, other) for other in places.get((raw.finding.location, raw.finding.code), ()))
    ]


def _is_same_matter(raw: Raw, other: Raw) -> bool:
    """Whether two findings of one place are about the same tensor. One place performs several operations where it calls a
    container or a loop; what is no operation is identified by its place alone."""
    one, two = raw.item, other.item
    if not isinstance(one, Op) or not isinstance(two, Op):
        return True
    if one.kind == two.kind and _built_at(one) == _built_at(two):
        return True
    if location(two.site) != other.finding.location == location(one.site):  # it tells of another operation, which is this one
        return True
    return not {value.id for value in (*one.inputs, *one.outputs)}.isdisjoint(value.id for value in (*two.inputs, *two.outputs))


def _built_at(item: Op | Event | Program) -> int | None:
    """Which construction made the layer that an operation applies: it distinguishes the layers that one call applies."""
    site = getattr(item.layer, "site", None) if isinstance(item, Op) else None
    return id(site.node) if site is not None and site.node is not None else None


def _suppressed(raw: Raw, suppressions: Callable[[Document], Suppressions], home: Document) -> bool:
    """Whether a comment suppresses a finding: at its place, in the code that is called there, or at a call that leads to it
    from the file under check."""
    finding, about = raw.finding, raw.item
    if isinstance(about, Program):
        places = [finding.location, *(place.location for place in finding.related if place.message in _AROUND)]
        elsewhere = any(place.path != home.path for place in places)
        documents = _documents([item.site for item in about.trace]) if elsewhere else {}
    else:
        places = [finding.location, *(place.location for place in finding.related if place.message == CALLED)]
        documents = _documents([about.site])
        if documents.keys() != {finding.location.path}:
            places += _inner_places(about.site, finding.location.path)
    documents.setdefault(home.path, home)
    return any(
        suppressions(documents[place.path]).matches(finding.code, finding.name, place.span.first.line, place.span.last.line)
        for place in places
        if place.path in documents
    )


def _documents(sites: Iterable[Site]) -> dict[Path, Document]:
    """The documents that sites and the calls that lead to them stand in, by path."""
    return {frame.document.path: frame.document for site in sites for frame in site.stack() if frame.document is not None}


def _inner_places(site: Site, home: Path) -> Iterator[Location]:
    """The places inside the code that a finding's place calls."""
    for frame in site.stack():
        if frame.document is None or frame.document.path == home:
            return
        if frame.statement is not None:
            yield frame.document.location(frame.statement, frame.node)


def _once(raws: list[Raw]) -> list[Raw]:
    """One finding per rule, place and layer, and one per rule and repair: the most severe, most certain and first one."""
    ranked = sorted(enumerate(raws), key=lambda item: (*_weakness(item[1]), item[0]))
    seen: set[object] = set()
    chosen: list[Raw] = []
    for _, raw in ranked:
        keys = _identities(raw)
        if not seen.intersection(keys):
            chosen.append(raw)
        seen.update(keys)
    return chosen


def _weakness(raw: Raw) -> tuple[int, int, int, int]:
    """How much weaker than the best a report is: severity, confidence, depends on a branch, depth of the call stack."""
    item = raw.item
    path = () if isinstance(item, Program) else item.path
    depth = 0 if isinstance(item, Program) else len(item.site.stack())
    return raw.finding.severity.rank, raw.finding.confidence.rank, len(path) + bool(raw.program.setting), depth


def _identities(raw: Raw) -> list[object]:
    """What a finding is recognised by: its rule with its place and the layer there (whichever of several values that is), or
    with its repair."""
    finding, layer = raw.finding, _built_at(raw.item)
    identities: list[object] = [(finding.code, finding.location, layer)]
    if not isinstance(raw.item, Program):
        chosen = [condition.key for condition in raw.item.path if condition.text == ONE_OF_SEVERAL]
        identities += [(finding.code, finding.location, ONE_OF_SEVERAL, key) for key in chosen]
    if finding.fixes:
        identities.append((finding.code, finding.fixes[0].edits))
    if finding.related and finding.related[0].message == INNER_PLACE:
        identities.append((finding.code, finding.related[0].location, layer))
    return identities
