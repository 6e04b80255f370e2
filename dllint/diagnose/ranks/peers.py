"""Exchange between the processes of a run: what each reports, and what the first one receives.

A thread of its own leaves a sign of life once a second, and, in the first process, reads those of the others. The program's own
thread never waits for anybody: only when its run has ended, the first process waits for a while for the records of the others.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, Final

from dllint.diagnose.launch import ENDED, Outcome
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.ranks.excerpt import excerpt
from dllint.diagnose.ranks.mailbox import Mailbox, Store
from dllint.diagnose.ranks.team import Team
from dllint.diagnose.ranks.union import united
from dllint.diagnose.records import RankRecord, RunRecord
from dllint.diagnose.serial import from_json, to_json

_INTERVAL: Final = 1.0
#: More processes are asked more rarely.
_ASKED_PER_SECOND: Final = 64
#: Intervals between a proposal to end and the step at which all processes do.
_MARGIN: Final = 4
#: Seconds that the report waits for processes that make no steps any more, and in all.
_PATIENCE: Final = 10.0
_MOST_PATIENCE: Final = 20.0
#: Seconds without a sign after which a process is taken to be gone.
_SILENT: Final = 5.0
#: Ends that catch a process wherever it is.
_FROM_OUTSIDE: Final = ("time", "interrupted", "terminated")


@dataclass(slots=True)
class _Heard:
    """What the first process knows of another one: ``alive`` is when it last heard of it, ``moved`` of a step."""

    last: dict[str, int] = field(default_factory=dict)
    note: str = ""
    alive: float | None = None
    moved: float = field(default_factory=monotonic)
    end: dict[str, Any] | None = None


class Peers:
    """The other processes of a team. ``open_store`` gives a store, or ``None`` while there is none."""

    def __init__(self, team: Team, monitor: Monitor) -> None:
        self._team = team
        self._monitor = monitor
        self._mailbox: Mailbox | None = None
        self._opening = threading.Lock()
        self._proposal: str | None = None
        self._appointed = False
        self._open: Callable[[], Store | None] = lambda: None
        self._thread: threading.Thread | None = None
        self._over = threading.Event()
        self._heard = {rank: _Heard() for rank in team.others} if not team.rank else {}

    def begin(self, open_store: Callable[[], Store | None]) -> None:
        """Begin to send and to receive; a process alone does neither."""
        if self._team.size > 1 and self._thread is None:
            self._open = open_store
            # The group may be gone again before the thread looks for it.
            self._monitor.at_group = self._is_open
            self._monitor.at_proposal = self._propose
            self._thread = threading.Thread(target=self._correspond, name="dllint", daemon=True)
            self._thread.start()

    def conclude(self, run: RunRecord, outcome: Outcome) -> RunRecord:
        """Report the end of this process's run; the record of the first one has the numbers of all."""
        if self._thread is None:
            return run
        self._over.set()
        self._thread.join(_PATIENCE)
        if self._thread.is_alive() or not self._is_open():
            return replace(run, notes=(*run.notes, "the other processes could not be reached: this is of one process alone"))
        reported = excerpt(run)
        if self._team.rank:
            error = outcome.traceback.rstrip().rpartition("\n")[2]
            self._tell("end", {"ended": run.ended, "error": error, "run": to_json(reported)})
            self._await_first(run)
            return run
        self._tell("end", {"ended": run.ended})
        self._await_ends()
        runs = {rank: from_json(RunRecord, heard.end["run"]) for rank, heard in self._heard.items() if heard.end is not None}
        ranks = (RankRecord(0, run.ended, _last(run), run.ended_at, 0.0, 0.0, "", reported.steps), *self._records(runs))
        return replace(united(run, runs), ranks=ranks, notes=(*run.notes, *_notes(ranks, run)))

    def _correspond(self) -> None:
        """The work of the thread."""
        interval = max(_INTERVAL, self._team.size / _ASKED_PER_SECOND)
        beats, steps = 0, 0
        while not self._over.wait(interval if beats else 0.0):
            if self._is_open():
                beats += 1
                last = self._monitor.progress
                self._tell("life", {"beat": beats, "last": last})
                self._listen()
                self._make_appointment(sum(last.values()), sum(last.values()) - steps)
                steps = sum(last.values())

    def _propose(self, reason: str) -> None:
        """This process wants to end; the thread proposes it."""
        self._proposal = self._proposal or reason

    def _make_appointment(self, steps: int, pace: int) -> None:
        """Agree on a step for the end that no process will have reached when it reads the note; ``pace`` is steps per
        interval."""
        if self._mailbox is None or self._appointed:
            return
        if self._proposal is not None:
            self._mailbox.agree("end", json.dumps({"steps": steps + _MARGIN * (pace + 1), "reason": self._proposal}))
        note = self._mailbox.agreed("end")
        if note is not None:
            self._appointed = True
            end = json.loads(note)
            self._monitor.end_after(end["steps"], end["reason"])

    def _is_open(self) -> bool:
        """Whether there is a store; tries to open one."""
        with self._opening:
            if self._mailbox is None:
                store = self._open()
                self._mailbox = Mailbox(store, self._team) if store is not None else None
            return self._mailbox is not None and not self._mailbox.lost

    def _tell(self, subject: str, content: Any) -> None:
        if self._mailbox is not None:
            self._mailbox.tell(subject, json.dumps(content))

    def _listen(self) -> None:
        """Take in what other processes have to say."""
        for rank, heard in self._heard.items():
            note = self._mailbox.hear(rank, "life") if self._mailbox is not None and heard.end is None else None
            if note is not None and note != heard.note:
                last = json.loads(note)["last"]
                heard.alive = monotonic()
                heard.moved = heard.alive if last != heard.last else heard.moved
                heard.note, heard.last = note, last

    def _await_first(self, run: RunRecord) -> None:
        """Wait until the first process has reported its end, where a time limit that is all processes' ended this one: leaving
        closes the connections of the program, and would make it fail where it is before its own limit is reached."""
        latest = monotonic() + _SILENT
        while run.ended == "time" and monotonic() < latest and self._mailbox is not None and not self._mailbox.lost:
            if self._mailbox.hear(0, "end") is not None:
                return
            threading.Event().wait(_INTERVAL / 10)

    def _await_ends(self) -> None:
        """Wait until all processes have reported their ends, as long as they make steps."""
        begun = progress = monotonic()
        while any(heard.end is None for heard in self._heard.values()):
            known = [heard.last for heard in self._heard.values()]
            self._listen()
            self._hear_ends()
            progress = monotonic() if [heard.last for heard in self._heard.values()] != known else progress
            if monotonic() > min(progress + _PATIENCE, begun + _MOST_PATIENCE):
                return
            self._over.wait(0)
            threading.Event().wait(_INTERVAL / 10)

    def _hear_ends(self) -> None:
        for rank, heard in self._heard.items():
            note = self._mailbox.hear(rank, "end") if self._mailbox is not None and heard.end is None else None
            if note is not None:
                heard.end, heard.alive = json.loads(note), monotonic()

    def _records(self, runs: dict[int, RunRecord]) -> list[RankRecord]:
        found = []
        for rank, heard in self._heard.items():
            now = monotonic()
            silent = now - heard.alive if heard.alive is not None else None
            record = RankRecord(rank, "", heard.last, None, silent, now - heard.moved)
            if heard.end is not None:
                run = runs[rank]
                record = RankRecord(rank, run.ended, _last(run), run.ended_at, silent, 0.0, heard.end["error"], run.steps)
            found.append(record)
        return found


