"""Claims about short programs, compared with what a run of them shows."""

from __future__ import annotations

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run


def refuted(text: str) -> list[str]:
    """What is said of a program and does not hold, false errors included."""
    observed = run(text)
    assert not observed.lost, text
    verdict = compared(claims(text), observed)
    return [f"{wrong.kind} of {wrong.name or wrong.op}: {wrong.claimed}, not {wrong.seen}\n{text}"
            for wrong in (*verdict.wrong, *verdict.false_errors)]  # fmt: skip


def is_found(text: str) -> bool:
    """Whether a program raises and an error is reported where it does."""
    observed = run(text)
    assert observed.raised is not None, f"it runs:\n{text}"
    return compared(claims(text), observed).found


def check(text: str) -> None:
    """What raises is reported where it does, and nothing else that is said is refuted by a run."""
    observed = run(text)
    assert not observed.lost, text
    verdict = compared(claims(text), observed)
    assert not verdict.false_errors, (text, verdict.false_errors)
    assert not verdict.wrong, (text, verdict.wrong)
    assert verdict.found == verdict.raised, (text, observed.raised)
