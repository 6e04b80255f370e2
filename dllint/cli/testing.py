"""The work of ``dllint diagnose --write-tests``."""

from __future__ import annotations

from pathlib import Path

from dllint.cli.failures import Failure
from dllint.cli.outputs import open_output
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.expectations.observed import observed
from dllint.diagnose.expectations.test_file import STEPS, test_file
from dllint.diagnose.launch import Program
from dllint.report.listing import counted


def check_place(path: Path, *, overwrite: bool) -> None:
    """See before a long run whether a file can be written; nothing is overwritten unless that is wanted.

    Raises:
        Failure: there is such a file, or no folder for it.
    """
    if not path.absolute().parent.is_dir():
        raise Failure(f"cannot write {path}: there is no folder {path.parent}")
    if path.exists() and not overwrite:
        raise Failure(f"{path} exists; --overwrite replaces it")


def write_tests(diagnosis: Diagnosis, program: Program, base: Path, path: Path) -> str:
    """Write the tests for what was seen of a program that ran in the folder ``base``; what is to be said about them.

    Raises:
        Failure: the file cannot be written.
    """
    if not diagnosis.has_trained:
        return f"{path} was not written: no training step was seen"
    file = test_file(observed(diagnosis.run, STEPS), program, base, base / path)
    with open_output(base / path) as stream:
        stream.write(file.text)
    summary = f"wrote {path} with {counted(file.tests, 'test')}"
    if not file.unmet:
        return summary
    return f"{summary}; they expect a sound model, which this one is not, and fail for it in: {', '.join(file.unmet)}"
