"""Figures of a mutation run, and the mutants that no test noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.mutation.sampling import Drawn
from benchmarks.mutation.trials import Outcome, Verdict
from benchmarks.wild.bounds import wilson

#: What counts as noticed: a mutant with which tests do not end would not pass unseen.
NOTICED: Final = frozenset({Verdict.KILLED, Verdict.TIMED_OUT})
_UNSEEN: Final = (Verdict.SURVIVED, Verdict.NOT_COVERED, Verdict.BROKEN)

Trials = Mapping[Drawn, Outcome]


def figures(trials: Trials) -> dict[str, Any]:
    """Counts and shares with their 95 % intervals (Wilson), of all and by room and kind of fault, and the unnoticed ones."""
    return {
        **_shares(list(trials.values())),
        "rooms": _grouped((drawn.file.split("/")[1], outcome) for drawn, outcome in trials.items()),
        "kinds": _grouped((drawn.mutant.kind, outcome) for drawn, outcome in trials.items()),
        "unnoticed": [_told(drawn, outcome) for drawn, outcome in _unnoticed(trials)],
    }


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The figures as text."""
    yield _line("all", found)
    for title in ("rooms", "kinds"):
        yield ""
        yield from (_line(name, group) for name, group in found[title].items())
    yield ""
    for mutant in found["unnoticed"]:
        rest = f", {mutant['tests left out']} tests left out" if mutant["tests left out"] else ""
        yield f"{mutant['place']}: {mutant['verdict']} ({mutant['kind']}; {mutant['tests run']} tests run{rest})"
        yield from (
            f"    {sign} {line}" for sign, text in (("-", "before"), ("+", "after")) for line in mutant[text].split("\n")
        )


def _line(name: str, group: Mapping[str, Any]) -> str:
    low, high = group["noticed"]["wilson"]
    counts = ", ".join(f"{verdict} {group[verdict]}" for verdict in Verdict if group[verdict])
    return f"{name:<20} {group['mutants']:>4}  noticed {group['noticed']['share']:.1%} [{low:.1%}, {high:.1%}]  ({counts})"


def _shares(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    counts = Counter(outcome.verdict for outcome in outcomes)
    noticed, covered = sum(counts[verdict] for verdict in NOTICED), len(outcomes) - counts[Verdict.NOT_COVERED]
    return {
        "mutants": len(outcomes),
        **{verdict.value: counts[verdict] for verdict in Verdict},
        "survived with tests left out": sum(bool(found.left_out) for found in outcomes if found.verdict is Verdict.SURVIVED),
        "noticed": _share(noticed, len(outcomes)),
        "noticed of the covered": _share(noticed, covered),
    }


def _share(events: int, trials: int) -> dict[str, Any]:
    return {"share": round(events / trials, 4) if trials else 0.0, "wilson": [round(end, 4) for end in wilson(events, trials)]}


def _grouped(pairs: Iterable[tuple[str, Outcome]]) -> dict[str, Any]:
    groups: dict[str, list[Outcome]] = {}
    for name, outcome in pairs:
        groups.setdefault(name, []).append(outcome)
    return {name: _shares(groups[name]) for name in sorted(groups)}


def _unnoticed(trials: Trials) -> list[tuple[Drawn, Outcome]]:
    found = [item for item in trials.items() if item[1].verdict in _UNSEEN]
    return sorted(found, key=lambda item: (item[0].file, item[0].mutant.start))


def _told(drawn: Drawn, outcome: Outcome) -> dict[str, Any]:
    return {
        "place": f"{drawn.file}:{drawn.mutant.line}",
        "verdict": outcome.verdict.value,
        "kind": drawn.mutant.kind,
        "line": drawn.mutant.written,
        "before": drawn.mutant.before,
        "after": drawn.mutant.after,
        "tests run": outcome.ran,
        "tests left out": outcome.left_out,
    }
