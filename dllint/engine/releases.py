"""Findings that hold for some releases of a library only: kept, weakened, dropped or merged by the releases the code is for.

Such a finding (:class:`dllint.finding.Releases`: a removed name, an old keyword) holds from a certain release on.

- The code is for such a release: the finding stands.
- Its requirements admit releases of both kinds: those of a document are merged into one warning; into one for information if
  the requirements admit every later release.
- The code is for older releases: the finding is dropped.
- Nothing says which release: those of a document are merged into one for information. So are those of a rule about a recent
  change of what an operation does.

What is deprecated in some releases is told unless the code is for older ones.

The prose of a README decides nothing about names and such changes. Operations that fail in an admitted release are warnings.
Suppressions, selection and configured severities are applied before. ``engine/python2.py`` puts one notice in the place of the
syntax errors that ``source/python2.py`` knows, ``engine/unsupported.py`` one in the place of those that only libcst finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from dllint.analysis.needed_release import Needed, needed
from dllint.analysis.symbol_uses import symbol_uses
from dllint.config.selection import Selection
from dllint.config.targets import Target, Targets
from dllint.edit import Applicability, Fix
from dllint.engine.dispatch import Raw
from dllint.finding import Confidence, Finding, Related, Releases, Severity
from dllint.frameworks.releases import CHECKED, admitted, keras_with, known
from dllint.ir.program import Op
from dllint.ops import faults
from dllint.rules.context import location
from dllint.source.document import Document
from dllint.source.versions import version

if TYPE_CHECKING:
    from packaging.version import Version

_TITLES: Final = {"tensorflow": "TensorFlow", "keras": "Keras", "torch": "PyTorch", "torchvision": "torchvision"}
_MOST_NAMED: Final = 3
_MIGRATE: Final = "write the names of today, or pin an older release"
_ADVICE: Final = "name the release in the setting `target`, or pin it"


@dataclass(slots=True)
class Settled:
    """The findings that are left, and who decided about them, as ``library: who``."""

    raws: list[Raw]
    decided: tuple[str, ...] = ()


def settle(raws: Sequence[Raw], document: Document, targets: Targets, selection: Selection) -> Settled:
    """The findings that hold for the releases that a document is for."""
    judge = _Judge(document, targets)
    if all(raw.finding.releases is None for raw in raws):
        return Settled([judge.weighed(raw) for raw in raws])
    kept: list[Raw] = []
    unknown: list[Raw] = []
    presumed: list[Raw] = []
    deprecated = [raw for raw in raws if _is_deprecation(raw)]
    raws = [raw for raw in raws if not _is_deprecation(raw)]
    breaking: dict[Target, list[Raw]] = {}
    for raw in raws:
        verdict = judge.about(raw.finding.releases)
        if verdict is True and judge.is_presumed(raw.finding.releases) and not is_asked_for(raw.finding, selection):
            presumed.append(raw)
        elif verdict is True:
            kept.append(replace(raw, finding=judge.confirmed(raw.finding)))
        elif isinstance(verdict, Target):
            breaking.setdefault(verdict, []).append(raw)
        elif verdict is None:
            usual = raw.finding.releases is not None and raw.finding.releases.usual
            (kept if usual or is_asked_for(raw.finding, selection) else unknown).append(raw)
        judge.is_for_others |= verdict is not True
    for raw in presumed:
        if _is_written_before(raw, unknown):
            unknown.append(raw)
            judge.is_for_others = True
        else:
            kept.append(replace(raw, finding=judge.confirmed(raw.finding)))
    kept = _folded([judge.weighed(raw) for raw in kept], judge, selection)
    told = (raw for raw in deprecated if is_asked_for(raw.finding, selection) or judge.is_in_question(raw, unknown))
    kept += [judge.with_fixes_for_all(raw) for raw in told]
    kept += [_warned(group, target) for target, found in breaking.items() if (group := _own(found, document))]
    if unknown := _own(unknown, document):
        kept.append(_noted(unknown))
    return Settled(kept, judge.decided())


def _is_deprecation(raw: Raw) -> bool:
    return raw.finding.releases is not None and raw.finding.releases.deprecated


def _is_written_before(presumed: Raw, outdated: Sequence[Raw]) -> bool:
    """Whether the file uses what the releases of a finding lack, so that it is rather for older ones."""
    releases = presumed.finding.releases
    return releases is not None and any(
        other.finding.releases is not None
        and other.finding.releases.library == releases.library
        and not other.finding.releases.usual
        and _since(other.finding) <= version(releases.since)
        for other in outdated
    )


def _folded(raws: list[Raw], judge: _Judge, selection: Selection) -> list[Raw]:
    """The findings, with one for all of a rule in the file about the same recent change that nobody is known to have."""
    groups: dict[tuple[str, str, str], list[Raw]] = {}
    kept: list[Raw] = []
    for raw in raws:
        finding = raw.finding
        releases = finding.releases
        is_own = finding.location.path == judge.document.path
        if (
            releases is None
            or not (is_own and releases.recent and judge.is_presumed(releases))
            or is_asked_for(finding, selection)
        ):
            kept.append(raw)
        else:
            groups.setdefault((finding.code, releases.library, releases.what), []).append(raw)
    return kept + [_together(group) for group in groups.values()]


def _together(raws: list[Raw]) -> Raw:
    """The first of some findings about one change, which names the others and the releases that they hold for. A fix that each
    of them has mends all."""
    first, finding, what = _grouped(raws)
    places = f", and so at {len(raws) - 1} more places" if len(raws) > 2 else ", and so at one more place" * (len(raws) - 1)
    message = f"{finding.message}{places}: {_later(raws)} lack {what}"
    return replace(first, finding=replace(finding, message=message, fixes=fixes_of_all(raws)))


def fixes_of_all(raws: list[Raw]) -> tuple[Fix, ...]:
    """The fixes that all findings have under the same title, each with the edits of all."""
    by_title = [{fix.message: fix for fix in raw.finding.fixes} for raw in raws]
    common = [title for title in by_title[0] if all(title in fixes for fixes in by_title)]
    return tuple(_merged([fixes[title] for fixes in by_title]) for title in common)


def _merged(fixes: list[Fix]) -> Fix:
    edits = tuple(sorted({edit for fix in fixes for edit in fix.edits}))
    order = list(Applicability)
    return Fix(fixes[0].message, edits, max((fix.applicability for fix in fixes), key=order.index))


def _own(raws: list[Raw], document: Document) -> list[Raw]:
    """The findings about the document's own code: another file tells of its own when it is checked."""
    return [raw for raw in raws if raw.finding.location.path == document.path]


