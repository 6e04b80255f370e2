"""The table of true positives: its page is that of the tables, and a rule that is on has positives or a reason."""

from __future__ import annotations

import re

import pytest

from benchmarks.positives.__main__ import precision
from benchmarks.positives.page import PAGE, page
from benchmarks.positives.table import FOUND, NEEDED, Positive, found, is_of_training, reasons, standings, today
from benchmarks.wild.checking import Place
from benchmarks.wild.verdicts import Judgement, Verdict


def test_page_is_that_of_the_tables() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(today())


def test_rule_that_is_on_has_positives_or_a_reason() -> None:
    assert [one.code for one in today() if not one.is_justified] == []


def test_reasons_are_given_only_where_positives_lack() -> None:
    have = {one.code for one in today() if len(one.positives) >= NEEDED}
    assert have.isdisjoint(reasons()), "a rule with enough positives needs no reason"


def test_each_place_found_is_told_exactly() -> None:
    rows = list(found())
    assert len({(one.code, one.place) for one in rows}) == len(rows), FOUND.name
    for one in rows:
        assert is_of_training(one.code), one
        assert re.fullmatch(r"[0-9a-f]{12}|[0-9a-f]{40}", one.commit), one
        assert one.line > 0, one
        assert one.why, one


@pytest.mark.parametrize(
    ("code", "is_one"), [("DLO101", False), ("DLO102", True), ("DLO131", True), ("DLO132", False), ("DLG111", True)]
)
def test_rules_that_this_is_about(code: str, is_one: bool) -> None:
    assert is_of_training(code) is is_one


def test_positives_of_one_place_count_once() -> None:
    one = Positive("DLO102", "a/b", "0" * 40, "train.py", None, 3, "", "cleared before the step")
    assert [len(each.positives) for each in standings([one, one], {}) if each.code == "DLO102"] == [1]


def test_precision_counts_verdicts_by_rule_and_severity() -> None:
    place = Place("a/b", "train.py", None, 3, "DLO102", 1)
    given = [Verdict(place, "", "warning", "high", verdict, "read", "", "") for verdict in ("true", "false")]
    lines = list(precision(("DLO102", "warning", Judgement(place, [one])) for one in given))
    assert [line.split()[:3] for line in lines] == [["warning", "DLO102", "2:"], ["warning", "all", "2:"]]
    assert all(line.endswith("1 true, 0 harmless, 0 today-only, 1 false; false 50.0%") for line in lines)
