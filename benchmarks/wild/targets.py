"""What is wanted of the figures."""

from __future__ import annotations

from typing import Any, Final

from benchmarks.wild.corpus import Corpus
from benchmarks.wild.verdicts import FALSE, TRUE

_FALSE_ERRORS: Final = 0.03
_FALSE_WARNINGS: Final = 0.10
_TRUE_WARNINGS: Final = 0.70
_REMAINING: Final = 0.95


def targets(corpus: Corpus, figures: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Per target, what was reached, what is wanted, and whether it is met."""
    drawn = corpus.warnings is not None
    return _always(figures) | (_of_a_draw(figures) if drawn else _of_the_development_set(figures))


def _always(figures: dict[str, Any]) -> dict[str, dict[str, Any]]:
    failed = sum(sum(reasons.values()) for reasons in figures["op-failed"].values())
    return {
        "internal errors": _at_most(sum(figures["internal errors"].values()), 0),
        "operations whose meaning failed": _at_most(failed, 0),
        "findings without a verdict": _at_most(len(figures["unjudged"]), 0),
        "rules below the share that their confidence needs": _at_most(
            sum(not row["enough"] for row in figures["calibration"] if row["rule"] != "all"), 0
        ),
    }


def _of_a_draw(figures: dict[str, Any]) -> dict[str, dict[str, Any]]:
    verdicts = figures["verdicts"]
    return {
        "false errors of the analysis": _at_most(_share(verdicts["errors of the analysis"], FALSE), _FALSE_ERRORS),
        "false warnings": _at_most(_share(verdicts["warnings"], FALSE), _FALSE_WARNINGS),
        "true warnings": _at_least(_share(verdicts["warnings"], TRUE), _TRUE_WARNINGS),
        "repositories with a false error": _at_most(len(figures["false errors by repository"]), 1),
    }


def _of_the_development_set(figures: dict[str, Any]) -> dict[str, dict[str, Any]]:
    left = figures["remaining"]
    return {
        "true findings that remain": _at_least(left["share"] if left["share"] is not None else 1.0, _REMAINING),
        "true errors below warning": _at_most(len(left["errors below warning"]), 0),
    }


def _share(tally: dict[str, Any], verdict: str) -> float:
    return tally[f"{verdict} share"]["share"] if tally["findings"] else float(verdict == TRUE)


def _at_most(value: float, limit: float) -> dict[str, Any]:
    return {"reached": value, "wanted": f"at most {limit}", "met": value <= limit}


def _at_least(value: float, limit: float) -> dict[str, Any]:
    return {"reached": value, "wanted": f"at least {limit}", "met": value >= limit}
