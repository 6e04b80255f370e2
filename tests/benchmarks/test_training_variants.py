"""The programs that strangers to the rules wrote differ from their twins, and faults are found where the table says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.training_variants.__main__ import measured
from benchmarks.training_variants.checking import FAMILIES, HERE, TABLES, Told, Variant, findings, is_found, variants, verdicts
from benchmarks.training_variants.running import error_of

VARIANTS = [variant for table in TABLES.values() for variant in variants(table)]


def _texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")}


def _named(code: str, name: str) -> Variant:
    return next(variant for variant in VARIANTS if (variant.code, variant.name) == (code, name))


def test_each_program_has_a_row() -> None:
    folders = {path.relative_to(HERE / "programs").as_posix() for path in (HERE / "programs").glob("*/*")}
    assert folders == {f"{variant.code}/{variant.name}" for variant in VARIANTS}


#: The rules of DLO102 to DLO131, DLI102 to DLI107, DLR101 to DLR107 and DLG101 to DLG111.
RULES = 54
#: The set whose author had no time for all rules, nor for two programs of most.
HALF_WRITTEN = (5, 7)


def test_each_rule_has_two_programs_in_each_set() -> None:
    for number, table in TABLES.items():
        if number in HALF_WRITTEN:
            continue
        codes = {variant.code for variant in variants(table)}
        assert len(codes) >= RULES
        names = {code: {one.name for one in variants(table) if one.code == code} for code in codes}
        assert not [code for code, found in names.items() if len(found) < 2]


def test_a_variant_belongs_to_one_set() -> None:
    keys = [(variant.code, variant.name) for variant in VARIANTS]
    assert len(keys) == len(set(keys))


def test_a_twin_is_the_same_program_without_the_fault() -> None:
    for variant in VARIANTS:
        fault, twin = _texts(variant.program("fault")), _texts(variant.program("twin"))
        changed = [name for name in fault if ast.dump(ast.parse(fault[name])) != ast.dump(ast.parse(twin[name]))]
        assert fault.keys() == twin.keys()
        assert changed, f"{variant.code} {variant.name} is its twin"
        assert variant.main in fault
        assert variant.code.startswith(FAMILIES)


def test_effects_are_those_that_a_run_can_show() -> None:
    for variant in VARIANTS:
        assert variant.effect in ("raises", "silent")
        assert variant.seen.startswith(("not run", "raises") if variant.effect == "raises" else ("not run", "output", "same"))


def test_verdicts_are_about_lines_of_twins() -> None:
    for code, name, file, line, told in verdicts():
        text = _named(code, name).program("twin") / file
        assert 0 < line <= len(text.read_text().splitlines())
        assert told.startswith(FAMILIES)


def test_a_line_that_is_none_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "variants.tsv"
    table.write_text("code\tvariant\tfile\tlines\tmain\talso\teffect\tseen\nDLO101\ta\ttrain.py\t999\ttrain.py\t\tsilent\tx\n")
    with pytest.raises(ValueError, match="no line 999"):
        variants(table)


def test_a_finding_counts_on_the_lines_of_the_fault_alone() -> None:
    variant = _named("DLO104", "a")
    (said,) = [one for one in findings(variant.program("fault")) if one.code == "DLO104"]
    elsewhere = Told(said.file, said.line + 1, said.code, said.severity, said.message)
    other = Told(said.file, said.line, "DLO101", said.severity, said.message)
    assert is_found(variant, [elsewhere, said]) == said
    assert is_found(variant, [elsewhere, other]) is None


def test_figures_count_what_is_found_and_what_twins_get() -> None:
    variant = _named("DLO104", "a")
    ((file, line),) = variant.places
    told = Told(file, line, "DLO104", "warning", "")
    figures = measured({variant: [told]}, {variant: [told]}, {})
    assert (figures["faults"], figures["found"], figures["missed"]) == (1, 1, [])
    assert figures["findings on twins"] == {"not judged": 1}
    beside = Told(file, line + 1, "DLO104", "warning", "")
    missed = measured({variant: [beside]}, {variant: []}, {})
    assert missed["found"] == 0
    assert missed["of these told on another line"] == ["DLO104 a"]


def test_an_error_of_a_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text("import helper\n\nhelper.fail()\n")
    (tmp_path / "helper.py").write_text("def fail():\n    raise KeyError('weights')\n")
    assert error_of(tmp_path, "fails.py") == "KeyError: 'weights'"
    assert error_of(tmp_path, "helper.py") == ""
