"""Conditions of the observation, and what is needed to reproduce the run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.page.view import View
from dllint.diagnose.records import RunRecord
from dllint.diagnose.reproducibility.circumstances import Reproducibility, Seeding
from dllint.page.document import table
from dllint.page.markup import Markup, element
from dllint.page.numbers import shown

#: Characters of a digest that tell files apart.
_DIGEST: Final = 12


def notes(diagnosis: Diagnosis) -> Markup:
    """What could not be judged, with the reason."""
    texts = [f"{text[:1].upper()}{text[1:]}." for text in (*diagnosis.run.notes, *diagnosis.remarks)]
    return element("ul", *(element("li", text) for text in texts)) if texts else Markup("")


def traceback(diagnosis: Diagnosis) -> Markup:
    """The program's own traceback, if it failed."""
    text = diagnosis.outcome.traceback
    return element("pre", element("code", text.rstrip()), class_="source plain") if text else Markup("")


def environment(run: RunRecord, view: View) -> Markup:
    """The settings of the optimizers, and what the run depends on besides its source."""
    rows = [*_optimizers(run), *(_circumstances(run.reproducibility, view) if run.reproducibility is not None else ())]
    return table((), [(element("b", name), element("code", text)) for name, text in rows if text], "pairs")


def _optimizers(run: RunRecord) -> Iterator[tuple[str, str]]:
    for track in run.tracks:
        for number, group in enumerate(track.optimizer.groups):
            name = track.key if len(track.optimizer.groups) == 1 else f"{track.key}, group {number}"
            yield name, _pairs({key: value for key, value in group.items() if value not in (None, False)}, track.optimizer.kind)


def _pairs(values: Mapping[str, object], head: str = "") -> str:
    pairs = (f"{name}={shown(value, 6) if isinstance(value, float) else value}" for name, value in values.items())
    return " ".join([*([head] if head else []), *pairs])


def _circumstances(record: Reproducibility, view: View) -> Iterator[tuple[str, str]]:
    yield "Command", shlex.join(record.command)
    yield "Python", record.python
    yield "Versions", _pairs(record.versions)
    yield "Hardware", _pairs(record.hardware)
    yield "Seeds", ", ".join(_seeding(seeding, view) for seeding in record.seeds)
    yield "Unseeded", ", ".join(generator.name for generator in record.generators if generator.unseeded)
    yield "Settings", ", ".join(f"{name}: {value}" for name, value in record.settings.items())
    yield "Environment", _pairs(record.environment)
    if record.revision is not None:
        yield "Revision", f"{record.revision.commit}{' with changes' if record.revision.dirty else ''}"
    yield "Sources", ", ".join(f"{view.shown(Path(file.path))} ({file.digest[:_DIGEST]})" for file in record.sources)


def _seeding(seeding: Seeding, view: View) -> str:
    place = view.place(seeding.place)
    return f"{seeding.generator} {seeding.value or 'from the system'}{f' ({place})' if place else ''}"
