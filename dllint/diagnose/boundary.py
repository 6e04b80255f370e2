"""Error boundaries: a failure of the observation affects neither the program nor the rest of the report.

If a wrapper raises, ``probes/patching`` gives the program what the original function gives. Hooks run under
``monitor.guarded``, their parts under ``monitor.attempt``. Experiments (``attempt_afterwards``, which also catches
``SystemExit`` and ``KeyboardInterrupt``), checks, hypotheses, trials, sections of the page and output formats have a boundary
each. Each failure is reported: as a note of the run, a remark of the diagnosis, in its place on the page, or on standard error.
Only ``Stopped`` and the end of a repetition pass through.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Final

#: Of an error's text so many characters are reported.
_MOST_TEXT: Final = 200
#: How a program, or the person before it, ends what is tried after the run.
ENDINGS: Final = (SystemExit, KeyboardInterrupt)

#: Called with what failed and with which error.
Failed = Callable[[str, BaseException], None]
#: Gives a block that may fail, for the beginning of the sentence that says so.
Attempting = Callable[[str], AbstractContextManager[object]]


def unguarded(what: str) -> AbstractContextManager[object]:
    """A block whose exceptions are passed to the caller."""
    return nullcontext()


def described(error: BaseException) -> str:
    """An error in one line: its class, and its text if it can be formatted."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())[:_MOST_TEXT]
    except Exception:
        # The class is the user's, and so is what it makes a text of.
        text = ""
    return f"{kind}: {text}" if text else kind


class Attempt:
    """A ``with`` block whose exceptions end it and are handed to ``failed``. What is no ``Exception`` goes through, as the end
    of the program does, unless it is one of ``also``."""

    def __init__(self, what: str, failed: Failed, also: tuple[type[BaseException], ...] = ()) -> None:
        self._what = what
        self._failed = failed
        self._caught: tuple[type[BaseException], ...] = (Exception, *also)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        if error is None or not isinstance(error, self._caught):
            return False
        self._failed(self._what, error)
        return True


class Failures:
    """Gathers failures as sentences; of those of one kind, the first."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._known: set[str] = set()

    @property
    def any(self) -> bool:
        """Whether something has failed."""
        return bool(self._known)

    def failed(self, what: str, error: BaseException) -> None:
        """Record that something could not be done."""
        if what not in self._known:
            self._known.add(what)
            self._tell(f"{what} ({described(error)})")

    def attempt(self, what: str, also: tuple[type[BaseException], ...] = ()) -> Attempt:
        """A block that may fail; ``what`` is the beginning of the sentence that says so."""
        return Attempt(what, self.failed, also)
