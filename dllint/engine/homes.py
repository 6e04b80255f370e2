"""Assignment of findings to the files that hold them, each finding once.

Checking a file also finds faults in the files that it imports. Each is moved to the result of the file that holds it and is
subject to that file's comments, settings and baseline. What a file's own check finds comes before what checks of other files
find in it. The cache stores what one file's check has found before this step.

- If a finding is reported at a call, its first related place is where the fault happens (``INNER_PLACE``); for a finding in
  another file than the one under check, the last related places are the calls that lead there, the outermost last (``CALLED``).
- An editor shows a finding in another file at the call in the file that is open (``Finding.seen_from``), with the inner place
  as related information; the comment that it offers there suppresses it. The other file shows what its own check finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.config.selection import Selection
from dllint.engine.failing import failing
from dllint.engine.results import FileResult
from dllint.finding import INNER_PLACE, Finding, Severity
from dllint.span import Location

#: What a finding is recognised by: its code and a place.
Key = tuple[str, Location]


@dataclass(slots=True)
class FilePolicies:
    """What the configuration says about findings of a rule in a file, whichever file led to them."""

    configuration: Configuration
    _known: dict[Path, tuple[Selection, frozenset[str]]] = field(default_factory=dict)

    def applied(self, finding: Finding) -> Finding | None:
        """The finding under the settings of the file that holds it; ``None`` if they leave it out.

        Raises:
            ConfigError: the configuration of that file cannot be used.
        """
        from dllint.engine.registry import catalogue  # most runs have no such finding

        path = finding.location.path
        if finding.code not in catalogue().entries:
            return finding
        if path not in self._known:
            settings = self.configuration.for_file(path)
            self._known[path] = self.configuration.selection(settings, catalogue()), catalogue().ignored_in(path, settings)
        selection, ignored = self._known[path]
        if finding.code not in selection or finding.code in ignored:
            return None
        configured = selection.severity.get(finding.code)
        return finding if configured is None else replace(finding, severity=Severity(configured))


def at_home(results: list[FileResult], configuration: Configuration) -> list[FileResult]:
    """The results with every finding once, in the result of the file that holds it; in that of the first file that led to it,
    if its own is not among them. What a file tells of itself comes before what others tell of it.

    Raises:
        ConfigError: the configuration of a file that others lead to cannot be used.
    """
    policies, homes = FilePolicies(configuration), {result.path.absolute(): result for result in results}
    reported = {_key(finding) for result in results for finding in result.findings if _is_home(finding, result)}
    for result in results:
        own: list[Finding] = []
        for finding, others in _ordered(result):
            if _is_home(finding, result):
                if not others & reported:
                    own.append(finding)
            elif _key(finding) not in reported and (found := _applied(finding, policies, result)) is not None:
                reported.add(_key(finding))
                home = homes.get(finding.location.path.absolute())
                (own if home is None or home is result else home.findings).append(found)
            reported |= others
        result.findings = own
    return results


def _applied(finding: Finding, policies: FilePolicies, result: FileResult) -> Finding | None:
    with failing(result, f"the settings of {finding.location.path.name} could not be applied to a finding of {finding.code}"):
        return policies.applied(finding)
    return finding


def _ordered(result: FileResult) -> Iterator[tuple[Finding, set[Key]]]:
    """The findings of a file, with the places inside other files that they are about."""
    for finding in list(result.findings):
        inner = finding.related[0].location if finding.related and finding.related[0].message == INNER_PLACE else None
        elsewhere = inner is not None and inner.path.absolute() != result.path.absolute()
        yield finding, {(finding.code, _absolute(inner))} if inner is not None and elsewhere else set()


def _is_home(finding: Finding, result: FileResult) -> bool:
    return finding.location.path.absolute() == result.path.absolute()


def _key(finding: Finding) -> Key:
    return finding.code, _absolute(finding.location)


def _absolute(location: Location) -> Location:
    return replace(location, path=location.path.absolute())
