"""Command line: draw programs, migrate, run, judge."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.migrate.drawing import candidates
from benchmarks.migrate.programs.judging import COMPLAINT, Outcome, judged, run
from benchmarks.migrate.programs.projects import closure, copied
from benchmarks.results import write
from dllint.engine.session import Session
from dllint.migrate.goal import goal
from dllint.migrate.project import configuration_for

#: A program for Keras that uses TensorFlow by itself is migrated for both.
_TENSORFLOW = re.compile(r"^\s*(?:import tensorflow\b|from tensorflow import|from tensorflow\.(?!keras))", re.MULTILINE)


def drawn(peers: Path, seed: str) -> dict[str, list[Path]]:
    """All candidates in an order by lot: one of each repository before a second one."""
    lot = random.Random(seed)
    out = {}
    for name, paths in candidates(peers).items():
        by_folder: dict[str, list[Path]] = {}
        for path in paths:
            by_folder.setdefault(path.relative_to(peers).parts[0], []).append(path)
        groups = [lot.sample(group, len(group)) for _, group in sorted(by_folder.items())]
        lot.shuffle(groups)
        rounds = max(map(len, groups), default=0)
        out[name] = [group[at] for at in range(rounds) for group in groups if at < len(group)]
    return out


def outcome(path: Path, peers: Path, name: str, packages: Path) -> Outcome:
    """What becomes of one program."""
    wanted = [name, *(["tf2"] if name == "keras3" and _TENSORFLOW.search(path.read_text(encoding="utf-8")) else [])]
    goals = [found for found in map(goal, wanted) if found is not None]
    session = Session(configuration_for(goals, {}, isolated=True))
    root = peers / path.relative_to(peers).parts[0]
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "before", Path(folder) / "after"
        done = copied(closure(path, root), root, before, after, session, goals)
        old = run(before / path.relative_to(root), before, name, "old", packages)
        if not old["evidence"] and not any(COMPLAINT.search(failure["message"]) for failure in old["failures"]):
            return Outcome("nothing to run")
        new = run(after / path.relative_to(root), after, name, "new", packages)
        return judged(name, done, old, new)


def measured(options: argparse.Namespace) -> Iterator[tuple[str, str, Outcome]]:
    """So many programs of each goal that have something to run; those without are given, too. Goes on where it was ended."""
    kept: dict[str, dict[str, Any]] = {}
    if options.kept is not None and options.kept.exists():
        rows = map(json.loads, options.kept.read_text(encoding="utf-8").splitlines())
        kept = {row["file"]: row for row in rows}
    for name, paths in drawn(options.peers, options.seed).items():
        wanted = options.each if options.only in ("", name) else 0
        for path in paths:
            if wanted <= 0:
                break
            file = str(path.relative_to(options.peers))
            if file in kept:
                found = Outcome(**{key: value for key, value in kept[file].items() if key not in ("file", "goal")})
            else:
                found = outcome(path, options.peers, name, options.tf_keras)
                if options.kept is not None:
                    with options.kept.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps({"file": file, "goal": name, **vars(found)}) + "\n")
            wanted -= found.verdict != "nothing to run"
            yield name, file, found


def figures(rows: Sequence[tuple[str, str, Outcome]]) -> dict[str, Any]:
    """The counts over some programs."""
    verdicts = Counter(found.verdict for _, _, found in rows)
    run_at_all = sum(verdicts.values()) - verdicts["nothing to run"]
    good = verdicts["runs"] + verdicts["stops where announced"]
    return {
        "programs": run_at_all,
        **{name: verdicts[name] for name in ("runs", "stops where announced", "fails")},
        "share that runs or stops where announced": round(good / run_at_all, 3) if run_at_all else None,
        "left out, nothing to run": verdicts["nothing to run"],
        "outputs": dict(Counter(found.outputs for _, _, found in rows if found.outputs)),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.migrate.programs")
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--tf-keras", type=Path, required=True, help="a folder with tf_keras")
    parser.add_argument("--seed", required=True, help="the commit before the draw")
    parser.add_argument("--each", type=int, default=15, help="programs for each goal")
    parser.add_argument("--only", default="", help="one goal")
    parser.add_argument("--kept", type=Path, help="a file of outcomes, to go on after a break")
    parser.add_argument("--name", default="migrate-programs")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    rows = []
    for name, file, found in measured(options):
        rows.append((name, file, found))
        print(f"{name} {file}: {found.verdict} {found.outputs} {found.evidence} {found.why[:3]}", flush=True)
    by_goal = {name: figures([row for row in rows if row[0] == name]) for name in dict.fromkeys(row[0] for row in rows)}
    result = {"seed": options.seed, "all": figures(rows), **by_goal}
    print(json.dumps(result, indent=1))
    if options.write:
        fails = {file: found.why[:2] for _, file, found in rows if found.verdict == "fails"}
        print(write(options.name, {**result, "fails": fails}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
