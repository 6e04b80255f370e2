"""The page of a run: what stands in it, that it escapes, and that it stays small."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.headline import headline
from dllint.diagnose.launch import Outcome
from dllint.diagnose.page.page import page
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.records import (
    BaselineRecord,
    BatchRecord,
    BatchTensor,
    ExperimentRecord,
    FeatureStats,
    LayerRecord,
    LayerSample,
    LossRecord,
    MetricRecord,
    OptimizerRecord,
    ParameterRecord,
    ParameterSample,
    RunRecord,
    StepRecord,
    TensorStats,
    TrackRecord,
    UnitStats,
)
from dllint.diagnose.reproducibility.circumstances import Reproducibility, Seeding
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.observation import Observation, Remedy, Trial
from dllint.span import Location, Position, Span
from tests.diagnose.page_reader import Reader

SCRIPT = Path("/project/train.py")
TEXT = "net = Linear(3, 4)  # <b>\noptimizer = SGD(net, lr=5)\n"
STATS = TensorStats(32, 1.0, 0.5, 1.25, -2.0, 3.0, 0.25)


def run_of(layers=2, steps=120, losses=(2.0, 1.0), **more):
    names = [f"Net.{number}" for number in range(layers)]
    place = SourcePlace(str(SCRIPT), 1, 7, 1, 19)
    detail = {
        name: LayerSample(STATS, UnitStats(10, number % 11, 0, 4096, 9), STATS if not number else None)
        for number, name in enumerate(names)
    }
    batch = BatchRecord(
        "f",
        (
            BatchTensor("0", "input", (8, 3), "float32", STATS, features=FeatureStats(3, 1, 1, 9.0, 1.0, 64)),
            BatchTensor("1", "target", (8,), "int64", STATS, {"0": 6, "1": 2}),
        ),
    )
    sampled = tuple(
        StepRecord(
            "Adam",
            step,
            step / 10,
            detail,
            {f"{name}.weight": ParameterSample(1.0, 10.0 ** -(step % 7), 1e-3 * (step % 5)) for name in names},
            ({"lr": 0.1},),
            batch,
        )
        for step in range(1, steps + 1)
    )
    values = {
        "frameworks": ("torch",),
        "tracks": (TrackRecord("Adam", OptimizerRecord("Adam", None, ({"lr": 0.1},)), steps),),
        "losses": (LossRecord("loss", "Adam", place, None, "", tuple(range(1, len(losses) + 1)), tuple(losses)),),
        "metrics": (MetricRecord("accuracy", (1, 2), (0.1, 0.9)), MetricRecord("val_loss", (2,), (1.5,))),
        "layers": tuple(LayerRecord(name, "Linear", place, (), number) for number, name in enumerate(names)),
        "parameters": tuple(ParameterRecord(f"{name}.weight", name, (4, 3), "float32", True, "Adam") for name in names),
        "steps": sampled,
        "faults": (),
        "notes": ("a note",),
        "ended": "finished",
        "seconds": 12.0,
        "own_share": 0.021,
        "reproducibility": Reproducibility(
            ("train.py",), "3.11", {"torch": "2"}, {"cpus": "2"}, {}, seeds=(Seeding("torch", "0", place),)
        ),
        "experiments": (
            ExperimentRecord("modes", "Net", {"train": 1.0, "eval": 9.0}),
            ExperimentRecord("new", "Net", {"a": 1.0}),
        ),
        "baselines": (BaselineRecord("logistic", "accuracy", 0.8, 0.4, 0.05, 512),),
    }
    return RunRecord(**{**values, **more})


def finding_of(*trials, layer="Net.0", severity=Severity.WARNING):
    edit = Edit(SCRIPT, TEXT.index("5)"), TEXT.index("5)") + 1, "0.5")
    remedies = tuple(
        Remedy("learning-rate", Fix(f"Lower the rate, way {number}", (edit,), Applicability.UNSAFE), trial)
        for number, trial in enumerate(trials)
    )
    place = Location(SCRIPT, Span(6, 18, Position(1, 7), Position(1, 19)))
    seen = Observation("exploding", layer, 40, {"ratio": 0.5, "parts": [1, 2], "why": "<i>"}, remedies)
    return Finding("DLX104", "exploding", "It grows & grows", severity, Confidence.HIGH, place, observation=seen)


def page_of(run, *findings, **more):
    diagnosis = Diagnosis(run, more.pop("outcome", Outcome(run.ended)), findings, more.pop("remarks", ()))
    return page(diagnosis, lambda path: TEXT if path == SCRIPT else "", Path("/project"))


def test_the_page_has_all_parts():
    good, bad = Trial(True, "accuracy", 0.3, 0.9, 3), Trial(False, "accuracy", 0.3, 0.31, 1)
    made = page_of(run_of(), finding_of(good, bad, None), remarks=("a remark",))
    seen = " ".join(Reader(made).texts)
    for text in (
        "1 finding: exploding; a repair was tried and confirmed",
        "It grows & grows",
        "train.py:1:7",
        "recommended",
        "the symptom is gone",
        "0.3 → 0.9",
        "not tried",
        "- optimizer = SGD(net, lr=5)",
        "+ optimizer = SGD(net, lr=0.5)",
        "Logistic regression",
        "loss 1 in training mode, 9 in evaluation mode",
        "1 of 3 columns constant",
        "A remark.",
        "torch=2",
        "torch 0 (train.py:1)",
        "2.1%",
    ):
        assert text in seen, text
    assert "Loss: training from 2 at step 1 to 1 at step 2; validation 1.5 at step 2" in made


@pytest.mark.parametrize("given", ["train.py", "/project/train.py"])
@pytest.mark.parametrize("more", [(), ("--out", "/elsewhere/model.pt"), ("--root", "/")])
def test_the_head_has_the_command_as_someone_in_the_folder_types_it(given, more):
    record = replace(run_of().reproducibility, command=(given, *more))
    seen = " ".join(" ".join(Reader(page_of(run_of(reproducibility=record))).texts).split())
    assert f"dllint diagnose {' '.join(('train.py', *more))} Healthy" in seen


def test_texts_of_the_program_are_escaped_and_links_lead_somewhere():
    made = page_of(run_of(), finding_of(None))
    reader = Reader(made)
    assert "# <b>" in "".join(reader.texts)
    assert "<b>\n" not in made
    assert reader.links == {"#finding-1", "#file-1-1"}
    assert {link[1:] for link in reader.links} <= reader.ids


@pytest.mark.parametrize(("layers", "steps"), [(1, 1), (0, 0), (300, 120)])
def test_pages_of_all_sizes_are_whole_and_small(layers, steps):
    values = [math.sin(number) + 2 for number in range(10_000 if steps > 1 else steps)]
    made = page_of(run_of(layers, steps, values), finding_of(None))
    Reader(made)
    assert len(made.encode()) < 2_000_000


def test_several_findings_have_a_table_that_leads_to_them():
    made = page_of(run_of(), finding_of(Trial(True, "accuracy", 0.3, 0.9, 3)), finding_of())
    reader = Reader(made)
    assert {"#finding-1", "#finding-2"} <= reader.links
    assert {"finding-1", "finding-2"} <= reader.ids
    assert " ".join(reader.texts).count("accuracy 0.3 → 0.9") == 1


def test_a_run_without_anything_is_told():
    empty = run_of(0, 0, (), tracks=(), metrics=(), notes=(), experiments=(), baselines=(), reproducibility=None, ended="error")
    made = page_of(empty, outcome=Outcome("error", 1, "Traceback\nKeyError: '<x>'"))
    seen = " ".join(Reader(made).texts)
    assert "The program failed before a training step was seen" in seen
    assert "KeyError: '<x>'" in seen
    assert set(re.findall(r"<h2>(.*?)</h2>", made)) == {"The program failed"}


def test_values_that_are_not_finite_are_drawn():
    odd = TensorStats(4, 0.5, math.nan, math.inf, -math.inf, math.inf, 0.0)
    step = StepRecord(
        "Adam", 1, 0.1, {"Net.0": LayerSample(odd)}, {"Net.0.weight": ParameterSample(math.inf, math.nan, math.nan)}
    )
    made = page_of(replace(run_of(1, 0, (1.0, math.nan)), steps=(step,)))
    assert "step 2: training is nan" in made
    assert "nonfinite" in made


@pytest.mark.parametrize(
    ("run", "findings", "remarks", "tone", "text"),
    [
        (run_of(), (), (), "healthy", "symptoms in 120 steps"),
        (run_of(steps=1), (), ("too few steps to say whether the loss falls",), "unknown", "in 1 step, which are too few"),
        (run_of(losses=()), (), (), "unknown", "of which no loss was seen"),
        (run_of(ended="error"), (), (), "unknown", "The program failed; nothing wrong was seen in 120 steps"),
        (run_of(), (finding_of(),), (), "suspicion", "1 finding: exploding"),
        (run_of(), (finding_of(severity=Severity.ERROR),), (), "fault", "1 finding: exploding"),
        (run_of(), (finding_of(severity=Severity.HINT),), (), "healthy", "No warning, but 1 hint: exploding"),
        (run_of(), (finding_of(Trial(False, "m", 0, 0, 1)),), (), "suspicion", "no repair that was tried can be recommended"),
        (run_of(), (finding_of(Trial(True, "m", 0, 1, 3)), finding_of()), (), "suspicion", "confirmed for 1"),
    ],
)
def test_headlines(run, findings, remarks, tone, text):
    verdict = headline(Diagnosis(run, Outcome(run.ended), findings, remarks))
    assert verdict.tone == tone
    assert text in verdict.text


def test_layers_stand_in_the_order_of_the_forward_pass():
    place, other = SourcePlace("/project/train.py", 1, 7, 1, 19), SourcePlace("/project/parts/net.py", 9, 1, 9, 5)
    layers = (
        LayerRecord("Net", "Net", place, (), 0),
        LayerRecord("Net.late", "Linear", place, (), 1),
        LayerRecord("Net.early", "Linear", place, (), 2),
        LayerRecord("Net.unseen", "Attention", place, (), 3),
        LayerRecord("Net.relu", "relu", place, (), 4),
    )
    step = StepRecord("Adam", 1, 0.1, {f"Net.{name}": LayerSample(STATS) for name in ("early", "relu", "late")})
    parameters = tuple(
        ParameterRecord(f"Net.{n}.weight", f"Net.{n}", (2,), "float32", True, "Adam") for n in ("unseen", "late")
    )
    made = page_of(replace(run_of(0, 0), layers=layers, steps=(step,), parameters=parameters))
    labels = re.findall(r'class="label">(.*?)<.*?class="tick">(.*?)<', made)
    assert labels == [("early", "Linear :1"), ("unseen", "Attention :1"), ("relu", "relu :1"), ("late", "Linear :1")]
    moved = (*layers[:-1], replace(layers[-1], place=other))
    made = page_of(replace(run_of(0, 0), layers=moved, steps=(step,), parameters=parameters))
    assert ("early", "Linear train.py:1") in re.findall(r'class="label">(.*?)<.*?class="tick">(.*?)<', made)
