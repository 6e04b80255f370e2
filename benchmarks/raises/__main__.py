"""``python -m benchmarks.raises``: exceptions that are believed in, about public files and about programs that run."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from benchmarks.raises import public
from benchmarks.raises.listening import Belief
from benchmarks.raises.proving import Verdict, prove
from benchmarks.raises.running import scratch
from benchmarks.raises.sources import attributes, excerpts, generated, operations
from benchmarks.results import write

Figures: TypeAlias = dict[str, Any]

#: Sources of programs that run, and of programs that raise.
_RUNNING: Final[dict[str, Callable[[int], Iterator[str]]]] = {
    "attributes": attributes.programs, "operations": operations.programs, "excerpts": excerpts.programs,
    "idioms": generated.idioms, "flow": generated.flow, "objects": generated.objects, "repository": generated.repository,
}  # fmt: skip
_RAISING: Final = "failing"
#: Places told for each cause.
_PLACES: Final = 5


def main() -> int:
    """Count beliefs and write the figures; the exit status is 1 if a run refutes one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.raises", description=__doc__)
    parser.add_argument("--peers", type=Path, help="the public checkouts")
    parser.add_argument("--checkouts", nargs="+", default=public.CHECKOUTS, metavar="NAME", help="those that are traced")
    parser.add_argument("--programs", type=int, default=400, help="the most programs of a source that are run")
    parser.add_argument("--source", choices=[*_RUNNING, _RAISING], nargs="*", help="these sources only; none for no programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print every belief")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    figures: Figures = {"seed": options.seed, "programs": options.programs}
    if options.peers is not None:
        figures["public"] = _public(options)
    sources = [*_RUNNING, _RAISING] if options.source is None else options.source
    wrong = 0
    with scratch(), ProcessPoolExecutor(options.jobs) as pool:
        asked = partial(_proved, options.programs, options.seed, options.show)
        for name, found in zip(sources, pool.map(asked, sources), strict=True):
            figures[name] = found
            wrong += found.get("refuted", 0)
            print(name, {key: value for key, value in found.items() if key != "causes"}, flush=True)
    if options.write:
        print(f"written: {write('raises', figures).name}")
    return 1 if wrong else 0


def _public(options: argparse.Namespace) -> Figures:
    """The beliefs about public files by cause; certain ones are about what every run of a file does."""
    present = [name for name in options.checkouts if (options.peers / name).is_dir()]
    beliefs: list[Belief] = []
    out: Figures = {"traced": present, "not present": sorted(set(options.checkouts) - set(present)), "files": 0}
    with ProcessPoolExecutor(options.jobs) as pool:
        for traced in pool.map(partial(public.trace, options.peers), present):
            beliefs += traced.beliefs
            out["files"] += traced.files
            print(f"{traced.name}: {traced.files} files, {len(traced.beliefs)} beliefs, {traced.seconds:.0f} s", flush=True)
            if options.show:
                for belief in traced.beliefs:
                    print(f"  {_told(belief, options.peers)}")
    return out | {
        "beliefs": len(beliefs),
        "caught": sum(belief.caught for belief in beliefs),
        "in an open branch": sum(belief.open for belief in beliefs),
        "certain": sum(belief.certain for belief in beliefs),
        "causes": _causes(beliefs, options.peers),
    }


def _causes(beliefs: list[Belief], root: Path | None) -> list[Figures]:
    """Beliefs by kind and cause, the most frequent first, with some places."""
    counts = Counter((belief.kind, belief.cause) for belief in beliefs)
    return [
        {
            "kind": kind,
            "cause": cause,
            "count": count,
            "places": [_told(belief, root) for belief in beliefs if (belief.kind, belief.cause) == (kind, cause)][:_PLACES],
        }
        for (kind, cause), count in counts.most_common()
    ]


def _told(belief: Belief, root: Path | None) -> str:
    name = belief.path.relative_to(root) if root is not None else belief.path.name
    marks = [mark for mark, is_so in (("caught", belief.caught), ("open branch", belief.open)) if is_so]
    return f"{name}:{belief.first} {belief.kind} by {belief.cause} in {belief.entry}: {belief.text}" + (
        f" ({', '.join(marks)})" if marks else ""
    )


def _proved(programs: int, seed: int, show: bool, name: str) -> Figures:
    """The beliefs about the programs of a source beside their runs."""
    count: Counter[str] = Counter()
    wrong: list[Belief] = []
    texts = operations.failing(seed) if name == _RAISING else _RUNNING[name](seed)
    for text in islice(texts, programs):
        verdict = prove(text)
        _add(count, verdict)
        wrong += verdict.wrong
        for belief in verdict.wrong if show else ():
            print(f"{name}: {text.splitlines()[belief.first - 1]!r}: {_told(belief, None)}", flush=True)
    if name == _RAISING:
        return {key: count[key] for key in ("programs", "that end in an exception", "of these believed in", "crashes")}
    return dict(sorted(count.items())) | {"refuted": len(wrong), "causes": _causes(wrong, None)}


def _add(count: Counter[str], verdict: Verdict) -> None:
    count["programs"] += 1
    count["that end in an exception"] += not verdict.runs
    count["of these believed in"] += bool(not verdict.runs and verdict.held)
    count["beliefs that the run meets"] += len(verdict.held)
    count["beliefs behind a condition"] += len(verdict.open)
    count["crashes"] += len(verdict.crashes)


if __name__ == "__main__":
    sys.exit(main())
