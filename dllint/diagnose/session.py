"""A diagnosed run: probes, program and conclusion."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from dllint.arrival import Arrivals
from dllint.diagnose.conclusion import Diagnosis, conclude
from dllint.diagnose.exits import end_as_child, leave, watched_exits
from dllint.diagnose.findings import Read
from dllint.diagnose.launch import Outcome, Program, launch, main_place, stopped
from dllint.diagnose.limits import Limits
from dllint.diagnose.monitor import Listener, Monitor
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.probes.probe import PROBES, Probes, shared_store
from dllint.diagnose.ranks.peers import Peers
from dllint.diagnose.ranks.team import launched_team
from dllint.diagnose.reproducibility.surroundings import Surroundings
from dllint.diagnose.schedule import Schedule
from dllint.diagnose.termination import last_report, termination_interrupts
from dllint.diagnose.watchdog import watchdog
from dllint.finding import Finding

#: The exit status of a run that could not be reported.
_FAILED: Final = 2


@dataclass(frozen=True, slots=True)
class Request:
    """What to run and how. ``static`` are the findings of ``dllint check`` about the program, ``read`` gives texts of files."""

    program: Program
    static: Sequence[Finding]
    read: Read
    limits: Limits
    options: ProbeOptions
    #: Sample every so many steps after the first ones, whatever it costs, instead of as often as watching stays cheap.
    period: int | None = None


def diagnose(request: Request, listener: Listener, last_words: Callable[[Diagnosis], int]) -> Diagnosis:
    """Run the program and diagnose it. ``last_words`` is called instead of a return if the program cannot be ended: it reports,
    and gives the status with which the process then ends."""
    select_device(request.options.device)
    session = _Session(request, listener, last_words)
    return session.run()


def select_device(device: str) -> None:
    """Let the program see one device only; ``auto`` changes nothing. Works before a framework has been imported."""
    if device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    elif device.startswith("cuda:"):
        os.environ["CUDA_VISIBLE_DEVICES"] = device.removeprefix("cuda:")


class _Session:
    def __init__(self, request: Request, listener: Listener, last_words: Callable[[Diagnosis], int]) -> None:
        self._request = request
        self._last_words = last_words
        team = launched_team()
        self._monitor = Monitor(request.limits, listener, self._give_up, Schedule(period=request.period, aligned=team.size > 1))
        self._peers = Peers(team, self._monitor)
        self._monitor.thorough = request.options.thorough
        self._probes = Probes(self._monitor, request.options)
        self._arrivals = Arrivals(tuple(PROBES), self._arrive)
        self._surroundings = Surroundings(self._monitor, from_start=True)
        #: How the program has ended, from then on.
        self._outcome: Outcome | None = None

    def run(self) -> Diagnosis:
        self._arrivals.install()
        process, ending, seconds = os.getpid(), self._monitor.ending, self._request.limits.seconds
        with watched_exits(self._at_exit), watchdog(seconds, ending, self._give_up), last_report(ending, self._give_up):
            outcome = launch(self._request.program)
        if os.getpid() != process:
            end_as_child(outcome)
        # A program may have caught the end and gone on to its own.
        reason = self._monitor.ending.reason
        return self._conclude(replace(outcome, ended=reason) if reason and outcome.ended != "error" else outcome)

    def _arrive(self, framework: str) -> None:
        # Inside the program's own import statement.
        with self._monitor.attempt(f"{framework} could not be observed"):
            self._probes.install(framework)
            opener = shared_store(framework)
            if opener is not None:
                self._peers.begin(opener)

    def _conclude(self, outcome: Outcome) -> Diagnosis:
        if self._outcome is None:  # else what is tried at the end does not end itself, and has been given up
            self._outcome = outcome
            self._arrivals.remove()
            with termination_interrupts():
                # Who terminates a process gives it seconds.
                self._probes.finish(experiments=outcome.ended != "terminated")
        request = self._request
        run = replace(self._monitor.record(outcome.ended), ended_at=outcome.place)
        with self._monitor.attempt("what the other processes saw could not be put together"):
            run = self._peers.conclude(run, outcome)
        return conclude(run, self._surroundings, outcome, request.program, request.static, request.read)

    def _give_up(self, reason: str) -> NoReturn:
        """The program, or what is tried after it, cannot be ended from inside."""
        leave(self._last_status(self._outcome or stopped(reason, main_place()), _FAILED))

    def _at_exit(self, status: int) -> int:
        """The program leaves without an exception."""
        return self._last_status(Outcome("exit", status), status)

    def _last_status(self, outcome: Outcome, otherwise: int) -> int:
        """Report; the status to end with, which is needed even where there can be no report."""
        try:
            return self._last_words(self._conclude(outcome))
        except BaseException:
            traceback.print_exc()
            return otherwise
