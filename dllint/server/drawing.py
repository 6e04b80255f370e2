"""The graph of a model of an analysed file, as an editor shows it."""

from __future__ import annotations

from dllint.analysis.architecture.graph import Wish, graph
from dllint.analysis.architecture.marking import marked
from dllint.analysis.architecture.models import Model
from dllint.analysis.architecture.outline import Places, outline, tree_for
from dllint.analysis.architecture.tree import Module
from dllint.engine.analysis import Analysis
from dllint.page.diagram.svg import svg
from dllint.server.messages import Draw, Drawn


def drawn(analysis: Analysis, question: Draw, *, has_lines: bool) -> Drawn | str:
    """The graph that is asked for; empty if there is no such model."""
    found = asked_for(analysis, question.asked)
    if found is None:
        return ""
    model, tree, asked = found
    wrong = marked(analysis.findings, analysis.home.path)
    wish = Wish(None, frozenset(question.opened), frozenset(question.closed), wrong, has_lines)
    diagram = graph(model, tree, Places(analysis.home), wish)
    return Drawn(svg(diagram, is_alone=False), diagram.title, asked)


def asked_for(analysis: Analysis, asked: str) -> tuple[Model, Module, str] | None:
    """A model by the name that outlines have for it, which comes with it; if that is empty, the last one of the file."""
    if not asked:
        known = outline(analysis.home, analysis.programs).models
        asked = known[-1].asked if known else ""
    found = tree_for(analysis.home, analysis.programs, asked) if asked else None
    return (*found, asked) if found is not None else None
