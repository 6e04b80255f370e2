"""Opening one file for the commands that show what is known about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from dllint.cli.failures import Failure, say, say_lines
from dllint.config.discovery import Configuration
from dllint.config.environments import Environments
from dllint.config.errors import ConfigError
from dllint.engine.analysis import Analysis
from dllint.engine.cells import Cells
from dllint.engine.graphs import Nodes, analyse_graph
from dllint.engine.parsing import parsed
from dllint.engine.reading import read_source
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.ir.printer import place_text
from dllint.ir.program import Site
from dllint.lower.graphs.errors import GraphError, MissingExtraError
from dllint.lower.graphs.formats import Format, format_of, import_file
from dllint.source.notebook import Notebook
from dllint.source.regular import read_regular
from dllint.span import Location


@dataclass(frozen=True, slots=True)
class Opened:
    """A file's programs and findings, and the notebook or graph that it is, if it is one."""

    path: Path
    analysis: Analysis
    notebook: Notebook | None = None
    nodes: Nodes | None = None
    #: How many lines the file itself has, without what was added to it.
    lines: int = 0
    #: What has analysed it, and can prove fixes; ``None`` for graphs.
    session: Session | None = None

    def localized(self, finding: Finding) -> Finding:
        """A finding of the analysis, in a notebook in terms of its cells, in a graph of its nodes."""
        if self.nodes is not None:
            return next(self.nodes.findings([finding]))
        return finding if self.notebook is None else Cells(self.path, self.notebook).finding(finding)

    def text(self, path: Path, cell: int | None) -> str:
        """The text that places point into. Raises OSError if it is another file's and cannot be read."""
        if path != self.path:
            return read_regular(path).decode("utf-8", "replace")
        if self.nodes is not None:
            return self.nodes.text
        return self.analysis.document.text if self.notebook is None or cell is None else self.notebook.source(cell)

    def place(self, site: Site) -> str:
        """``net.py:12:17``, in this notebook ``net.ipynb:cell 3:2:17``, in a graph ``net.onnx:node fc/Log``."""
        if self.nodes is not None:
            location = self.nodes.location(site.document.location(site.statement, site.node))
            return f"{self.path.name}:node {location.node}"
        if self.notebook is None or site.document is not self.analysis.document or site.statement is None:
            return place_text(site)
        span = site.document.span(site.statement, site.node)
        location = Cells(self.path, self.notebook).location(Location(self.path, span))
        return f"{self.path.name}:cell {location.cell}:{location.span.first.line}:{location.span.first.column}"


def open_analysed(path: Path, python: str = "", *, added: str = "", architectures: bool = False) -> Opened:
    """A file, read and analysed; ``python`` names the environment of its installed packages. ``added`` is text that is analysed
    as if it stood at the end of the file, ``architectures`` an option of the session.

    Raises:
        Failure: it cannot be read or does not parse.
    """
    form = format_of(path)
    try:
        if form is not None:
            return _open_graph(path, form)
        source = read_source(path, read_regular(path))
        if isinstance(source, Finding):
            raise _unparsed(source)
        lines = source.text.count("\n") + 1
        if added:
            source = replace(source, text=f"{source.text}\n{added}")
        document = parsed(path, source)
        if isinstance(document, Finding):
            raise _unparsed(document)
        session = Session(Configuration(environments=Environments(python)), architectures=architectures)
        analysis = session.analyser(path).analyse(document)
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror or error}") from error
    except ConfigError as error:
        raise Failure(error) from error
    _say(analysis)
    notebook = source.notebook.notebook if source.notebook is not None else None
    return Opened(path, analysis, notebook, lines=lines, session=session)


def _open_graph(path: Path, form: Format) -> Opened:
    try:
        imported = import_file(path, form)
    except (GraphError, MissingExtraError) as error:
        raise Failure(f"cannot read {path}: {error}") from error
    analysis = analyse_graph(imported, Session(Configuration()).analyser(path))
    _say(analysis)
    return Opened(path, analysis, nodes=Nodes(imported))


def _say(analysis: Analysis) -> None:
    for notice in analysis.notices:
        say(str(notice))
        if notice.traceback:
            say_lines(notice.traceback)


def _unparsed(finding: Finding) -> Failure:
    first = finding.location.span.first
    return Failure(f"{finding.location.path}:{first.line}:{first.column}: {finding.message}")