def _shown(place: SourcePlace) -> str:
    return f"{Path(place.path).name}:{place.line}:{place.column}"


def _missing(record: RankRecord, last: str) -> str:
    """About a process that has not reported its end."""
    if (record.silent or 0.0) > _SILENT:
        return f"rank {record.rank} was last heard of {record.silent:.0f} s ago, at {last}"
    return f"rank {record.rank} is alive, but has made no step for {record.idle:.0f} s: it is at {last}"


def _last(run: RunRecord) -> dict[str, int]:
    return {track.key: track.steps for track in run.tracks}


def _notes(ranks: Sequence[RankRecord], own: RunRecord) -> list[str]:
    """Facts about the other processes that the report needs."""
    reported = []
    if own.ended in _FROM_OUTSIDE:
        reported = [f"rank {record.rank} was at {_shown(record.place)}" for record in ranks if record.place is not None]
    for record in ranks[1:]:
        last = f"step {max(record.last.values())}" if any(record.last.values()) else "no step"
        if record.silent is None:
            reported.append(f"rank {record.rank} was never heard of")
        elif not record.ended:
            reported.append(_missing(record, last))
        elif record.error:
            reported.append(f"rank {record.rank} failed after {last}: {record.error}")
        elif (record.last, record.ended) != (ranks[0].last, ranks[0].ended):
            reported.append(f"rank {record.rank} ended after {last} ({ENDED[record.ended]})")
    if own.grouped and any(record.ended for record in ranks[1:]):
        count = sum(bool(record.ended) for record in ranks)
        reported.append(f"losses, data and labels are those of {count} processes together, layers those of the first one")
    return reported
