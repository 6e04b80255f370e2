"""The documentation pages of rules where an editor can open them: files in the user's cache directory."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from dllint import __version__
from dllint.config.errors import ConfigError
from dllint.engine.registry import catalogue, metadata


@dataclass(slots=True)
class Pages:
    """Writes a page when its address is first asked for. dllint works without a network, so its pages do, too."""

    directory: Path | None = None
    _addresses: dict[str, str] = field(default_factory=dict)

    def address(self, code: str) -> str:
        """The address of a rule's page; empty for what is no rule, or if the page cannot be written."""
        if code not in self._addresses:
            self._addresses[code] = self._write(code) if code in catalogue().entries else ""
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

    def _write(self, code: str) -> str:
        directory = self.directory or _cache_directory()
        path = directory / f"{catalogue().entries[code].name}.md"
        text = _markdown(code)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        except OSError:
            return ""
        return path.as_uri()


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
