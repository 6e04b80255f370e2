"""The programs with faults of data, losses, structure and use differ from their twins, and their table says what runs show."""

from __future__ import annotations

import ast
from pathlib import Path

from benchmarks.data_variants.__main__ import COUNTED, HERE
from benchmarks.training_variants.checking import variants, verdicts

VARIANTS = variants(HERE / "variants.tsv", HERE)
#: The families of rules whose faults the programs have.
OF_DATA = ("DLD", "DLL", "DLS", "DLA")


def _trees(folder: Path) -> dict[str, str]:
    """The files of a program, each parsed."""
    return {path.relative_to(folder).as_posix(): ast.dump(ast.parse(path.read_text())) for path in folder.rglob("*.py")}


def test_each_program_has_one_row() -> None:
    folders = {path.relative_to(HERE / "programs").as_posix() for path in (HERE / "programs").glob("*/*")}
    rows = [f"{variant.code}/{variant.name}" for variant in VARIANTS]
    assert folders == set(rows)
    assert len(rows) == len(set(rows))


def test_every_file_compiles() -> None:
    for path in (HERE / "programs").rglob("*.py"):
        compile(path.read_text(), path.as_posix(), "exec")


def test_a_twin_is_the_same_program_without_the_fault() -> None:
    for variant in VARIANTS:
        fault, twin = _trees(variant.program("fault")), _trees(variant.program("twin"))
        assert fault.keys() == twin.keys()
        assert fault != twin, f"{variant.code} {variant.name} is its twin"
        assert variant.main in fault
        assert variant.code.startswith(OF_DATA)


def test_effects_are_those_that_a_run_has_shown() -> None:
    for variant in VARIANTS:
        assert variant.effect in ("raises", "silent")
        shown = ("raises",) if variant.effect == "raises" else ("output", "same output")
        assert variant.seen.startswith((*shown, "not run: ")), f"{variant.code} {variant.name}: {variant.seen}"


def test_verdicts_are_about_lines_of_twins() -> None:
    twins = {(variant.code, variant.name): variant.program("twin") for variant in VARIANTS}
    for code, name, file, line, told in verdicts(HERE / "verdicts.tsv"):
        assert 0 < line <= len((twins[code, name] / file).read_text().splitlines())
        assert told.startswith(COUNTED)
