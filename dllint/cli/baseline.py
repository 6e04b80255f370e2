"""The baseline of a run of ``dllint check``: read, applied, written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dllint.cli.failures import Failure
from dllint.cli.outputs import open_output
from dllint.config.options import Settings
from dllint.engine.baseline import Baseline, BaselineError, Taken, may_replace
from dllint.engine.results import FileResult
from dllint.report.listing import counted


def apply_baseline(results: Sequence[FileResult], settings: Settings, *, update: bool, tell: Callable[[str], None]) -> Taken:
    """Take the known findings out of the results, or make all of them known; how many these are, and which entries are stale.

    Raises:
        Failure: the baseline cannot be read or written, or none is named.
    """
    if not settings.baseline:
        if update:
            raise Failure("--update-baseline needs the file: --baseline FILE, or `baseline` in the configuration")
        return Taken()
    try:
        baseline = Baseline.read(settings.root / settings.baseline)
    except BaselineError as error:
        if not update or not may_replace(settings.root / settings.baseline):
            raise Failure(str(error)) from error
        baseline = Baseline(settings.root / settings.baseline)
    if not update and not baseline.path.exists():
        tell(f"There is no baseline {settings.baseline} yet; --update-baseline writes it.")
    if update:
        baseline.update(results)
        _write(baseline)
        tell(f"Wrote {counted(baseline.total, 'known finding')} to {settings.baseline}.")
    return _take(baseline, results, settings.baseline, tell)


def _take(baseline: Baseline, results: Sequence[FileResult], name: str, tell: Callable[[str], None]) -> Taken:
    taken = baseline.take(results)
    if taken.hidden:
        tell(f"{counted(taken.hidden, 'known finding')} not reported ({name}).")
    if taken.stale:
        tell(f"Gone, but still in {name}: {counted(taken.stale.total(), 'finding')} (removed by --update-baseline).")
    return taken


def _write(baseline: Baseline) -> None:
    text = baseline.text()
    try:
        with open_output(baseline.path) as stream:
            stream.write(text)
    except OSError as error:
        raise Failure(f"cannot write {baseline.path}: {error.strerror or error}") from error
