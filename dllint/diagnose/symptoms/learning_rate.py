"""DLX105: the learning rate in effect stays far below the configured one, or falls there too early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dllint.diagnose.rates import faded_at
from dllint.diagnose.records import RunRecord, ScheduleRecord, TrackRecord
from dllint.diagnose.symptoms.symptom import Symptom, SymptomCheck, Threshold
from dllint.finding import Confidence

_LOW: Final = Threshold(0.5, "own: below half of the configured rate, the run is not the one that was meant")
_STEPS: Final = Threshold(20, "own: steps of the optimizer after which a run is no mere trial of the program")
_LONG: Final = Threshold(100, "own: steps of a run that is long enough for a schedule to matter")


class RateNeverReached(SymptomCheck):
    """A schedule that rises at first (a warm-up, one cycle) was never stepped, or was still rising when the program ended by
    itself. Decaying schedules begin with the configured rate and are not meant; where several change the rates of an optimizer,
    one that has come far enough will do. Silent where the configured rate is a mere factor of the schedule's numbers."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "learning rate never reached"
    confidence = Confidence.MEDIUM
    is_mild = True
    needs_end = True
    explains = ("loss not decreasing", "accuracy not increasing", "update-to-weight ratio")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for the optimizers that share a fault."""
        low = [(track, own) for track in run.tracks if track.steps >= _STEPS.value for own in (_low(run, track),) if own]
        idle = [(track, own) for track, own in low if not any(one.steps for one in own)]
        rising = [(track, own) for track, own in low if (track, own) not in idle and any(map(_is_rising, own))]
        for found in filter(None, (idle, rising)):
            yield self._found(found)

    def _found(self, found: Sequence[tuple[TrackRecord, Sequence[ScheduleRecord]]]) -> Symptom:
        track, own = found[-1]
        schedule = next((one for one in own if _is_rising(one)), own[0])
        share = max(one.highest for one in own)
        names = " and ".join(dict.fromkeys(track.key for track, _ in found))
        rate = f"the learning rate of {names} was never more than {share:.2g} of the configured one in {track.steps} steps"
        if not schedule.steps:
            message, place = f"`{schedule.kind}` is never stepped: {rate}", schedule.stepped_at
            related = ((schedule.place, "the schedule is built here"),) if schedule.place is not None else ()
        else:
            message, place = f"`{schedule.kind}` was still rising after its {schedule.steps} steps: {rate}", schedule.place
            related = ((schedule.stepped_at, "the optimizer steps here"),) if schedule.stepped_at is not None else ()
        return self.found(
            message,
            place,
            step=track.steps,
            related=related,
            schedule=schedule.kind,
            schedule_steps=schedule.steps,
            share=share,
        )


def _low(run: RunRecord, track: TrackRecord) -> list[ScheduleRecord]:
    """The schedules of a track, if none has brought its rate near the configured one, as each will do later."""
    own = [schedule for schedule in run.schedules if schedule.track == track.key]
    return own if all(one.highest <= _LOW.value and one.reaches for one in own) else []


def _is_rising(schedule: ScheduleRecord) -> bool:
    return schedule.steps > 0 and schedule.first < schedule.last == schedule.highest


class RateTakenAway(SymptomCheck):
    """A schedule has taken the rate down to a fiftieth of its largest value in the first half of the run, and it stays there:
    a decay that counts batches and is meant for passes, say. Rates that are lowered for lack of progress (on a plateau) are a
    consequence, and not meant."""

    code = "DLX105"
    name = "weights-unchanged-or-unstable"
    symptom = "learning rate taken away"
    confidence = Confidence.MEDIUM
    is_mild = True
    needs_end = True
    explains = ("loss not decreasing", "accuracy not increasing", "update-to-weight ratio", "no better than baseline")

    def check(self, run: RunRecord) -> Iterator[Symptom]:
        """One report for each optimizer."""
        for track in run.tracks:
            schedule = next((one for one in run.schedules if one.track == track.key and one.steps), None)
            faded = faded_at(run, track) if track.steps >= _LONG.value else None
            if schedule is None or faded is None:
                continue
            step, rate = faded
            place = schedule.called_at or schedule.place
            related = ((schedule.place, "the schedule is built here"),) if schedule.place not in (None, place) else ()
            yield self.found(
                f"`{schedule.kind}` has taken the rate of {track.key} down to {rate:.2g} at step {step} of {track.steps}",
                place,
                step=step,
                related=tuple((at, text) for at, text in related if at is not None),
                schedule=schedule.kind,
                rate=rate,
            )
