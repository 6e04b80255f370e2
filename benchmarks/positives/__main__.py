"""Rules of training in public code: their true positives, and how many of their findings are false.

python -m benchmarks.positives                                                the table, and ``training-positives.md``
python -m benchmarks.positives --precision                                    all judged findings, by rule
python -m benchmarks.positives --peers DIR [--limit SECONDS] [--open FILE]    check what lies in DIR as ``owner+name``
python -m benchmarks.positives --peers DIR --import FILE                      verdicts: ``id``, ``verdict``, ``reason``

The exit status is 1 if a rule is on that has neither two positives nor a reason in ``reasons.tsv``, or if errors and warnings
of a checked repository have no verdict; ``--open`` writes these, one a line. Checks go on where they were ended; what they told
is kept in ``build/positives``, and with ``--kept`` nothing else is looked at.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.positives.checking import check_all, known
from benchmarks.positives.page import PAGE, page
from benchmarks.positives.table import JUDGED, judged, today
from benchmarks.wild.checking import Found, Place
from benchmarks.wild.judge import identity
from benchmarks.wild.verdicts import FALSE, VERDICTS, Judgement, Verdict, append, match

Listed = tuple[str, str, Judgement]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is asked for; the exit status."""
    options = _parser().parse_args(arguments)
    if options.precision:
        return _print(precision((one.place.code, one.verdicts[0].severity, one) for one in judged()))
    if options.peers is not None:
        return _check(options)
    standings = today()
    PAGE.write_text(page(standings), encoding="utf-8")
    wanting = [one.code for one in standings if not one.is_justified]
    _print(f"{one.code} {one.default:4} {len(one.positives)} {one.reason}" for one in standings)
    print(f"on without two positives or a reason: {', '.join(wanting) or 'none'}")
    return int(bool(wanting))


def precision(listed: Iterable[Listed]) -> Iterator[str]:
    """Counts of verdicts, by severity and rule, and the share of false ones."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for code, severity, one in listed:
        for rule in ("all", code):
            groups[severity, rule].append(one.verdict)
    for (severity, rule), found in sorted(groups.items()):
        counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in VERDICTS)
        yield f"{severity:8} {rule:7} {len(found):4}: {counts}; false {found.count(FALSE) / len(found):.1%}"


def _check(options: argparse.Namespace) -> int:
    checked = list(check_all(options.peers, options.limit, kept=options.kept))
    found = [one for repository in checked for one in repository.found]
    verdicts = {judgement.place: judgement for judgement in judged()}
    if options.answers is not None:
        lines = options.answers.read_text(encoding="utf-8").splitlines()
        return _import([json.loads(line) for line in lines], found, verdicts)
    matched = match(found, verdicts)
    _print(f"{one.repository}: {one.state}" for one in checked if one.state != "checked")
    _print(precision((one.place.code, one.severity, matched[one.place]) for one in found if one.place in matched))
    unjudged = [one for one in found if one.is_judged and one.place not in matched]
    print(f"{len(checked)} repositories, {len(found)} findings, without a verdict: {len(unjudged)}")
    if options.open is not None:
        options.open.write_text("".join(f"{json.dumps(_question(one))}\n" for one in unjudged), encoding="utf-8")
    return int(bool(unjudged))


def _question(one: Found) -> dict[str, str | int | None]:
    place = one.place
    where: dict[str, str | int | None] = {"id": identity(place), "code": place.code, "repository": place.repository}
    return where | {"file": place.file, "cell": place.cell, "line": place.line, "message": one.message}


def _import(answers: Sequence[dict[str, str]], found: Sequence[Found], verdicts: dict[Place, Judgement]) -> int:
    commits, asked = known(), {identity(one.place): one for one in found if one.place not in verdicts}
    taken = []
    for answer in answers:
        one = asked.pop(answer["id"])
        if answer["verdict"] not in VERDICTS or not answer["reason"]:
            raise ValueError(f"no verdict or reason: {answer}")
        commit = commits[one.place.repository].commit if one.place.repository in commits else ""
        given = (answer["verdict"], answer["reason"], answer.get("cause", ""), one.message, "A", answer.get("proof", ""))
        taken.append(Verdict(one.place, commit, one.severity, one.confidence, *given))
    append(JUDGED, taken)
    print(f"{len(taken)} verdicts: {JUDGED.name}")
    return 0


def _print(lines: Iterable[str]) -> int:
    for line in lines:
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precision", action="store_true", help="the verdicts on all judged findings, by rule")
    parser.add_argument("--peers", type=Path, help="where repositories lie")
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds for one repository (default %(default)s)")
    parser.add_argument("--kept", action="store_true", help="only what was checked before")
    parser.add_argument("--open", type=Path, metavar="FILE", help="write the findings that have no verdict")
    parser.add_argument("--import", type=Path, metavar="FILE", dest="answers", help="read verdicts")
    return parser


if __name__ == "__main__":
    sys.exit(main())
