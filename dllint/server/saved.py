"""Files of the workspace that are not open, in the analysis process: checked as they lie on the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from dllint.config.discovery import Configuration
from dllint.config.errors import ConfigError
from dllint.engine.files import find_files
from dllint.engine.homes import at_home
from dllint.engine.results import FileResult
from dllint.engine.run import Plan, check_each
from dllint.engine.unsupported import as_information
from dllint.finding import Finding, Severity
from dllint.server.attempts import Attempts
from dllint.server.messages import Checked, CheckSaved, Conclude, FindFiles, Paths, Surveyed
from dllint.server.pages import Pages

#: More files than this are not checked.
MOST_FILES: Final = 5000


@dataclass(slots=True)
class SavedFiles:
    """One survey: what was found so far. ``configuration`` gives that of the folder of a file, ``checkpoint`` may raise to stop
    the work."""

    configuration: Callable[[Path], Configuration]
    checkpoint: Callable[[], None]
    attempts: Attempts
    _pages: Pages = field(default_factory=Pages)
    #: What each file's own check has found, by ``id`` of the configuration.
    _results: dict[int, tuple[Configuration, list[FileResult]]] = field(default_factory=dict)

    def answer(self, question: FindFiles | CheckSaved | Conclude) -> Paths | Surveyed:
        """The answer to a question about saved files."""
        if isinstance(question, FindFiles):
            self._results.clear()
            return self._find(question.roots)
        if isinstance(question, CheckSaved):
            return Surveyed(tuple(self._checked(question.paths)))
        groups = list(self._results.values())
        self._results.clear()
        return Surveyed(tuple(file for configuration, results in groups for file in self._told(results, configuration)))

    def _find(self, roots: Iterable[Path]) -> Paths:
        """The files below the folders; a folder whose configuration cannot be used costs only itself."""
        found: dict[Path, None] = {}
        complaints: list[str] = []
        for root in roots:
            self.checkpoint()
            try:
                found |= dict.fromkeys(find_files([root], self.configuration(root / "any.py")).files)
            except ConfigError as error:
                complaints.append(str(error))
        paths = tuple(found)
        return Paths(paths[:MOST_FILES], max(0, len(paths) - MOST_FILES), tuple(dict.fromkeys(complaints)))

    def _checked(self, paths: Iterable[Path]) -> Iterator[Checked]:
        groups: dict[int, tuple[Configuration, list[Path]]] = {}
        for path in paths:
            try:
                configuration = self.configuration(path)
            except ConfigError as error:
                self.attempts.notify(str(error))
                continue
            groups.setdefault(id(configuration), (configuration, []))[1].append(path)
        for key, (configuration, files) in groups.items():
            results = check_each(files, Plan(configuration, jobs=1, cache=True), self.checkpoint)
            kept = [replace(result, before="", after="", data=None, dependencies=None, cells={}) for result in results]
            self._results.setdefault(key, (configuration, []))[1].extend(kept)
            own = [replace(r, findings=[f for f in r.findings if f.location.path == r.path]) for r in kept]
            yield from self._told(own, configuration)

    def _told(self, results: list[FileResult], configuration: Configuration) -> Iterator[Checked]:
        """The results as the server gets them: each finding in its file, or at the call in the file that led to it."""
        for result in at_home([replace(r, findings=list(r.findings)) for r in results], configuration):
            placed = (finding.seen_from(result.path) for finding in result.findings)
            wanted = (as_information(f) for f in placed if f is not None and f.severity is not Severity.HINT)
            findings = tuple(wanted)
            yield Checked(result.path, 0, findings, self._addresses(findings), tuple(result.notices))

    def _addresses(self, findings: Iterable[Finding]) -> dict[str, str]:
        pages: dict[str, str] = {}
        for code in {finding.code for finding in findings}:
            with self.attempts.attempt(f"the page of {code} cannot be shown"):
                pages[code] = self._pages.address(code)
        return pages
