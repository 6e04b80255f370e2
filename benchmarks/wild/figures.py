"""From findings and verdicts to figures: how many are right, by severity, rule and confidence, and what is left of the true."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.wild.bounds import clustered, wilson
from benchmarks.wild.checking import Found, Place
from benchmarks.wild.corpus import Corpus
from benchmarks.wild.verdicts import FALSE, RIGHT, TRUE, VERDICTS, Judgement, match

#: The share of findings of a confidence that must be right.
LEVELS: Final = {"high": 0.98, "medium": 0.90, "low": 0.60}
GONE: Final = "gone"
_STRONG: Final = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding with its verdict."""

    found: Found
    judgement: Judgement

    @property
    def verdict(self) -> str:
        """What counts."""
        return self.judgement.verdict


@dataclass(frozen=True, slots=True)
class Sorted:
    """The findings that are to be judged: those that are, and those that still need a verdict."""

    judged: list[Judged]
    unjudged: list[Found]


def of_the_analysis(code: str) -> bool:
    """Whether a rule derives what it tells: not names of old releases, not broken syntax."""
    return not code.startswith("DLA") and code not in ("syntax-error", "io-error")


def sort(corpus: Corpus, found: Sequence[Found], judged: Mapping[Place, Judgement]) -> Sorted:
    """The findings that are to be judged, by whether enough readers have."""
    known = match(found, judged)
    out = Sorted([], [])
    for one in to_judge(corpus, found, known, judged):
        judgement = known.get(one.place)
        if judgement is not None and len(judgement.readers) >= corpus.readers:
            out.judged.append(Judged(one, judgement))
        else:
            out.unjudged.append(one)
    return out


def to_judge(
    corpus: Corpus, found: Iterable[Found], known: Mapping[Place, Judgement], judged: Mapping[Place, Judgement]
) -> list[Found]:
    """Errors, and warnings: all, or the sample. What was judged once stays in the sample, whatever else comes or goes."""
    errors = [one for one in found if one.severity == "error"]
    warnings = [one for one in found if one.severity == "warning"]
    if corpus.warnings is None:
        return errors + warnings
    old = [one for one in warnings if one.place in known]
    new = sorted((one for one in warnings if one.place not in known), key=lambda one: lot(corpus.seed, one.place))
    past = sum(judgement.verdicts[0].severity == "warning" for judgement in judged.values())
    return errors + old + new[: max(0, corpus.warnings - past)]


def lot(seed: str, place: Place) -> str:
    """A number that a seed draws for a place."""
    text = "\0".join(map(str, (seed, *place.key, place.column)))
    return hashlib.sha256(text.encode()).hexdigest()


def tally(judged: Sequence[Judged]) -> dict[str, Any]:
    """Counts of verdicts, and the shares of true and of not false ones with two 95 % intervals each."""
    counts = Counter(one.verdict for one in judged)
    out: dict[str, Any] = {"findings": len(judged), **{verdict: counts[verdict] for verdict in VERDICTS}}
    if judged:
        out[TRUE + " share"] = share(judged, lambda verdict: verdict == TRUE)
        out["false share"] = share(judged, lambda verdict: verdict == FALSE)
    return out


def share(judged: Sequence[Judged], counts: Callable[[str], bool]) -> dict[str, Any]:
    """The share of findings whose verdict counts, and where the share in all code lies with 95 %: as if findings were
    independent of each other, and as if only repositories were."""
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for one in judged:
        groups[one.found.place.repository].append(counts(one.verdict))
    hits = sum(map(sum, groups.values()))
    by_repository = clustered([(sum(group), len(group)) for group in groups.values()])
    return {
        "share": round(hits / len(judged), 4),
        "wilson": rounded(wilson(hits, len(judged))),
        "by repository": rounded(by_repository),
    }


def tables(judged: Sequence[Judged]) -> dict[str, Any]:
    """Tallies by severity, by rule and by confidence."""

    errors = [one for one in judged if one.found.severity == "error"]
    analysis = [one for one in judged if of_the_analysis(one.found.place.code)]
    rules: defaultdict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in judged:
        rules[one.found.severity, one.found.place.code].append(one)
    return {
        "errors": tally(errors),
        "errors of the analysis": tally([one for one in errors if one in analysis]),
        "warnings": tally([one for one in judged if one not in errors]),
        **{f"{level} of the analysis": tally([one for one in analysis if one.found.confidence == level]) for level in LEVELS},
        "by rule": {f"{code} {severity}": tally(rules[severity, code]) for severity, code in sorted(rules)},
    }


def calibration(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Per rule and confidence, and per confidence over all rules: how many findings are right, and whether that is enough."""
    groups: defaultdict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in judged:
        for rule in ("all", one.found.place.code):
            groups[rule, one.found.confidence].append(one)
    order = sorted(groups, key=lambda group: (list(LEVELS).index(group[1]), group[0] != "all", group[0]))
    return [_calibrated(rule, level, groups[rule, level]) for rule, level in order]


def _calibrated(rule: str, level: str, judged: Sequence[Judged]) -> dict[str, Any]:
    right = sum(one.verdict in RIGHT for one in judged)
    reached = right / len(judged)
    return {
        "rule": rule,
        "confidence": level,
        "findings": len(judged),
        "right": right,
        "share": round(reached, 4),
        "wilson": rounded(wilson(right, len(judged))),
        "needed": LEVELS[level],
        "enough": reached >= LEVELS[level],
    }


def remaining(judged: Mapping[Place, Judgement], found: Sequence[Found]) -> dict[str, Any]:
    """Of the findings of the analysis that were judged true, how many are still told, and how.

    One that is told at another place is still told, if a verdict about that place says where it was.
    """
    severities = {one.place: one.severity for one in found}
    now: dict[Place, str] = {}
    for place, judgement in match(found, judged).items():
        now |= dict.fromkeys((judgement.place, *moves(judgement)), severities[place])
    out: dict[str, Any] = {severity: Counter({"judged true": 0}) for severity in _STRONG}
    below, gone = [], []
    for place, judgement in true_of_the_analysis(judged):
        severity, state = judgement.verdicts[0].severity, now.get(place, GONE)
        out[severity].update(("judged true", state))
        if state == GONE:
            gone.append(shown(place))
        elif severity == "error" and state not in _STRONG:
            below.append(shown(place))
    total = sum(out[severity]["judged true"] for severity in _STRONG)
    share = round(1 - len(gone) / total, 4) if total else None
    return {**out, "all": total, "share": share, "gone": gone, "errors below warning": below}


def true_of_the_analysis(judged: Mapping[Place, Judgement]) -> Iterator[tuple[Place, Judgement]]:
    """Where faults that the analysis has found were first told."""
    true = {place for place, judgement in judged.items() if judgement.verdict == TRUE and of_the_analysis(place.code)}
    return ((place, judged[place]) for place in judged if place in true and true.isdisjoint(moves(judged[place])))


def moves(judgement: Judgement) -> list[Place]:
    """The places at which a fault was told before."""
    return [place for verdict in judgement.verdicts for place in verdict.was]


def shown(place: Place) -> str:
    """A place, for people."""
    cell = "" if place.cell is None else f":cell {place.cell}"
    return f"{place.code} {place.repository}:{place.file}{cell}:{place.line}:{place.column}"


def rounded(interval: tuple[float, float]) -> list[float]:
    """An interval, for JSON."""
    return [round(end, 4) for end in interval]
