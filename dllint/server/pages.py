"""The documentation pages of rules where an editor can open them: files in the user's cache directory."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dllint import __version__
from dllint.config.errors import ConfigError
from dllint.engine.registry import catalogue, metadata

#: Codes of what a diagnosed run finds, which are no rules of the static half.
_SYMPTOM: Final = re.compile(r"DLX\d{3}")
#: Seconds to wait for a page that is printed.
_LONGEST_WAIT: Final = 10.0


@dataclass(slots=True)
class Pages:
    """Writes a page when its address is first asked for. dllint works without a network, so its pages do, too."""

    directory: Path | None = None
    _addresses: dict[str, str] = field(default_factory=dict)

    def address(self, code: str) -> str:
        """The address of a rule's page; empty for what is no rule, or if the page cannot be written."""
        if code not in self._addresses:
            entry = catalogue().entries.get(code)
            self._addresses[code] = self._write(entry.name, _markdown(code)) if entry is not None else ""
        return self._addresses[code]

    def address_in_run(self, code: str) -> str:
        """The address of the page of a code that a run has found; that of a symptom is known to ``dllint rule`` only."""
        if not _SYMPTOM.fullmatch(code):
            return self.address(code)
        if not self._addresses.get(code):
            text = _printed(code)
            self._addresses[code] = self._write(code, text) if text else ""
        return self._addresses[code]

    def text(self, selector: str) -> str:
        """The pages of the rules that a code or name in a comment means: that of one rule, the titles of several."""
        try:
            codes = sorted(catalogue().codes_of([selector], "a comment"))
        except ConfigError:
            return ""
        if len(codes) == 1:
            return _markdown(codes[0])
        return "\n".join(f"- `{code}` {catalogue().entries[code].name}" for code in codes)

    def _write(self, name: str, text: str) -> str:
        directory = self.directory or _cache_directory()
        path = directory / f"{name}.md"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        except OSError:
            return ""
        return path.as_uri()


def _printed(code: str) -> str:
    """What ``dllint rule`` prints about a code; empty if that fails."""
    command = [sys.executable, "-P", "-m", "dllint", "rule", code, "--output-format", "markdown"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LONGEST_WAIT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def _cache_directory() -> Path:
    from platformdirs import user_cache_path

    try:
        return user_cache_path("dllint") / "rules" / __version__
    except RuntimeError:  # no home directory
        return Path(tempfile.gettempdir()) / "dllint" / __version__


def _markdown(code: str) -> str:
    record = metadata(code)
    fix = f", fix {record['fix']}" if record["fix"] else ""
    return f"# {code}: {record['name']}\n\n*{record['severity']}, {record['confidence']} confidence{fix}*\n\n{record['page']}\n"
