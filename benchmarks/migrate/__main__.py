"""Command line of the measurement of ``dllint migrate``."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.migrate.drawing import drawn, parses
from benchmarks.migrate.models import compared
from benchmarks.migrate.names import missing
from benchmarks.results import write
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.frameworks.keras.renames import is_keras_1_file
from dllint.migrate.files import Migrated, migrate_file
from dllint.migrate.goal import Goal, goal
from dllint.migrate.project import configuration_for


@dataclass
class Judged:
    """What became of one file."""

    path: Path
    changes: int
    left: int
    parses: bool
    fixable: list[str]
    missing: list[tuple[int, str]]
    silent: list[tuple[int, str]]
    failure: str = ""
    models: str = ""
    why: str = ""
    upgraded: list[tuple[int, str]] = field(default_factory=list)


def judge(path: Path, name: str, session: Session, goals: list[Goal], packages: Path | None) -> Judged:
    """Migrate a file in memory, and judge the result."""
    data = path.read_bytes()
    done = migrate_file(session, path, data, goals)
    text = done.after.decode("utf-8", "replace")
    again = session.check_bytes(path, done.after)
    fixable = [told(finding) for finding in again.findings if finding.fixes]
    lacking = missing(path, text, name)
    silent = [(line, each) for line, each in lacking if not announced(done, line, each)]
    judged = Judged(path, done.changes.total(), len(done.left), parses(text), fixable, lacking, silent)
    judged.failure = "; ".join(str(notice) for notice in done.notices if not notice.expected)
    if name == "keras3" and packages is not None and makes_models(data.decode("utf-8", "replace")):
        judged.models, judged.why = compared(path, data.decode("utf-8", "replace"), text, packages)
    if name == "tf2":
        judged.upgraded = upgraded(path)
    return judged


def makes_models(text: str) -> bool:
    """Whether a file builds models that Keras 2 can build, too: not those of Keras 1."""
    return ("Sequential(" in text or "Model(" in text) and not is_keras_1_file(text)


def told(finding: Finding) -> str:
    """A finding in one line."""
    return f"{finding.location.span.first.line}: {finding.code} {finding.message}"


def announced(done: Migrated, line: int, name: str) -> bool:
    """Whether a place is listed as left, or an import that the name comes from is."""
    for finding in done.left:
        words = finding.message.split("`")
        about = words[1] if len(words) > 1 else ""
        if finding.location.span.first.line == line or (about and f"{name}.".startswith(f"{about}.")):
            return True
        if about.split(".")[:2] == name.split(".")[:2] and "contrib" in about:
            return True
    return False


def upgraded(path: Path) -> list[tuple[int, str]]:
    """The names that TensorFlow lacks in what its own ``tf_upgrade_v2`` makes of a file."""
    from tensorflow.tools.compatibility import ast_edits, tf_upgrade_v2

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        upgrader = ast_edits.ASTCodeUpgrader(tf_upgrade_v2.TFAPIChangeSpec())
        out = io.StringIO()
        try:
            with path.open(encoding="utf-8") as stream:
                upgrader.process_opened_file(str(path), stream, str(path), out)
        except Exception as error:
            return [(0, f"{type(error).__name__}: {error}"[:100])]
    return missing(path, out.getvalue(), "tf2")


def figures(judged: list[Judged]) -> dict[str, object]:
    """The sums over some files."""
    models = Counter(each.models for each in judged if each.models)
    return {
        "files": len(judged),
        "changes": sum(each.changes for each in judged),
        "places left": sum(each.left for each in judged),
        "files with nothing left": sum(not each.left for each in judged),
        "files that do not parse": sum(not each.parses for each in judged),
        "files with a fix left": sum(bool(each.fixable) for each in judged),
        "files that failed": sum(bool(each.failure) for each in judged),
        "lacking names": sum(len(each.missing) for each in judged),
        "lacking names not announced": sum(len(each.silent) for each in judged),
        **({"models": dict(models)} if models else {}),
        **({"lacking names after tf_upgrade_v2": sum(len(each.upgraded) for each in judged)} if any(
            each.upgraded for each in judged) else {}),
    }  # fmt: skip


def show(each: Judged, peers: Path) -> None:
    """Print what is not well of a file."""
    notes = [f"{each.changes} changes, {each.left} left"]
    notes += ["does not parse"] * (not each.parses) + [f"fix left: {text}" for text in each.fixable[:1]]
    notes += [f"not announced: {name} in line {line}" for line, name in each.silent[:3]]
    notes += [each.failure] * bool(each.failure) + [f"{each.models} {each.why}"] * bool(each.models)
    notes += [f"tf_upgrade_v2 leaves {len(each.upgraded)} lacking names"] * bool(each.upgraded)
    print(f"{each.path.relative_to(peers)}: {'; '.join(notes)}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, migrate, judge; status 1 if a file does not parse, fails, or has a fix left."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.migrate")
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--each", type=int, default=20, help="files for each goal")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="one goal")
    parser.add_argument("--tf-keras", type=Path, help="a folder with tf_keras: compare the outputs of models")
    parser.add_argument("--models", action="store_true", help="only files that build models of Keras 2")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ["KERAS_BACKEND"] = "tensorflow"
    result: dict[str, object] = {"seed": options.seed}
    bad = False
    for name, paths in drawn(options.peers, options.each, options.seed).items():
        if options.only not in ("", name):
            continue
        if options.models:
            paths = [path for path in paths if makes_models(path.read_text(encoding="utf-8"))]
        goals = [found for found in [goal(name)] if found is not None]
        session = Session(configuration_for(goals, {}, isolated=True))
        judged = []
        for path in paths:
            judged.append(judge(path, name, session, goals, options.tf_keras))
            show(judged[-1], options.peers)
        result[name] = figures(judged)
        print(name, result[name])
        bad |= any(not each.parses or each.failure or each.fixable for each in judged)
    if options.write:
        print(write("migrate", result))
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