def is_asked_for(finding: Finding, selection: Selection) -> bool:
    """Whether somebody has selected the rule by its code or name, or given it a severity."""
    return finding.code in selection.exact or finding.code in selection.severity


@dataclass
class _Judge:
    """Decides about the releases of one document."""

    document: Document
    targets: Targets
    #: Whether something has shown that the document is not written for the newest releases, or that nobody knows.
    is_for_others: bool = False
    _asked: dict[str, Target | None] = field(default_factory=dict)
    _mattered: set[str] = field(default_factory=set)

    def about(self, releases: Releases | None) -> Target | bool | None:
        """Whether the code is for some releases; the target, if it admits them beside others; ``None`` if that is not known."""
        if releases is None:
            return True
        since, target = version(releases.since), self._target(releases.library)
        if target is not None or not releases.usual:
            self._mattered.add(releases.library)
        possible = self._possible(releases.library, target)
        lacking = sum(release >= since for release in possible)
        if lacking == len(possible) or (lacking and releases.usual):
            return True if target is None or target.firm or releases.usual or self._is_shown(releases) else target
        if target is None:
            return None
        if not lacking:
            return False
        return target if target.declared and not target.implied else None

    def is_in_question(self, deprecation: Raw, outdated: Sequence[Raw]) -> bool:
        """Whether the code may be for releases in which a name is deprecated, and nothing shows that it is for older ones."""
        return self.about(deprecation.finding.releases) is not False and not _is_written_before(deprecation, outdated)

    def with_fixes_for_all(self, deprecation: Raw) -> Raw:
        """A finding about a deprecated name, without fixes if the code is for releases, too, that lack its successor."""
        finding = deprecation.finding
        releases = finding.releases
        target = self._target(releases.library) if releases is not None else None
        if target is None or releases is None or min(target.releases) >= version(releases.since):
            return deprecation
        return replace(deprecation, finding=replace(finding, fixes=()))

    def is_presumed(self, releases: Releases | None) -> bool:
        """Whether the code is taken to be for some releases because nothing says otherwise, or, where the change is recent,
        because prose names earlier ones too, or it was run with one of some releases, nobody knows which."""
        if releases is None or not releases.usual or self._is_shown(releases):
            return False
        target = self._target(releases.library)
        if target is None:
            return True
        return releases.recent and not (target.declared and target.firm) and min(target.releases) < version(releases.since)

    def weighed(self, raw: Raw) -> Raw:
        """A finding with the weight that is left where the release that it speaks of is not known to be meant.

        What is only wrong in some releases is less certain where nothing names any, and information if they are recent. What
        operations take and make is less certain in code for older releases; what those of torch once did is not in the
        tables, so that an error there is information, but for sizes that all releases since 1.0 compare alike.
        """
        finding, releases = raw.finding, raw.finding.releases
        if releases is not None:
            if not self.is_presumed(releases):
                return raw
            return replace(raw, finding=_for_information(finding) if releases.recent else _at_most(finding, Confidence.LOW))
        framework = raw.item.framework if isinstance(raw.item, Op) else None
        if not finding.code.startswith(_OF_OPERATIONS) or not (self.is_for_others or self._is_old(framework)):
            return raw
        finding = _at_most(finding, Confidence.LOW)
        if framework == "torch" and finding.severity is Severity.ERROR and not self._is_compared_alike(finding, framework):
            finding = _for_information(finding)
        return replace(raw, finding=finding)

    def _is_compared_alike(self, finding: Finding, framework: str) -> bool:
        """Whether a finding is about sizes that each release for which the code may be compares as today's."""
        target = self._target(framework)
        return finding.kind in _ALIKE and target is not None and min(target.releases).major >= _FIRST_STABLE

    def _is_old(self, framework: str | None) -> bool:
        """Whether the code is for releases before those of today, by their first number."""
        target = self._target(framework) if framework in CHECKED else None
        return target is not None and max(target.releases).major < version(CHECKED[target.library]).major

    def _is_shown(self, releases: Releases) -> bool:
        """Whether the names of the document alone show that it is for some releases."""
        evidence = self._evidence.get(releases.library)
        return evidence is not None and version(evidence.since) >= version(releases.since)

    def _possible(self, library: str, target: Target | None) -> tuple[Version, ...]:
        """The releases that the code may be for, by its target and the names it uses; the target wins."""
        possible, evidence = target.releases if target is not None else known(library), self._evidence.get(library)
        if evidence is None:
            return possible
        return tuple(release for release in possible if release >= version(evidence.since)) or possible

    def decided(self) -> tuple[str, ...]:
        """Who decided, by library."""
        lines = []
        for library, target in sorted(self._asked.items()):
            if library not in self._mattered:
                continue
            evidence = self._evidence.get(library)
            said = str(target) if target is not None else ""
            if evidence is not None:
                said += f"{', ' if said else ''}`{evidence.use.name}` needs {evidence.since}"
            lines.append(f"{library}: {said or 'not known'}")
        return tuple(lines)

    def _target(self, library: str) -> Target | None:
        if library not in self._asked:
            self._asked[library] = self.targets.of(library)
        return self._asked[library]

    def confirmed(self, finding: Finding) -> Finding:
        """A finding that stands, with what decides; the use that shows the release is a related place."""
        if finding.releases is None:
            return finding
        library = finding.releases.library
        target, evidence = self._asked[library], self._evidence.get(library) if self._is_shown(finding.releases) else None
        related = list(finding.related)
        if evidence is not None and (target is None or any(release < _since(finding) for release in target.releases)):
            title = _TITLES.get(evidence.library, evidence.library)
            note = f"`{evidence.use.name}` needs {title} {evidence.since} or later"
            related.append(Related(location(evidence.use.site), note))
        said = str(target) if target is not None else f"`{evidence.use.name}`" if evidence is not None else ""
        return replace(finding, related=tuple(related), releases=_decided(finding, said))

    @cached_property
    def _evidence(self) -> dict[str, Needed]:
        """The use that needs the newest release, by library. What needs a release of TensorFlow needs the Keras that goes with
        it."""
        newest: dict[str, Needed] = {}
        for found in needed(symbol_uses(self.document)):
            for candidate in (found, _in_keras(found)):
                if candidate is None:
                    continue
                held = newest.get(candidate.library)
                if held is None or version(candidate.since) > version(held.since):
                    newest[candidate.library] = candidate
        return newest


