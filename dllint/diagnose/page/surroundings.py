"""How the run was observed, and what another run needs to be the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.records import Reproducibility, RunRecord
from dllint.page.document import table
from dllint.page.markup import Markup, element
from dllint.page.numbers import shown


def notes(diagnosis: Diagnosis) -> Markup:
    """What could not be said, and why."""
    texts = [f"{text[:1].upper()}{text[1:]}." for text in (*diagnosis.run.notes, *diagnosis.remarks)]
    return element("ul", *(element("li", text) for text in texts)) if texts else Markup("")


def traceback(diagnosis: Diagnosis) -> Markup:
    """The program's own traceback, if it failed."""
    text = diagnosis.outcome.traceback
    return element("pre", element("code", text.rstrip()), class_="source plain") if text else Markup("")


def environment(run: RunRecord) -> Markup:
    """The settings of the optimizers, and what the run depends on besides its source."""
    rows = [*_optimizers(run), *(_settings(run.reproducibility) if run.reproducibility is not None else ())]
    return table((), [(element("b", name), element("code", text)) for name, text in rows if text], "pairs")


def _optimizers(run: RunRecord) -> Iterator[tuple[str, str]]:
    for track in run.tracks:
        for number, group in enumerate(track.optimizer.groups):
            name = track.key if len(track.optimizer.groups) == 1 else f"{track.key}, group {number}"
            yield name, _pairs({key: value for key, value in group.items() if value not in (None, False)}, track.optimizer.kind)


def _pairs(values: Mapping[str, object], head: str = "") -> str:
    told = (f"{name}={shown(value, 6) if isinstance(value, float) else value}" for name, value in values.items())
    return " ".join([*([head] if head else []), *told])


def _settings(record: Reproducibility) -> Iterator[tuple[str, str]]:
    yield "Command", shlex.join(record.command)
    yield "Python", record.python
    for name, values in (
        ("Versions", record.versions),
        ("Hardware", record.hardware),
        ("Seeds", record.seeds),
        ("Environment", record.environment),
    ):
        yield name, _pairs(values)
