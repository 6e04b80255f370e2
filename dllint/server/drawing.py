"""The graph of a model of an analysed file, as an editor shows it."""

from __future__ import annotations

from dllint.analysis.architecture.graph import Wish, graph
from dllint.analysis.architecture.marking import marked
from dllint.analysis.architecture.outline import Places, outline, tree_for
from dllint.engine.analysis import Analysis
from dllint.page.diagram.svg import svg
from dllint.server.messages import Draw, Drawn


def drawn(analysis: Analysis, question: Draw, *, has_lines: bool) -> Drawn | str:
    """The graph that is asked for; empty if there is no such model."""
    home, programs = analysis.home, analysis.programs
    asked = question.asked
    if not asked:
        known = outline(home, programs).models
        asked = known[-1].asked if known else ""
    found = tree_for(home, programs, asked) if asked else None
    if found is None:
        return ""
    wish = Wish(None, frozenset(question.opened), frozenset(question.closed), marked(analysis.findings, home.path), has_lines)
    diagram = graph(*found, Places(home), wish)
    return Drawn(svg(diagram, is_alone=False), diagram.title, asked)
