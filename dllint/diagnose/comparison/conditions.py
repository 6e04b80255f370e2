"""Differences in the conditions of two runs: commands, seeds, versions, sources, models, data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from dllint.diagnose.records import BatchRecord, LossCall, OptimizerRecord, RunRecord
from dllint.diagnose.reproducibility.circumstances import Reproducibility

_NONE: Final = "none"
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that differs. ``kind`` is one of ``sources``, ``command``, ``seeds``, ``model``, ``optimizer``, ``loss``,
    ``data``, ``versions``, ``hardware``, ``settings`` and ``environment``; ``subject`` says what of it."""

    kind: str
    subject: str
    first: str
    second: str


def differing_conditions(a: RunRecord, b: RunRecord) -> tuple[Condition, ...]:
    """All that differs and is not itself a result of the training."""
    found = []
    for kind, read in _READERS.items():
        first, second = read(a), read(b)
        for subject in [*first, *(subject for subject in second if subject not in first)]:
            values = first.get(subject, _NONE), second.get(subject, _NONE)
            if values[0] != values[1]:
                found.append(Condition(kind, subject, *values))
    return tuple(found)


def _of(read: Callable[[Reproducibility], Mapping[str, str]]) -> Callable[[RunRecord], Mapping[str, str]]:
    return lambda run: read(run.reproducibility) if run.reproducibility is not None else {}


def _sources(record: Reproducibility) -> Mapping[str, str]:
    """Digests by path from the script on, so that runs in other folders can be compared."""
    if not record.sources:
        return {}
    script = PurePath(record.sources[0].path)
    digests = {}
    for source in record.sources:
        path = PurePath(source.path)
        name = path.relative_to(script.parent).as_posix() if path.is_relative_to(script.parent) else path.name
        digests["the script" if path == script else name] = source.digest[:_DIGITS]
    return digests


def _command(record: Reproducibility) -> Mapping[str, str]:
    """The arguments; the same script may lie elsewhere."""
    return {f"argument {number}": argument for number, argument in enumerate(record.command[1:], 1)}


def _seeds(record: Reproducibility) -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    for generator in record.generators:
        if generator.unseeded:
            found[generator.name] = [f"unseeded ({generator.first})" if generator.first else "unseeded"]
    for seeding in record.seeds:
        found.setdefault(seeding.generator, []).append(seeding.value or "from the system")
    return {name: ", ".join(values) for name, values in found.items()}


def _versions(record: Reproducibility) -> Mapping[str, str]:
    return {"python": record.python, **record.versions}


def _model(run: RunRecord) -> Mapping[str, str]:
    layers = {layer.name: layer.kind for layer in run.layers}
    weights = {
        parameter.name: f"{parameter.shape} {parameter.dtype}{'' if parameter.trainable else ' frozen'}"
        for parameter in run.parameters
    }
    return {**layers, **weights}


def _optimizers(run: RunRecord) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for number, track in enumerate(run.tracks, 1):
        title = "" if number == 1 else f"{number}: "
        found |= {f"{title}class": track.optimizer.kind, **_groups(title, track.optimizer)}
        found[f"{title}batches per step"] = str(track.accumulated)
    return found


def _groups(title: str, optimizer: OptimizerRecord) -> Mapping[str, str]:
    several = len(optimizer.groups) > 1
    return {
        f"{title}{name}{f' of group {number}' if several else ''}": str(value)
        for number, group in enumerate(optimizer.groups, 1)
        for name, value in group.items()
    }


def _losses(run: RunRecord) -> Mapping[str, str]:
    call = _first_call(run)
    given = {"reduction": call.reduction, "last activation": call.activation or _NONE} if call is not None else {}
    kinds = {f"function of {loss.key}": loss.kind for loss in run.losses if loss.kind}
    return {**kinds, **({"function": call.kind} if call is not None else {}), **given}


def _first_call(run: RunRecord) -> LossCall | None:
    return next((call for step in run.steps for call in step.calls), None)


def _data(run: RunRecord) -> Mapping[str, str]:
    batch = _first_batch(run)
    if batch is None:
        return {}
    found = {f"{tensor.role} {tensor.name}": f"{tensor.shape} {tensor.dtype}" for tensor in batch.tensors}
    return {**found, **({"samples": str(batch.available)} if batch.available is not None else {})}


def _first_batch(run: RunRecord) -> BatchRecord | None:
    return next((step.batch for step in run.steps if step.batch is not None), None)


def _revision(record: Reproducibility) -> Mapping[str, str]:
    revision = record.revision
    return {} if revision is None else {"commit": revision.commit[:12] + (" with changes" if revision.dirty else "")}


_READERS: Final[Mapping[str, Callable[[RunRecord], Mapping[str, Any]]]] = {
    "sources": _of(lambda record: {**_sources(record), **_revision(record)}),
    "command": _of(_command),
    "seeds": _of(_seeds),
    "model": _model,
    "optimizer": _optimizers,
    "loss": _losses,
    "data": _data,
    "versions": _of(_versions),
    "hardware": _of(lambda record: record.hardware),
    "settings": _of(lambda record: record.settings),
    "environment": _of(lambda record: record.environment),
}
