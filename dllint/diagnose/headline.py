"""The verdict on a run in one sentence, for the end of a report and the top of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.launch import ENDED
from dllint.diagnose.symptoms.registry import UNCHECKED, checks
from dllint.finding import Finding, Severity
from dllint.observation import Remedy

#: The exit status by which argument parsers refuse a command line.
_BAD_USAGE: Final = 2
#: What the gravest finding makes of a run, by the rank of its severity.
_TONES: Final = ("fault", "suspicion", "healthy", "healthy")


@dataclass(frozen=True, slots=True)
class Headline:
    """``tone`` is ``fault``, ``suspicion``, ``healthy`` (nothing, or nothing that is a warning) or ``unknown``."""

    tone: str
    text: str


def headline(diagnosis: Diagnosis) -> Headline:
    """The verdict on a run."""
    if diagnosis.findings:
        return Headline(_TONES[min(finding.severity.rank for finding in diagnosis.findings)], _found(diagnosis.findings))
    if not diagnosis.has_trained:
        failed = diagnosis.run.ended == "error"
        return Headline("unknown", f"{'The program failed' if failed else 'The program ended'} before a training step was seen")
    steps = max((track.steps for track in diagnosis.run.tracks), default=0)
    if diagnosis.run.ended == "error":
        return Headline("unknown", f"The program failed; nothing wrong was seen in {counted(steps, 'step')} of training")
    if not any(loss.values for loss in diagnosis.run.losses):
        return Headline("unknown", f"Nothing found in {counted(steps, 'step')}, of which no loss was seen")
    if any(remark.startswith("too few steps") for remark in diagnosis.remarks):
        return Headline(
            "unknown", f"Nothing found in {counted(steps, 'step')}, which are too few to say whether the loss falls"
        )
    if any(remark.startswith(UNCHECKED) for remark in diagnosis.remarks):
        return Headline("unknown", f"Nothing found in {counted(steps, 'step')}, but not everything could be looked for")
    return Headline("healthy", f"Healthy: none of {len(checks())} symptoms in {counted(steps, 'step')}")


def closing(diagnosis: Diagnosis) -> Iterator[str]:
    """The last lines of a report: what was observed, how the run ended, what could not be judged, and the verdict."""
    run = diagnosis.run
    steps = ", ".join(f"{counted(track.steps, 'step')} of {track.key}" for track in run.tracks)
    yield f"dllint: {steps or 'no training step was seen'}; {ENDED[run.ended]} after {run.seconds:.1f} s."
    if not diagnosis.has_trained:
        yield from _advice(diagnosis)
    if run.own_share:
        yield f"dllint: observation took {run.own_share:.1%} of the program's own time after the first steps."
    for text in (*run.notes, *diagnosis.remarks):
        yield f"dllint: {text}."
    if diagnosis.has_trained:
        yield f"{headline(diagnosis).text}."


def _advice(diagnosis: Diagnosis) -> Iterator[str]:
    """Possible reasons why a program does not train."""
    if diagnosis.outcome.ended == "exit" and diagnosis.outcome.status == _BAD_USAGE:
        yield "dllint: if the program needs arguments: its own arguments stand after its name."
    elif diagnosis.outcome.ended in ("finished", "exit") and not diagnosis.outcome.status:
        known = " and ".join(diagnosis.run.frameworks) or "neither PyTorch nor Keras nor TensorFlow"
        yield f"dllint: it uses {known}; steps of other processes, or of optimizers of its own, are not seen."


def recommended(finding: Finding) -> Remedy | None:
    """The best remedy that a trial has confirmed."""
    return next((remedy for remedy in remedies_of(finding) if remedy.trial is not None and remedy.trial.recommended), None)


def remedies_of(finding: Finding) -> tuple[Remedy, ...]:
    """The remedies of a finding, the best one first."""
    return finding.observation.remedies if finding.observation is not None else ()


def counted(number: int, noun: str) -> str:
    """``1 step``, ``2 steps``, ``10,000 steps``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _found(findings: Sequence[Finding]) -> str:
    names = list(dict.fromkeys(_names(findings)))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    tried = [finding for finding in findings if any(remedy.trial is not None for remedy in remedies_of(finding))]
    confirmed = sum(recommended(finding) is not None for finding in findings)
    warned = any(finding.severity.rank <= Severity.WARNING.rank for finding in findings)
    number = counted(len(findings), "finding") if warned else f"No warning, but {counted(len(findings), 'hint')}"
    text = f"{number}: {', '.join(names[:3])}{more}"
    if confirmed:
        which = "" if len(findings) == 1 else f" for {confirmed if confirmed < len(findings) else 'each'}"
        return f"{text}; a repair was tried and confirmed{which}"
    return f"{text}; no repair that was tried can be recommended" if tried else text


def _names(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield finding.observation.symptom if finding.observation is not None else finding.name
