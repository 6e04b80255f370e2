"""One branch of a trial: the program, edited or not, runs for a few steps in this process, with its writes redirected; the
result is a :class:`BranchResult`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Final

from dllint.arrival import Arrivals
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.launch import Program
from dllint.diagnose.limits import Limits
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.probes.yardstick import YARDSTICKS, Measure, Yardstick, make_yardstick
from dllint.diagnose.records import LossRecord, RunRecord
from dllint.diagnose.serial import from_json, to_json
from dllint.diagnose.session import Request, diagnose
from dllint.diagnose.symptoms.registry import shown
from dllint.diagnose.symptoms.symptom import Symptom
from dllint.diagnose.trials.edited import serve_edited
from dllint.diagnose.trials.scratch import keep_writes_apart
from dllint.diagnose.trials.seeds import shift_seeds
from dllint.finding import Severity

#: Steps of a branch that are looked at: always the same ones, so that verdicts do not depend on how busy the machine is.
_LOOKS: Final = 60
_FELL: Final = 0.95
#: Losses of optimizers that play against each other need not fall; one that doubles has lost.
_GREW: Final = 2.0
_GRAVE: Final = ("exploding", "loss not decreasing", "accuracy not increasing", "unchanged weight")


@dataclass(frozen=True, slots=True)
class Branch:
    """What to run. ``texts`` are the edited files (absolute path → text), ``seed`` is added to the program's seeds."""

    target: str
    arguments: tuple[str, ...]
    is_module: bool
    folder: str
    texts: Mapping[str, str]
    seed: int
    steps: int
    seconds: float
    device: str
    scratch: str

    @property
    def result(self) -> Path:
        """The file that the result is written to."""
        return Path(self.scratch, "result.json")


@dataclass(frozen=True, slots=True)
class Shown:
    """A symptom that a branch has shown; a grave one would be no gain in exchange for another."""

    symptom: str
    layer: str | None
    grave: bool = False


@dataclass(frozen=True, slots=True)
class BranchResult:
    """The result of a branch. ``fell``: its own loss has fallen, or those of several optimizers keep a balance; ``rate`` is the
    last loss relative to the first, the mean of them."""

    ended: str
    steps: int
    symptoms: tuple[Shown, ...]
    measure: Measure | None
    fell: bool
    rate: float | None
    message: str = ""

    def count(self, symptom: str) -> int:
        """How often a symptom was shown."""
        return sum(shown.symptom == symptom for shown in self.symptoms)


def run_branch(branch: Branch) -> None:
    """Run a branch and write its result; the process is of no use for anything else afterwards."""
    os.chdir(branch.folder)
    keep_writes_apart(Path(branch.scratch), (branch.folder, os.path.dirname(os.path.abspath(branch.target))))
    serve_edited(branch.texts)
    yardsticks: dict[str, Yardstick] = {}
    arrivals = Arrivals(tuple(YARDSTICKS), lambda name: yardsticks.update({name: make_yardstick(name, branch.steps)}))
    shift_seeds(branch.seed)
    arrivals.install()

    def finish(diagnosis: Diagnosis) -> int:
        _write(branch.result, _result(diagnosis, yardsticks))
        return 0

    program = Program(branch.target, branch.arguments, branch.is_module)
    request = Request(
        replace(program, source=Path(branch.target).absolute()),
        (),
        lambda path: branch.texts.get(str(path), ""),
        Limits(branch.steps, branch.seconds),
        ProbeOptions(branch.device),
        max(1, branch.steps // _LOOKS),
    )
    finish(diagnose(request, lambda event, record: None, finish))


def _result(diagnosis: Diagnosis, yardsticks: Mapping[str, Yardstick]) -> BranchResult:
    run = diagnosis.run
    used = [yardsticks[name] for name in YARDSTICKS if name in yardsticks]
    measures = [measure for yardstick in used if (measure := yardstick.measure()) is not None]
    rates = [rate for rate in map(_course, _judged_losses(run)) if rate is not None]
    return BranchResult(
        diagnosis.outcome.ended,
        max((track.steps for track in run.tracks), default=0),
        tuple(Shown(symptom.symptom, symptom.layer, _is_grave(symptom)) for symptom in shown(run)),
        measures[0] if measures else None,
        bool(rates) and (min(rates) < _FELL or (len(rates) > 1 and max(rates) < _GREW)),
        fmean(rates) if rates else None,
        diagnosis.outcome.traceback.strip().rpartition("\n")[2],
    )


def _is_grave(symptom: Symptom) -> bool:
    return symptom.severity is Severity.ERROR or symptom.symptom in _GRAVE


def _judged_losses(run: RunRecord) -> list[LossRecord]:
    """The first loss; of several optimizers one each, since they may play against each other: in a GAN that does not train its
    generator, the loss of the discriminator falls as in no sound run."""
    tracks = [track.key for track in run.tracks if track.steps]
    if len(tracks) < 2:
        return list(run.losses[:1])
    firsts = (next((loss for loss in run.losses if loss.track == key), None) for key in tracks)
    return [loss for loss in firsts if loss is not None] or list(run.losses[:1])


def _course(loss: LossRecord) -> float | None:
    """The mean loss of the last quarter as a share of that of the first one."""
    values = loss.values
    quarter = max(len(values) // 4, 1)
    if len(values) < 2:
        return None
    first, last = sum(values[:quarter]) / quarter, sum(values[-quarter:]) / quarter
    share = last / first if first > 0 else None
    return share if share is not None and share == share and share != float("inf") else None


def _write(path: Path, result: BranchResult) -> None:
    _as_a_whole(path, lambda: json.dumps(to_json(result), allow_nan=False))


def _as_a_whole(path: Path, text: Callable[[], str]) -> None:
    part = path.with_suffix(".part")
    part.write_text(text(), encoding="utf-8")
    part.replace(path)


def read_result(branch: Branch) -> BranchResult | None:
    """The result of a branch that has ended; ``None`` if it left none."""
    try:
        return from_json(BranchResult, json.loads(branch.result.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
