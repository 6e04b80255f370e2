"""A watch as a callback holds it: no error of dllint's reaches the training library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any
from weakref import finalize, ref

from dllint.diagnose.boundary import Failures
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.telling import tell
from dllint.diagnose.watching import Watch
from dllint.source.neutral import neutral


class Observation:
    """Observes from now on, and from each :meth:`begin` that follows a :meth:`conclude`. Errors of the observation cost what
    they keep from being known; they are told on standard error, and none is raised.

    A copy, pickled or not, observes nothing until its own :meth:`begin`.
    """

    def __init__(self) -> None:
        self._failures = Failures(_tell_line)
        #: What the latest training has shown.
        self.diagnosis: Diagnosis | None = None
        self._watch: Watch | None = None
        self._abandon: finalize[..., Observation] | None = None
        self._start()

    def begin(self, model: Callable[[], object]) -> None:
        """A training begins. ``model`` gives its model."""
        if self._watch is None or not self._watch.is_active:
            self._start()
        with self._failures.attempt("the model could not be looked at"):
            if self._watch is not None:
                observed, own = model(), ref(self)
                self._watch.adopt(observed)
                self._watch.at_failure(lambda failed: _conclude(own()) if failed is observed else None)

    def end_if_broken(self, end: Callable[[], None]) -> None:
        """Call ``end``, which ends the training, if it is certainly broken."""
        with self._failures.attempt("the training could not be ended"):
            if self._watch is not None and self._watch.ended:
                end()

    def metrics(self, read: Callable[[], tuple[Mapping[str, Any], int]]) -> None:
        """Note measures of success that somebody else has taken; ``read`` gives them, and the step."""
        with self._failures.attempt("measures of success could not be read"):
            if self._watch is not None:
                self._watch.metrics(*read())

    def conclude(self, ended: str = "finished") -> None:
        """The training has ended, or is ended by an ``error``: say what was found."""
        watch, self._watch = self._watch, None
        if watch is None or not watch.is_active:
            return
        with self._failures.attempt("the training could not be diagnosed"):
            self.diagnosis = watch.diagnosis(ended)
            with self._failures.attempt("what was found could not be told"):
                tell(self.diagnosis)
        with self._failures.attempt("the observation could not be ended"):
            if self._abandon is not None:
                self._abandon()

    def _start(self) -> None:
        with self._failures.attempt("the training could not be observed"):
            self._watch = Watch(polite=True)
            # Nobody else would end the observation of a training that never begins.
            self._abandon = finalize(self, self._watch.abandon)
            self._abandon.atexit = False

    def __reduce__(self) -> tuple[Callable[..., Observation], tuple[Diagnosis | None]]:
        return _unbegun, (self.diagnosis,)


def _unbegun(diagnosis: Diagnosis | None) -> Observation:
    made = Observation.__new__(Observation)
    made._failures = Failures(_tell_line)
    made.diagnosis, made._watch, made._abandon = diagnosis, None, None
    return made


def _conclude(observation: Observation | None) -> None:
    """Say what was found up to an exception."""
    if observation is not None:
        observation.conclude("error")


def _tell_line(text: str) -> None:
    """Print a remark, if the program has a standard error that takes it."""
    try:
        if sys.stderr is not None:
            print(f"dllint: {neutral(text)}", file=sys.stderr)
    except Exception:
        # There is nowhere left to say so.
        return
