"""Opening one file for the commands that show what is known about it."""

from __future__ import annotations

from pathlib import Path

from dllint.cli.failures import Failure, say
from dllint.config.discovery import Configuration
from dllint.config.errors import ConfigError
from dllint.engine.analysis import Analysis
from dllint.engine.reading import open_document
from dllint.engine.session import Session
from dllint.finding import Finding


def open_analysed(path: Path) -> Analysis:
    """A file's programs and findings.

    Raises:
        Failure: it cannot be read or does not parse.
    """
    try:
        document = open_document(path)
        if isinstance(document, Finding):
            first = document.location.span.first
            raise Failure(f"{path}:{first.line}:{first.column}: {document.message}")
        analysis = Session(Configuration()).analyser(path).analyse(document)
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror or error}") from error
    except ConfigError as error:
        raise Failure(error) from error
    for notice in analysis.notices:
        say(f"{notice.kind}: {notice.path}: {notice.message}{notice.traceback and chr(10)}{notice.traceback}")
    return analysis
