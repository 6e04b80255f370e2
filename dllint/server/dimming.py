"""Findings that a baseline knows stay visible in an editor, as hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dllint.config.options import Settings
from dllint.engine.baseline import Baseline
from dllint.engine.cells import Cells
from dllint.engine.results import FileResult
from dllint.finding import Finding, Severity
from dllint.source.notebook import Notebook


@dataclass(slots=True)
class Baselines:
    """The baselines of configurations, read again when their files change."""

    _read: dict[Path, tuple[int, Baseline | None]] = field(default_factory=dict)

    def dim(
        self, path: Path, text: str, findings: Sequence[Finding], settings: Settings, notebook: Notebook | None = None
    ) -> tuple[Finding, ...]:
        """The findings of a file, in their order; those that its baseline knows are hints. ``text`` may be the module of a
        notebook, whose baseline knows findings by their cells.

        Raises:
            dllint.engine.baseline.BaselineError: the baseline cannot be used.
        """
        baseline = self._baseline(settings.root / settings.baseline) if settings.baseline else None
        if baseline is None:
            return tuple(findings)
        recognised, texts = list(findings), {}
        if notebook is not None:
            recognised, texts = list(map(Cells(path, notebook).finding, findings)), notebook.texts
        result = FileResult(path, recognised, before=text, after=text, cells=texts)
        baseline.take([result])
        new = set(map(id, result.findings))
        pairs = zip(findings, recognised, strict=True)
        return tuple(f if id(known) in new else replace(f, severity=Severity.HINT) for f, known in pairs)

    def _baseline(self, path: Path) -> Baseline | None:
        try:
            written = path.stat().st_mtime_ns
        except OSError:
            return None
        if self._read.get(path, (0, None))[0] != written:
            self._read[path] = (written, Baseline.read(path))
        return self._read[path][1]
