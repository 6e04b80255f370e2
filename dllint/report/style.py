"""Colours of the text formats, as ANSI sequences; off, every function returns its text unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.finding import Severity

_SEVERITY_CODES: Final = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36", Severity.HINT: "1;34"}


@dataclass(frozen=True, slots=True)
class Style:
    """Paints text if ``on``."""

    on: bool

    def paint(self, code: str, text: str) -> str:
        """``text`` in the colours of an SGR code."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    def bold(self, text: str) -> str:
        """Bold text."""
        return self.paint("1", text)

    def faint(self, text: str) -> str:
        """Line numbers and frames."""
        return self.paint("1;34", text)

    def added(self, text: str) -> str:
        """A line a fix adds."""
        return self.paint("32", text)

    def removed(self, text: str) -> str:
        """A line a fix removes."""
        return self.paint("31", text)

    def severity(self, severity: Severity, text: str) -> str:
        """Text in the colour of a severity."""
        return self.paint(_SEVERITY_CODES[severity], text)
