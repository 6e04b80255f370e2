"""``dllint diagnose --apply``: writing a confirmed repair to the user's file, and seeing whether it holds."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dllint.cli.failures import Failure
from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.trials.counterfactual import Setting, run_as_it_is, steps_at_most, steps_to_show
from dllint.edit import Fix, apply_edits
from dllint.engine.apply import StaleFileError, write_atomically
from dllint.engine.edits import edits_by_path
from dllint.finding import Finding
from dllint.source.encoding import UndecodableError, decode


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


def _write(fix: Fix, setting: Setting) -> str | None:
    """Write the edited files, all or none unless the disk fails; why not, if the texts do not parse before and after."""
    written: list[tuple[Path, bytes, bytes]] = []
    for path, edits in edits_by_path([fix]).items():
        place = Path(setting.folder, path)
        try:
            before = place.read_bytes()
            text, encoding = decode(before)
            edited = apply_edits(text, edits)
            ast.parse(text)
            ast.parse(edited)
        except (OSError, UndecodableError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return f"{_shown(path, setting)}: {error}"
        written.append((place, edited.encode(encoding), before))
    try:
        for place, content, before in written:
            write_atomically(place, content, before)
    except (OSError, StaleFileError) as error:
        raise Failure(f"cannot write {place}: {error}") from error
    return None
