"""The top of the page: the verdict and the key figures of the run."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from pathlib import Path

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.headline import headline
from dllint.diagnose.launch import ENDED
from dllint.diagnose.page.view import View
from dllint.diagnose.records import LossRecord, RunRecord
from dllint.page.markup import Markup, element
from dllint.page.numbers import shown

_LAST = 10


def overview(diagnosis: Diagnosis, view: View) -> Markup:
    """The verdict and the tiles below it."""
    run, verdict = diagnosis.run, headline(diagnosis)
    command = run.reproducibility.command if run.reproducibility is not None else ()
    program = element(
        "p", "dllint diagnose ", element("code", shlex.join(_typed(word, view) for word in command)), class_="soft"
    )
    tiles = (element("div", element("dt", name), element("dd", text)) for name, text in _tiles(run))
    return element("header", program, element("h1", verdict.text, class_=f"verdict {verdict.tone}"), element("dl", *tiles))


def _typed(word: str, view: View) -> str:
    """A word of the command as someone in the folder of the run would type it; editors give whole paths."""
    path = Path(word)
    return view.shown(path) if path.is_absolute() and path != view.base else word


def _tiles(run: RunRecord) -> Iterator[tuple[str, str]]:
    for track in run.tracks[:3]:
        yield f"Steps of {track.key}", shown(track.steps)
    for loss in run.losses[:2]:
        if loss.values:
            yield f"Loss{f' ({loss.key})' if len(run.losses) > 1 else ''}", _course(loss)
    weights = sum(math.prod(parameter.shape) for parameter in run.parameters)
    if weights:
        trained = sum(math.prod(parameter.shape) for parameter in run.parameters if parameter.optimizer is not None)
        yield "Parameters", shown(weights) if trained == weights else f"{shown(weights)}, {shown(trained)} trained"
    yield "Time", f"{run.seconds:.1f} s"
    if run.own_share:
        yield "Cost of watching", f"{run.own_share:.1%}"
    yield "End", ENDED.get(run.ended, run.ended)


def _course(loss: LossRecord) -> str:
    """The mean of the first losses and that of the last ones."""
    size = min(_LAST, max(len(loss.values) // 4, 1))
    first, last = sum(loss.values[:size]) / size, sum(loss.values[-size:]) / size
    return f"{shown(first)} → {shown(last)}" if len(loss.values) > 1 else shown(first)
