"""Documents to traced programs, through the memo: what did not change since the last time is not traced again."""

from __future__ import annotations

from dllint.config.options import Settings
from dllint.engine.analysis import Traced
from dllint.engine.queries import Memo
from dllint.engine.results import Notice
from dllint.lower.document import lower_document
from dllint.lower.options import Options
from dllint.source.document import Document
from dllint.source.workspace import Workspace


class Tracer:
    """Traces the documents of one workspace."""

    def __init__(self, settings: Settings) -> None:
        self.workspace = Workspace([settings.root / directory for directory in settings.src])
        self.memo = Memo()
        self.options = Options(total_fuel=settings.max_steps)

    def trace(self, document: Document) -> Traced:
        """The programs of a document."""
        lowered = lower_document(document, self.workspace, self.options)
        failures = (f"the analysis of {entry} ended early: {reason}" for entry, reason in lowered.failures)
        return Traced(lowered.programs, [Notice("internal-error", document.path, failure) for failure in failures])
