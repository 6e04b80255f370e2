"""Beliefs about programs that run, beside what a run raises."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.raises.listening import MODULE, Belief, listening
from benchmarks.raises.running import PATH, Run, run
from dllint.lower.document import lower_document
from dllint.source.document import Document


@dataclass(slots=True)
class Verdict:
    """``wrong``: beliefs that every run would have to meet and this one has not. ``held``: those that it has met. ``open``:
    beliefs behind a condition, or about code that nothing calls. ``missed``: whether the run ends in an exception of Python's
    own that is not believed in."""

    runs: bool = True
    wrong: list[Belief] = field(default_factory=list)
    held: list[Belief] = field(default_factory=list)
    open: list[Belief] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)


def prove(text: str) -> Verdict:
    """Run a program and compare."""
    made, out = run(text), Verdict()
    out.runs = not made.ended
    with listening() as heard:
        lowered = lower_document(Document.from_text(PATH, text))
    out.crashes = [str(failure) for failure in lowered.failures]
    for belief in heard:
        if belief.entry != MODULE:
            continue
        if _has_met(made, belief):
            out.held.append(belief)
        elif belief.certain and not made.ended:
            out.wrong.append(belief)
        else:
            out.open.append(belief)
    return out


def _has_met(made: Run, belief: Belief) -> bool:
    kinds = belief.kind.split("|")
    return any(belief.first <= line <= belief.last and any(_is(kind, one) for one in kinds) for line, kind in made.raised)


def _is(kind: str, believed: str) -> bool:
    """Whether an exception is of a kind; of one that is not builtin, only the name is compared."""
    return kind == believed or believed == "?"
