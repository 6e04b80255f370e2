"""Whatever a record holds, it has a page, closing lines and scalars."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.headline import closing
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
from dllint.diagnose.tensorboard.scalars import scalars
from tests.diagnose.page_reader import Reader

NAMES = st.sampled_from(["a", "a.b", "a.b.c", '<x>&"', "", "é☃"])
COUNTS = st.integers(0, 5)
SHARES = st.floats(0, 1)
NUMBERS = st.floats()


def few(strategy, most=4):
    return st.lists(strategy, max_size=most).map(tuple)


def numbered(values):
    return tuple(range(1, len(values) + 1)), tuple(values)


STATS = st.builds(TensorStats, COUNTS, SHARES, NUMBERS, NUMBERS, NUMBERS, NUMBERS, SHARES)
PLACES = st.none() | st.builds(
    SourcePlace, st.sampled_from(["/project/train.py", "<ipython-input-1>", "rel.py"]), *[st.integers(1, 9)] * 4
)
UNITS = st.none() | st.builds(UnitStats, *[COUNTS] * 5)
FEATURES = st.none() | st.builds(FeatureStats, COUNTS, COUNTS, COUNTS, NUMBERS, NUMBERS, COUNTS)
TENSORS = st.builds(
    BatchTensor,
    NAMES,
    st.sampled_from(["input", "target", "unknown"]),
    few(COUNTS, 3),
    NAMES,
    st.none() | STATS,
    st.dictionaries(NAMES, COUNTS, max_size=3),
    FEATURES,
)
GROUPS = st.dictionaries(st.sampled_from(["lr", "x"]), st.none() | NUMBERS | st.booleans() | NAMES, max_size=2)
STEPS = st.builds(
    StepRecord,
    NAMES,
    st.integers(1, 10**9),
    st.floats(0, 1e6),
    st.dictionaries(NAMES, st.builds(LayerSample, STATS, UNITS, st.none() | STATS), max_size=4),
    st.dictionaries(NAMES, st.builds(ParameterSample, NUMBERS, st.none() | NUMBERS, st.none() | NUMBERS), max_size=4),
    few(GROUPS, 2),
    st.none() | st.builds(BatchRecord, NAMES, few(TENSORS, 3)),
)
COURSES = st.lists(NUMBERS, max_size=130).map(numbered)
LOSSES = st.builds(
    lambda key, track, place, course: LossRecord(key, track, place, None, "", *course), NAMES, NAMES, PLACES, COURSES
)
METRICS = st.builds(
    lambda name, course: MetricRecord(name, *course), st.sampled_from(["val_loss", "accuracy", "val_accuracy", ""]), COURSES
)
EXPERIMENTS = st.builds(
    ExperimentRecord,
    st.sampled_from(["modes", "cross-talk", "one-batch-fit", "gradient-noise", "another"]),
    NAMES,
    st.dictionaries(st.sampled_from(["train", "eval", "own", "others", "cosine", "ratio", "steps"]), NUMBERS, max_size=4),
)
RUNS = st.builds(
    RunRecord,
    frameworks=few(NAMES, 1),
    tracks=few(st.builds(TrackRecord, NAMES, st.builds(OptimizerRecord, NAMES, PLACES, few(GROUPS, 2)), COUNTS)),
    losses=few(LOSSES, 2),
    metrics=few(METRICS, 2),
    layers=few(st.builds(LayerRecord, NAMES, NAMES, PLACES, st.just(()), COUNTS)),
    parameters=few(st.builds(ParameterRecord, NAMES, NAMES, few(COUNTS, 2), NAMES, st.booleans(), st.none() | NAMES)),
    steps=few(STEPS, 6),
    faults=st.just(()),
    notes=few(NAMES, 2),
    ended=st.sampled_from(["finished", "certain", "error", "time", "interrupted"]),
    seconds=st.floats(0, 1e6),
    own_share=st.floats(0, 5),
    reproducibility=st.none(),
    experiments=few(EXPERIMENTS),
    baselines=few(
        st.builds(BaselineRecord, NAMES, st.sampled_from(["accuracy", "error"]), NUMBERS, NUMBERS, NUMBERS, COUNTS, PLACES)
    ),
    closing=st.just(()),
)


@settings(max_examples=25, deadline=None)
@given(RUNS)
def test_whatever_a_record_holds_it_has_a_page(run):
    diagnosis = Diagnosis(run, Outcome(run.ended), (), ("a remark",))
    Reader(page(diagnosis, lambda path: "a = 1\nb = 2\n", Path("/project")))
    assert list(closing(diagnosis))
    assert all(scalar.tag for scalar in scalars(run, 0.0))
