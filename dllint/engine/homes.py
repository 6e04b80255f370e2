"""Findings in the results of the files that hold them, each once.

Checking a file finds faults in the files that it imports, too. They belong to those files: to their lines, comments, settings
and baselines.

- The first related place of a finding that stands at a call is where it happens (``INNER_PLACE``); the last ones of a
  finding in another file than the one under check are the calls that lead there, the outermost last (``CALLED``).
- A run (``engine/homes.py``) puts each finding into the result of the file that holds it, once, under the settings of
  that file; what a file tells of itself comes before what others tell of it. Baselines know it by that file, too. The
  cache keeps what one file's check has found, before that.
- An editor shows a finding in another file at the call in the file that is asked about (``Finding.seen_from``), with
  the inner place as related information, and the comment that it offers there silences it. The other file shows what
  its own check finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dllint.config.discovery import Configuration
from dllint.config.selection import Selection
from dllint.engine.failing import failing
from dllint.engine.registry import catalogue
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
