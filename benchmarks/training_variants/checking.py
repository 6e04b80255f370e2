"""What dllint says of the programs, and which of it is about their faults."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fuzz.command import told

HERE = Path(__file__).parent
#: The table of each set of programs: seven sets by seven authors.
TABLES = {1: HERE / "variants.tsv", **{number: HERE / f"variants-{number}.tsv" for number in (2, 3, 4, 5, 6, 7)}}
#: The families of the rules of training.
FAMILIES = ("DLI", "DLO", "DLR", "DLG")


@dataclass(frozen=True, slots=True)
class Variant:
    """A fault that a rule shall find: where it may be told, the codes that tell it, and the file that runs the program."""

    code: str
    name: str
    main: str
    effect: str
    seen: str
    codes: frozenset[str]
    places: frozenset[tuple[str, int]]
    home: Path = HERE

    def program(self, kind: str) -> Path:
        """The folder of its program: ``fault`` or ``twin``."""
        return self.home / "programs" / self.code / self.name / kind


@dataclass(frozen=True, slots=True)
class Told:
    """A finding: its file within the program, its line (from 1), the rule, the severity, and what is said."""

    file: str
    line: int
    code: str
    severity: str
    message: str


def variants(table: Path = TABLES[1], home: Path = HERE) -> list[Variant]:
    """The variants of the table (programs in ``home``), in its order: the rows of one fault in several files are one variant.

    Raises ValueError if a place is no line of the program.
    """
    found: dict[tuple[str, str], Variant] = {}
    for row in _rows(table):
        key = row["code"], row["variant"]
        codes = frozenset({row["code"], *row["also"].split()})
        places = frozenset((row["file"], int(line)) for line in row["lines"].split(","))
        before = found[key].places if key in found else frozenset()
        found[key] = Variant(*key, row["main"], row["effect"], row["seen"], codes, before | places, home)
    for variant in found.values():
        for file, line in variant.places:
            count = len((variant.program("fault") / file).read_text(encoding="utf-8").splitlines())
            if not 0 < line <= count:
                raise ValueError(f"{variant.code} {variant.name}: {file} has no line {line}")
    return list(found.values())


def verdicts(table: Path = HERE / "verdicts.tsv") -> dict[tuple[str, str, str, int, str], str]:
    """What a reader says of findings on twins, by code and name of the variant, file, line and code of the finding."""
    return {(row["code"], row["variant"], row["file"], int(row["line"]), row["told"]): row["verdict"] for row in _rows(table)}


def findings(program: Path) -> list[Told]:
    """What all rules say of a program, read alone in a folder of its own without a configuration.

    Raises RuntimeError if dllint ends otherwise than with findings or none.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "project"
        shutil.copytree(program, copy)
        answer = told(copy, "check", "--isolated", "--select", "ALL", "--output-format", "json", ".")
        if answer.fault or answer.status == 2:
            raise RuntimeError(f"{program}: {answer.fault or answer.err}")
        return list(_read(answer.out, copy))


def is_found(variant: Variant, said: Iterable[Told]) -> Told | None:
    """The finding that tells the fault: one of its codes on one of its lines."""
    return next((one for one in said if one.code in variant.codes and (one.file, one.line) in variant.places), None)


def _rows(table: Path) -> Iterator[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _read(text: str, folder: Path) -> Iterator[Told]:
    for one in json.loads(text):
        file = Path(one["filename"]).relative_to(folder).as_posix()
        yield Told(file, one["location"]["row"], one["code"], one["severity"], one["message"])
