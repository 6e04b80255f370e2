"""The whole page."""

from __future__ import annotations

from pathlib import Path

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


def page(diagnosis: Diagnosis, read: Read, base: Path) -> str:
    """The report of a run as one HTML document; ``base`` is the folder that paths are told relative to."""
    run, view = diagnosis.run, View(read, base)
    files = listed(diagnosis, view)
    cards = [card(finding, number, view) for number, finding in enumerate(diagnosis.findings, 1)]
    command = run.reproducibility.command if run.reproducibility is not None else ()
    name = next((Path(word).name for word in command if word != "-m"), "run")
    return document(
        f"{name}: dllint diagnose",
        overview(diagnosis),
        section("The program failed", traceback(diagnosis)),
        section("Findings", contents(diagnosis.findings, view), *cards),
        section("Courses", curves(diagnosis, view)),
        section("Layers over steps", layer_maps(diagnosis, view, files)),
        section("Simple models on the same data", baselines(run)),
        section("Experiments with a copy of the model", experiments(run)),
        section("Inputs", inputs(run)),
        section("Outputs of layers when last seen", outputs(run, view)),
        section("Remarks", notes(diagnosis)),
        section("Environment", environment(run, view)),
        section("Source", sources(diagnosis, view, files)),
    )