def _at_most(finding: Finding, confidence: Confidence) -> Finding:
    """A finding that is no more certain than this."""
    return replace(finding, confidence=max(finding.confidence, confidence, key=lambda level: level.rank))


def _for_information(finding: Finding) -> Finding:
    """A finding that is not certain, below a warning."""
    severity = max(finding.severity, Severity.INFO, key=lambda level: level.rank)
    return replace(_at_most(finding, Confidence.LOW), severity=severity)


#: The rules about what operations take and make, which is looked up for the newest releases.
_OF_OPERATIONS: Final = "DLT"
#: Kinds of faults that torch has refused in the same way since its first stable release: what layers are declared for, inner
#: sizes of products, sizes that neither are equal nor 1, what is joined, element counts (broadcasting came with release 0.2).
_ALIKE: Final = frozenset({faults.FEATURE_SIZE, faults.MATMUL, faults.BROADCAST, faults.CONCAT, faults.RESHAPE_SIZE})
_FIRST_STABLE: Final = 1


def _in_keras(found: Needed) -> Needed | None:
    """The oldest Keras that goes with the release of TensorFlow that a use needs."""
    if found.library != "tensorflow":
        return None
    releases = keras_with(admitted("tensorflow", f">={found.since}"))
    return replace(found, library="keras", since=str(releases[0])) if releases else None


