"""Programs of model classes that run: no error is reported of them, plain or with some of it hidden, and shapes hold."""

from __future__ import annotations

import ast
from random import Random

import pytest

from benchmarks.module_idioms.check import check, drafted
from benchmarks.module_idioms.hiding import PLAIN, Hiding
from benchmarks.module_idioms.project import MAIN, MODULE, written
from benchmarks.module_idioms.running import run
from benchmarks.module_idioms.template import FAMILIES, draw

#: One program of each family, and a few more.
SAMPLE = range(3)


@pytest.mark.sampled(every=2)
@pytest.mark.oracle
@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_wrong_is_said_of_programs_that_run(family):
    verdict = check(500 + FAMILIES.index(family), (family,))
    assert not verdict.defect
    wrong = [problem for version in verdict.versions for problem in (*version.false_errors, *version.wrong, *version.crashes)]
    assert not wrong
    assert verdict.known > 0.3 * verdict.operations


@pytest.mark.oracle
def test_broken_programs_are_noticed():
    verdicts = [check(seed, ("mlp", "vit", "textcnn")) for seed in range(40, 46)]
    broken = [verdict.broken[0] for verdict in verdicts if verdict.broken]
    assert len(broken) > 3
    assert sum(version.found for version in broken) >= len(broken) - 1


@pytest.mark.parametrize("family", FAMILIES)
def test_every_way_of_hiding_gives_python(family):
    draft = draw(family, Random(family))
    settings, data = ("argparse", "required", "parameters", "config", "json"), ("made", "parameter", "files")
    for number, hidden in enumerate(settings):
        for place in ("beside", "imported", "alone"):
            hiding = Hiding(
                hidden, data[number % 3], place, ("used", "none", "others", "odd")[number % 4], "some", number % 2 == 1
            )
            project = written(draft, hiding, number)
            assert set(project.files) <= {MAIN, MODULE}
            for text in project.files.values():
                ast.parse(text)


def test_equal_seeds_give_equal_programs():
    for seed in SAMPLE:
        assert written(drafted(seed), PLAIN, seed).files == written(drafted(seed), PLAIN, seed).files


def test_a_run_tells_shapes_by_place():
    draft = draw("mlp", Random(1))
    draft.sections = {
        "definitions": "def double(x):\n    return x + x\n",
        "main": "model = torch.nn.Linear(3, 2)\n",
        "step": "pass\n",
    }
    draft.settings, draft.data = {}, {"x": "torch.zeros(4, 3)"}
    draft.sections["step"] = "y = double(x)\nloss = model(y).sum()\n"
    project = written(draft, PLAIN, 0)
    shown = run(project)
    assert not shown.error
    line = next(number for number, text in enumerate(project.files[MAIN].splitlines(), 1) if "x + x" in text)
    assert shown.shapes[MAIN, (line, 12, line, 13)] == {(4, 3)}
