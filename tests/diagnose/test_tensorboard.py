"""Event files, read back by TensorFlow."""

from __future__ import annotations

import io
import math
import struct

import pytest

from dllint.diagnose.records import (
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
from dllint.diagnose.tensorboard.event_file import Scalar, write_events
from dllint.diagnose.tensorboard.scalars import scalars, write_run

STATS = TensorStats(32, 1.0, 0.5, 1.25, -2.0, 3.0, 0.25)
RUN = RunRecord(
    frameworks=("torch",),
    tracks=(TrackRecord("Adam", OptimizerRecord("Adam", None), 400),),
    losses=(LossRecord("loss", "Adam", None, None, "", (1, 200, 400), (2.0, math.nan, 1e300)),),
    metrics=(MetricRecord("val_accuracy", (400,), (0.75,)),),
    layers=(),
    parameters=(ParameterRecord("Net.0.weight", "Net.0", (4, 3), "float32", True, "Adam"),),
    steps=(
        StepRecord(
            "Adam",
            7,
            3.0,
            {"Net.0": LayerSample(STATS, UnitStats(8, 2, 0, 4096, 9))},
            {"Net.0.weight": ParameterSample(2.0, 0.5, 0.004)},
        ),
    ),
    faults=(),
    notes=(),
    ended="finished",
    seconds=100.0,
    own_share=0.0,
)


def test_scalars_of_losses_metrics_and_layers():
    told = {(scalar.tag, scalar.step): (scalar.time, scalar.value) for scalar in scalars(RUN, 1000.0)}
    assert told["loss/loss", 1] == (pytest.approx(1000.25), 2.0)
    assert told["metrics/val_accuracy", 400] == (pytest.approx(1100.0), 0.75)
    layer = {tag: value for (tag, step), (time, value) in told.items() if step == 7 and time == 1003.0}
    assert layer == {
        "output_std/Net.0": 1.25,
        "lost_units/Net.0": 0.25,
        "gradient_norm/Net.0": 0.5,
        "update_ratio/Net.0": pytest.approx(0.002),
    }


def test_a_record_is_framed_by_its_length_and_checksums():
    stream = io.BytesIO()
    write_events(stream, [Scalar("a", 300, 2.0, 0.5)], 1.0)
    data = stream.getvalue()
    first = struct.unpack_from("<Q", data)[0]
    assert data[12 : 12 + first].endswith(b"brain.Event:2")
    second = 12 + first + 4
    assert data[second + 12 :][: struct.unpack_from("<Q", data, second)[0]] == (
        b"\x09" + struct.pack("<d", 2.0) + b"\x10\xac\x02" + b"\x2a\x0a" + b"\x0a\x08\x0a\x01a\x15" + struct.pack("<f", 0.5)
    )


@pytest.mark.oracle
def test_tensorflow_reads_what_was_written(tmp_path):
    tensorflow = pytest.importorskip("tensorflow")
    path = write_run(RUN, tmp_path / "new" / "logs", 1100.0)
    read = {}
    for record in tensorflow.compat.v1.train.summary_iterator(str(path)):
        for value in record.summary.value:
            read[value.tag, record.step] = record.wall_time, value.simple_value
    wanted = {(scalar.tag, scalar.step): (scalar.time, scalar.value) for scalar in scalars(RUN, 1000.0)}
    assert read.keys() == wanted.keys()
    assert read["loss/loss", 400] == (pytest.approx(1100.0), math.inf)
    assert math.isnan(read["loss/loss", 200][1])
    assert read["update_ratio/Net.0", 7] == (pytest.approx(1003.0), pytest.approx(0.002))