def _since(finding: Finding) -> Version:
    assert finding.releases is not None
    return version(finding.releases.since)


def _decided(finding: Finding, said: str) -> Releases | None:
    return replace(finding.releases, decided=said) if finding.releases is not None else None


def _warned(raws: list[Raw], target: Target) -> Raw:
    """One finding for what some of the releases lack that the requirements admit: an upgrade breaks the code.

    What is admitted is not always meant, so that such a finding is less certain than one about the releases themselves. Prose
    (a README) says less than the names that the file uses. Where even the newest release is admitted, nobody has said how new
    it may be, and it is information if a name is lacking; an operation that cannot take its operands is a warning.
    """
    first, finding, names = _grouped(raws)
    newest_too = max(target.releases) == max(known(target.library))
    is_weak = not target.firm or (newest_too and not finding.code.startswith(_OF_OPERATIONS))
    severity = max(finding.severity, Severity.INFO if is_weak else Severity.WARNING, key=lambda level: level.rank)
    newest = f"{target} admits {max(target.releases)}"
    advice = finding.advice if len(raws) == 1 else _MIGRATE
    if len(raws) == 1:
        message = f"{finding.message}, and {newest}"
    else:
        message = f"{_later(raws)} lack {names}, and {newest}"
    merged = replace(finding, severity=severity, message=message, advice=advice, releases=_decided(finding, str(target)))
    return replace(first, finding=_at_most(merged, Confidence.MEDIUM))


def _noted(raws: list[Raw]) -> Raw:
    """One finding, for information, for all that is only wrong in releases that the document may not be for."""
    first, finding, names = _grouped(raws)
    message = f"this file is written for {_earlier(raws)}, as later releases lack {names}"
    return replace(first, finding=replace(finding, message=message, advice=_ADVICE, severity=Severity.INFO, fixes=()))


def _grouped(raws: list[Raw]) -> tuple[Raw, Finding, str]:
    """The first of some findings, with the places of the others; the names of all. Only a single one keeps its fixes."""
    ordered = sorted(raws, key=lambda raw: raw.finding.location.span.start)
    first, *others = ordered
    names = list(dict.fromkeys(raw.finding.releases.what for raw in ordered if raw.finding.releases is not None))
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    related = (*first.finding.related, *(Related(raw.finding.location, raw.finding.message) for raw in others))
    fixes = () if others else first.finding.fixes
    return first, replace(first.finding, related=related, fixes=fixes), ", ".join(names[:_MOST_NAMED]) + more


def _earlier(raws: Iterable[Raw]) -> str:
    """``TensorFlow before 2.0 and Keras before 3.0``."""
    return " and ".join(f"{_TITLES.get(library, library)} before {since}" for library, since in _oldest(raws))


def _later(raws: Iterable[Raw]) -> str:
    """``TensorFlow 2.0 and later``."""
    return " and ".join(f"{_TITLES.get(library, library)} {since}" for library, since in _oldest(raws)) + " and later"


def _oldest(raws: Iterable[Raw]) -> list[tuple[str, Version]]:
    """Of each library the oldest release that lacks something."""
    oldest: dict[str, Version] = {}
    for releases in (raw.finding.releases for raw in raws):
        if releases is not None:
            since = version(releases.since)
            oldest[releases.library] = min(oldest.get(releases.library, since), since)
    return sorted(oldest.items())
