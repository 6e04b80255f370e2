"""``dllint diagnose --apply``: writing a confirmed repair to the user's file, and seeing whether it holds."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dllint.cli.failures import Failure
from dllint.config.confinement import lies_in, project_of
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.places import is_user_file
from dllint.diagnose.trials.counterfactual import Setting, run_as_it_is, steps_at_most, steps_to_show
from dllint.edit import Edit, Fix, apply_edits
from dllint.engine.apply import StaleFileError, require_writable, write_atomically
from dllint.engine.edits import edits_by_path
from dllint.finding import Finding
from dllint.source.encoding import UndecodableError, decode
from dllint.source.regular import read_regular


def apply_confirmed(diagnosis: Diagnosis, setting: Setting, seconds: float) -> Diagnosis:
    """Apply the first confirmed repair and run the changed program for as many steps as the trial had; the diagnosis with a
    remark on what was done.

    Raises:
        Failure: a file cannot be written.
    """
    chosen = next(_confirmed(diagnosis), None)
    if chosen is None:
        return _remarked(
            diagnosis, "no repair was confirmed, so none was applied" if diagnosis.findings else "nothing to apply"
        )
    finding, fix = chosen
    refused = _write(fix, setting)
    if refused is not None:
        return _remarked(diagnosis, f"`{fix.message}` was not applied: {refused}")
    places = ", ".join(dict.fromkeys(_shown(edit.path, setting) for edit in fix.edits))
    steps = (count(diagnosis.symptoms, diagnosis.run) for count in (steps_to_show, steps_at_most))
    after = run_as_it_is(setting, max(steps), seconds)
    observed = finding.observation.symptom if finding.observation is not None else finding.name
    if after is None:
        verified = "it could not be verified in time"
    elif after.ended == "error":
        verified = f"run again, the program fails ({after.message})"
    elif after.count(observed):
        verified = f"run again for {after.steps} steps, the program still shows `{observed}`"
    else:
        verified = f"run again for {after.steps} steps, the program no longer shows `{observed}`"
    return _remarked(diagnosis, f"applied `{fix.message}` to {places}; {verified}")


def _confirmed(diagnosis: Diagnosis) -> Iterator[tuple[Finding, Fix]]:
    for finding in diagnosis.findings:
        for remedy in finding.observation.remedies if finding.observation is not None else ():
            if remedy.trial is not None and remedy.trial.recommended:
                yield finding, remedy.fix


def _remarked(diagnosis: Diagnosis, text: str) -> Diagnosis:
    return replace(diagnosis, remarks=(*diagnosis.remarks, text))


def _shown(path: Path, setting: Setting) -> str:
    return os.path.relpath(os.path.join(setting.folder, path), setting.folder)


@dataclass(frozen=True, slots=True)
class _Change:
    """A file that is to be written, with its content before and after."""

    place: Path
    before: bytes
    after: bytes


def _write(fix: Fix, setting: Setting) -> str | None:
    """Write the edited files, all or none; why not, if one of them is not what was run, or does not parse before and after."""
    changes: list[_Change] = []
    for path, edits in edits_by_path([fix]).items():
        try:
            changes.append(_change(Path(setting.folder, path), edits, setting))
        except (OSError, UndecodableError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return f"{_shown(path, setting)}: {error}"
    written: list[_Change] = []
    try:
        for change in changes:
            require_writable(change.place, change.before)
        for change in changes:
            write_atomically(change.place, change.after, change.before)
            written.append(change)
    except (OSError, StaleFileError) as error:
        for done in reversed(written):
            write_atomically(done.place, done.before, done.after)
        raise Failure(f"cannot write {change.place}: {error}") from error
    return None


def _change(place: Path, edits: Iterable[Edit], setting: Setting) -> _Change:
    """What edits make of a file.

    Raises:
        ValueError: it lies outside of what the user has named, or is not the text that was run: it was changed meanwhile.
        OSError, SyntaxError, RecursionError, MemoryError: it cannot be read, or not be parsed before or after.
    """
    named = {Path(setting.folder), (setting.program.source or Path(setting.program.target)).absolute().parent}
    if not is_user_file(str(place)) or not any(lies_in(place, project_of(folder)) for folder in named):
        raise ValueError("it lies outside of the project")
    before = read_regular(place)
    text, encoding = decode(before)
    if text != setting.read(place):
        raise ValueError("it was changed while its program ran")
    edited = apply_edits(text, edits)
    ast.parse(text)
    ast.parse(edited)
    return _Change(place, before, edited.encode(encoding))
