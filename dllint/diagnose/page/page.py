"""The whole page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

from dllint.diagnose.boundary import described
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.findings import Read
from dllint.diagnose.page.cards import card, contents
from dllint.diagnose.page.comparisons import baselines, experiments
from dllint.diagnose.page.curves import curves
from dllint.diagnose.page.inputs import inputs
from dllint.diagnose.page.layers import layer_maps
from dllint.diagnose.page.outputs import outputs
from dllint.diagnose.page.overview import overview
from dllint.diagnose.page.sources import listed, sources
from dllint.diagnose.page.surroundings import environment, notes, traceback
from dllint.diagnose.page.view import View
from dllint.page.document import document, section
from dllint.page.markup import Markup, element

_Given = ParamSpec("_Given")


def page(diagnosis: Diagnosis, read: Read, base: Path) -> str:
    """The report of a run as one HTML document; ``base`` is the folder that paths are relative to."""
    run, view = diagnosis.run, View(read, base)
    files = listed(diagnosis, view)
    cards = [_part(card, finding, number, view) for number, finding in enumerate(diagnosis.findings, 1)]
    command = run.reproducibility.command if run.reproducibility is not None else ()
    name = next((Path(word).name for word in command if word != "-m"), "run")
    return document(
        f"{name}: dllint diagnose",
        _part(overview, diagnosis, view),
        section("The program failed", _part(traceback, diagnosis)),
        section("Findings", _part(contents, diagnosis.findings, view), *cards),
        section("Courses", _part(curves, diagnosis, view)),
        section("Layers over steps", _part(layer_maps, diagnosis, view, files)),
        section("Simple models on the same data", _part(baselines, run)),
        section("Experiments with a copy of the model", _part(experiments, run)),
        section("Inputs", _part(inputs, run)),
        section("Outputs of layers when last seen", _part(outputs, run, view)),
        section("Remarks", _part(notes, diagnosis)),
        section("Environment", _part(environment, run, view)),
        section("Source", _part(sources, diagnosis, view, files)),
    )


def _part(make: Callable[_Given, Markup], *args: _Given.args, **kwargs: _Given.kwargs) -> Markup:
    """A part of the page. If it cannot be made, a message stands in its place and the other parts are unaffected."""
    try:
        return make(*args, **kwargs)
    except Exception as error:
        return element("p", f"This part could not be made ({described(error)}).", class_="note")
