"""``dllint.watch``: diagnosing a loop from inside the program, say in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from dllint.diagnose.conclusion import Diagnosis, conclude
from dllint.diagnose.launch import Outcome, Program
from dllint.diagnose.limits import Limits, Stopped
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.page.page import page
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.probes.probe import PROBES, Probes
from dllint.diagnose.reproducibility.surroundings import Surroundings


class Watch:
    """A loop under observation: from :func:`watch` until :meth:`diagnosis` is asked for, or the ``with`` block ends.

    A run that is certainly broken raises :class:`dllint.diagnose.limits.Stopped`, which the ``with`` block takes. If
    ``polite``, it only says so in ``ended``.
    """

    def __init__(self, models: tuple[Any, ...] = (), *, polite: bool = False) -> None:
        self._monitor = Monitor(Limits(), lambda event, record: None, self._give_up, polite=polite)
        self._surroundings = Surroundings(self._monitor, from_start=False)
        self._probes = Probes(self._monitor, ProbeOptions(goes_on=True))
        for framework in PROBES.keys() & sys.modules.keys():
            with self._monitor.attempt(f"{framework} could not be observed"):
                self._probes.install(framework)
        for model in models:
            self.adopt(model)
        self._diagnosis: Diagnosis | None = None

    @property
    def ended(self) -> str | None:
        """Why the training is to end, if it is."""
        return self._monitor.ending.reason

    def adopt(self, model: Any) -> None:
        """Take in a model that was built before."""
        self._probes.adopt(model)

    def metrics(self, values: Mapping[str, Any], step: int) -> None:
        """Note measures of success that somebody else has taken: numbers, and what is one by its ``__float__``."""
        for name, value in values.items():
            with self._monitor.attempt(f"the measure {name} could not be read"):
                self._monitor.metric(name, step, float(value))

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        self._conclude(error.reason if isinstance(error, Stopped) else "finished" if error is None else "error")
        return isinstance(error, Stopped)

    def diagnosis(self, ended: str = "finished") -> Diagnosis:
        """End the observation, and say what was found. After a training that has ended by an ``error``, nothing is tried with
        its model, which may be between two states."""
        return self._diagnosis or self._conclude(ended, experiments=ended == "finished")

    @property
    def is_active(self) -> bool:
        """Whether this is the process that observes, and not one that was forked from it."""
        return self._monitor.active

    def abandon(self) -> None:
        """End the observation, if it has not ended, without a result."""
        self._probes.finish(experiments=False)
        self._surroundings.end()

    def at_failure(self, tell: Callable[[object], None]) -> None:
        """Have ``tell`` called with the model if a call that trains it raises, where the library has no event for that."""
        self._monitor.at_failure = tell

    def write_page(self, path: str | Path) -> None:
        """End the observation, and write what was found as one HTML file.

        Raises:
            OSError: it cannot be written.
        """
        Path(path).write_text(page(self.diagnosis(), _read, Path.cwd()), encoding="utf-8")

    def _conclude(self, ended: str, *, experiments: bool = True) -> Diagnosis:
        self._probes.finish(experiments=experiments)
        run = self._monitor.record(ended)
        self._diagnosis = conclude(run, self._surroundings, Outcome(ended), Program(sys.argv[0]), (), _read)
        return self._diagnosis

    def _give_up(self, reason: str) -> None:
        """The program catches everything: it is its own loop, and goes on."""


def watch(*models: Any) -> Watch:
    """Observe the training of models (of PyTorch or Keras) from now on, with whatever optimizers and losses there are."""
    return Watch(models)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
