"""Ask a reader for verdicts about the findings of the last run.

python -m benchmarks.wild.judge --peers DIR --reader NAME [--draw N]                     one after the other, here
python -m benchmarks.wild.judge --peers DIR --reader NAME [--draw N] --export FILE       all of them, as JSON lines
python -m benchmarks.wild.judge --peers DIR --reader NAME [--draw N] --import FILE       the answers, by ``id``

A reader sees the code and what dllint says of it, and nothing else: no rule, no severity, no confidence, and not what another
reader has said. Findings come in an order drawn by lot. An answer has ``id``, ``verdict`` and ``reason``, and may have
``cause`` (what is wrong in dllint) and, for errors, ``proof``: what was run, and what it showed. The verdicts are

true         a fault for the release that the code is for, which its maintainer would mend
harmless     what is said holds, but nothing follows from it in use, or it is meant
today-only   it holds for today's release, and the code is for an older one, in which it works
false        what is said does not hold
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.wild.checking import Found, Place, kept
from benchmarks.wild.corpus import Corpus, Repository, corpus
from benchmarks.wild.excerpts import excerpt
from benchmarks.wild.figures import lot, sort
from benchmarks.wild.verdicts import VERDICTS, Verdict, append, judgements, match, read

_ANSWER: Final = frozenset({"id", "verdict", "reason", "cause", "proof"})


class AnswerError(Exception):
    """An answer that cannot be taken."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, export or import; the exit status."""
    options = _parser().parse_args(arguments)
    chosen = corpus(options.draw)
    wanted = open_for(chosen, options.reader)
    if options.export is not None:
        lines = (json.dumps(question(one, chosen, options.peers), ensure_ascii=False) for one in wanted)
        options.export.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{len(wanted)} findings: {options.export}")
    elif options.answers is not None:
        answers = [json.loads(line) for line in options.answers.read_text(encoding="utf-8").splitlines() if line.strip()]
        try:
            verdicts = taken(answers, wanted, chosen, options.reader)
        except AnswerError as error:
            print(f"nothing imported: {error}", file=sys.stderr)
            return 2
        append(chosen.judged, verdicts)
        print(f"{len(verdicts)} verdicts of {options.reader}: {chosen.judged.name}")
    else:
        ask(wanted, chosen, options)
    return 0


def open_for(chosen: Corpus, reader: str) -> list[Found]:
    """The findings of the last run that need a verdict which this reader has not given."""
    runs = kept(chosen)
    names = {run.repository for run in runs}
    judged = {p: judgement for p, judgement in judgements(read(chosen.judged)).items() if p.repository in names}
    found = [one for run in runs for one in run.found]
    known = match(found, judged)
    unjudged = [one for one in sort(chosen, found, judged).unjudged if not _has_read(reader, one, known)]
    return sorted(unjudged, key=lambda one: lot(f"{chosen.seed}{reader}", one.place))


def _has_read(reader: str, one: Found, known: Mapping[Place, Any]) -> bool:
    return one.place in known and reader in known[one.place].readers


def question(one: Found, chosen: Corpus, peers: Path) -> dict[str, Any]:
    """What a reader gets to see of a finding."""
    place = one.place
    tree = _repository(chosen, place.repository).tree(peers)
    return {
        "id": identity(place),
        "repository": place.repository,
        "file": place.file,
        "cell": place.cell,
        "line": place.line,
        "message": one.message,
        "advice": one.advice,
        "code": excerpt(tree, place.file, place.cell, place.line),
        "related": [
            {"file": file, "cell": cell, "line": line, "code": excerpt(tree, file, cell, line, before=4, after=4)}
            for file, cell, line in one.related
        ],
    }


def identity(place: Place) -> str:
    """A short name of a finding, for questions and answers."""
    return hashlib.sha256(repr((*place.key, place.column)).encode()).hexdigest()[:12]


def taken(answers: Iterable[Mapping[str, str]], wanted: Iterable[Found], chosen: Corpus, reader: str) -> list[Verdict]:
    """The verdicts that answers give.

    Raises:
        AnswerError: one of them is about no open finding, gives no verdict or no reason, or comes twice.
    """
    asked = {identity(one.place): one for one in wanted}
    verdicts = []
    for answer in answers:
        name = answer.get("id", "")
        if not answer.keys() <= _ANSWER:
            raise AnswerError(f"`{name}` has unknown keys: {', '.join(sorted(answer.keys() - _ANSWER))}")
        if answer.get("verdict") not in VERDICTS:
            raise AnswerError(f"`{name}` gives no verdict: {', '.join(VERDICTS)}")
        if not answer.get("reason"):
            raise AnswerError(f"`{name}` gives no reason")
        one = asked.pop(name, None)
        if one is None:
            raise AnswerError(f"`{name}` is no open finding of {reader}, or it is answered twice")
        verdicts.append(_verdict(one, answer, chosen, reader))
    return verdicts


def ask(wanted: Sequence[Found], chosen: Corpus, options: argparse.Namespace) -> None:
    """Show each finding and read its verdict from standard input; an empty line ends it."""
    for number, one in enumerate(wanted, 1):
        print(f"\n[{number}/{len(wanted)}]", *_shown(question(one, chosen, options.peers)), sep="\n")
        answer = {"id": identity(one.place), **dict(_answers())}
        if "verdict" not in answer:
            return
        try:
            append(chosen.judged, taken([answer], [one], chosen, options.reader))
        except AnswerError as error:
            print(f"not kept: {error}")


def _answers() -> Iterator[tuple[str, str]]:
    for key, prompt in (("verdict", f"{' / '.join(VERDICTS)}: "), ("reason", "reason: "), ("proof", "run, with what result: ")):
        value = input(prompt).strip()
        if value:
            yield key, value
        elif key == "verdict":
            return


def _shown(asked: dict[str, Any]) -> Iterator[str]:
    yield f"{asked['repository']} {asked['file']}" + (f" cell {asked['cell']}" if asked["cell"] else "")
    yield asked["code"]
    for place in asked["related"]:
        yield f"see {place['file']}" + (f" cell {place['cell']}" if place["cell"] else "")
        yield place["code"]
    yield f"line {asked['line']}: {asked['message']}"
    if asked["advice"]:
        yield f"advice: {asked['advice']}"


def _verdict(one: Found, answer: Mapping[str, str], chosen: Corpus, reader: str) -> Verdict:
    return Verdict(
        one.place,
        _repository(chosen, one.place.repository).commit,
        one.severity,
        one.confidence,
        answer["verdict"],
        answer["reason"],
        answer.get("cause", ""),
        one.message,
        reader,
        answer.get("proof", ""),
    )


def _repository(chosen: Corpus, name: str) -> Repository:
    return next(repository for repository in chosen.repositories if repository.name == name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True, help="where the repositories lie")
    parser.add_argument("--reader", required=True, help="who judges")
    parser.add_argument("--draw", type=int, help="the repositories of this draw instead of the 36")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--export", type=Path, metavar="FILE", help="write the open findings")
    how.add_argument("--import", type=Path, metavar="FILE", dest="answers", help="read the answers")
    return parser


if __name__ == "__main__":
    sys.exit(main())
