"""The scalars that are written for TensorBoard: losses, metrics, and per layer gradients, updates, outputs and dead units."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

from dllint.diagnose.layer_courses import MEASURES, parameters_by_layer
from dllint.diagnose.records import RunRecord
from dllint.diagnose.tensorboard.event_file import Scalar, write_events


def write_run(run: RunRecord, folder: Path, time: float) -> Path:
    """Write an event file into a folder (made if it is not there); ``time`` is when the run ended. The file.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{time:.0f}.{socket.gethostname()}.{os.getpid()}.dllint"
    with path.open("wb") as stream:
        write_events(stream, scalars(run, time - run.seconds), time - run.seconds)
    return path


def scalars(run: RunRecord, begun: float) -> Iterator[Scalar]:
    """All scalars, one course after the other. Times of steps that were not sampled are estimated from their number."""
    total = max((track.steps for track in run.tracks), default=0) or 1

    def at(step: int) -> float:
        return begun + run.seconds * min(step / total, 1.0)

    for loss in run.losses:
        for step, value in zip(loss.steps, loss.values, strict=True):
            yield Scalar(f"loss/{loss.key}", step, at(step), value)
    for metric in run.metrics:
        for step, value in zip(metric.steps, metric.values, strict=True):
            yield Scalar(f"metrics/{metric.name}", step, at(step), value)
    yield from _layers(run, begun)


def _layers(run: RunRecord, begun: float) -> Iterator[Scalar]:
    parameters = parameters_by_layer(run)
    names = dict.fromkeys([*parameters, *(name for step in run.steps for name in step.layers)])
    for step in run.steps:
        for name in names:
            for measure in MEASURES:
                value = measure.of(step, name, parameters.get(name, ()))
                if value is not None:
                    yield Scalar(f"{measure.name}/{name}", step.step, begun + step.seconds, value)
