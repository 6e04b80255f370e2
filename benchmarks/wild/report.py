"""The figures, printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from benchmarks.wild.checking import Run
from benchmarks.wild.verdicts import VERDICTS


def progress(run: Run) -> None:
    """One line about a repository that was checked."""
    counts = " ".join(f"{sum(one.severity == level for one in run.found)} {level}s" for level in ("error", "warning"))
    print(f"{run.repository:<46} {run.state:<10} {counts}  {run.cpu_s:.1f} s {run.peak_mib:.0f} MiB", flush=True)


def show(figures: dict[str, Any]) -> None:
    """All tables."""
    print(f"\n{figures['corpus']}: {figures['repositories']} repositories")
    for name, state in figures["not checked"].items():
        print(f"  {name}: {state}")
    _verdicts(figures["verdicts"])
    _calibration(figures["calibration"])
    _list(
        "false errors by repository", (f"{count:>4}  {name}" for name, count in figures["false errors by repository"].items())
    )
    _list("findings on which readers do not agree", figures["disputed"])
    _remaining(figures["remaining"])
    _coverage(figures)
    _list("findings without a verdict", figures["unjudged"])
    print("\ntargets")
    for name, target in figures["targets"].items():
        print(f"  {name:<52}{target['reached']:>8}  {target['wanted']:<16}{'met' if target['met'] else 'MISSED'}")


def _verdicts(verdicts: dict[str, Any]) -> None:
    heads = "".join(f"{head:>12}" for head in ("findings", *VERDICTS))
    print(f"\n{'verdicts':<28}{heads}   true [Wilson] [by repository]   false [Wilson] [by repository]")
    groups = {name: tally for name, tally in verdicts.items() if name != "by rule"}
    for name, tally in (groups | verdicts["by rule"]).items():
        counts = "".join(f"{tally[key]:>12}" for key in ("findings", *VERDICTS))
        shares = "   ".join(_share(tally[key]) for key in ("true share", "false share")) if tally["findings"] else ""
        print(f"{name:<28}{counts}   {shares}")


def _share(share: dict[str, Any]) -> str:
    return f"{share['share']:>4.0%} {_interval(share['wilson'])} {_interval(share['by repository'])}"


def _interval(ends: list[float]) -> str:
    return f"[{ends[0]:.0%}, {ends[1]:.0%}]"


def _calibration(rows: list[dict[str, Any]]) -> None:
    print(f"\n{'calibration':<16}{'confidence':<12}{'right':>12}   share [Wilson]        needed")
    for row in rows:
        right = f"{row['right']}/{row['findings']}"
        share = f"{row['share']:.0%} {_interval(row['wilson'])}"
        print(f"{row['rule']:<16}{row['confidence']:<12}{right:>12}   {share:<21} {row['needed']:.0%}{_unless(row['enough'])}")


def _unless(enough: bool) -> str:
    return "" if enough else "  NOT REACHED"


def _remaining(left: dict[str, Any]) -> None:
    share = "-" if left["share"] is None else f"{left['share']:.0%}"
    print(f"\nof {left['all']} findings of the analysis that were judged true, {share} remain")
    for severity in ("error", "warning"):
        counts = ", ".join(f"{name} {count}" for name, count in left[severity].items())
        print(f"  as {severity}: {counts}")
    _list("gone", left["gone"])
    _list("errors that are below a warning now", left["errors below warning"])


_FACTS: Final = ("rank", "shape", "dtype", "rank with gaps", "shape with gaps")


def _coverage(figures: dict[str, Any]) -> None:
    print("\ncoverage")
    left_out = figures["coverage"].get("left out", {})
    for name, known in figures["coverage"].items():
        if known is left_out:
            continue
        shares = "  ".join(
            f"{fact} {known[fact]:.1%}" for fact in ("rank", "shape", "dtype", "rank with gaps", "shape with gaps")
        )
        print(f"  {name:<12}{known['operations']:>9}  gaps {known['gaps']:>8}  {shares}")
    libraries = ", ".join(f"{library} {count}" for library, count in list(left_out.items())[:12])
    print(f"  left out, since they give no tensor: {sum(left_out.values())} places of calls ({libraries})")
    rows = figures["runs"]
    cpu, peak = sum(row["cpu_s"] for row in rows), max((row["peak_mib"] for row in rows), default=0)
    print(f"  {cpu:.0f} CPU seconds, at most {peak:.0f} MiB")
    errors = Counter((row["repository"], tuple(line.rsplit(": ", 2)[-2:])) for row in rows for line in row["internal errors"])
    _list("internal errors", (f"{count:>5}  {name}: {': '.join(error)}" for (name, error), count in errors.items()))
    failed = figures["op-failed"].items()
    _list("op-failed", (f"{count:>5}  {name}: {reason}" for name, found in failed for reason, count in found.items()))


def _list(title: str, lines: Iterable[str]) -> None:
    lines = list(lines)
    print(f"\n{title}: {len(lines) or 'none'}")
    for line in lines:
        print(f"  {line}")
