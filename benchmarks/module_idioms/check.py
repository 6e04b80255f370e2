"""A program, plain and with some of it hidden, and broken: what is said of each beside what its run shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from benchmarks.module_idioms.breaking import broken
from benchmarks.module_idioms.comparison import Claims, claims, wrong_shapes
from benchmarks.module_idioms.hiding import PLAIN, Hiding, drawn
from benchmarks.module_idioms.project import Project, written
from benchmarks.module_idioms.running import run
from benchmarks.module_idioms.template import FAMILIES, Draft, draw

#: Ways to hide something that are tried with each program.
_HIDINGS: Final = 3
_REWRITTEN: Final = 0.7


@dataclass(slots=True)
class Version:
    """One version of a program: what is said of it although it runs, or whether an error is reported where it does not."""

    hiding: Hiding
    text: str
    false_errors: list[str] = field(default_factory=list)
    conditional: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    found: bool = False


@dataclass(slots=True)
class Verdict:
    """What is said of a program. ``defect``: the template makes a program that does not run, which tells nothing."""

    seed: int
    family: str
    defect: str = ""
    versions: list[Version] = field(default_factory=list)
    broken: list[Version] = field(default_factory=list)
    error: str = ""
    operations: int = 0
    known: int = 0


def drafted(seed: int, families: tuple[str, ...] = FAMILIES) -> Draft:
    """A seed's program."""
    random = Random(seed)
    out = draw(random.choice(families), random)
    if random.random() < _REWRITTEN:
        out.form = f"form {seed}"
    return out


def check(seed: int, families: tuple[str, ...] = FAMILIES) -> Verdict:
    """Run a seed's program and compare."""
    draft, random = drafted(seed, families), Random(f"hiding {seed}")
    out = Verdict(seed, draft.family)
    plain = written(draft, PLAIN, seed)
    shown = run(plain)
    if shown.error and draft.form:  # a change of form does not suit it
        draft.form = ""
        plain = written(draft, PLAIN, seed)
        shown = run(plain)
    if shown.error:
        out.defect = shown.error
        return out
    claimed = claims(plain)
    out.operations, out.known = claimed.operations, claimed.known
    first = _version(plain, PLAIN, claimed)
    first.wrong = list(wrong_shapes(claimed, shown))
    out.versions.append(first)
    hidings = [drawn(random) for _ in range(_HIDINGS)]
    for hiding in hidings:
        project = written(draft, hiding, seed)
        out.versions.append(_version(project, hiding, claims(project)))
    _broken(out, draft, random, hidings)
    return out


def _version(project: Project, hiding: Hiding, claimed: Claims) -> Version:
    told = [f"{f.location.path.name}:{f.location.span.first.line} {f.code} {f.message}" for f in claimed.findings]
    conditional = [text for text in told if ", when " in text]
    return Version(hiding, project.text, [text for text in told if text not in conditional], conditional, [], claimed.crashes)


def _broken(out: Verdict, draft: Draft, random: Random, hidings: list[Hiding]) -> None:
    """Check the first of some changes that makes the program raise."""
    for changed in broken(draft, random):
        shown = run(written(changed, PLAIN, out.seed))
        if not shown.error.startswith(("RuntimeError", "ValueError", "AssertionError")):
            continue
        out.error = shown.error
        for hiding in (PLAIN, hidings[0]):
            project = written(changed, hiding, out.seed)
            findings = claims(project).findings
            out.broken.append(Version(hiding, project.text, found=bool(findings)))
        return
