"""Which rules a set of settings selects."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.errors import ConfigError
from dllint.config.options import Settings
from dllint.config.selection import ABOUT_COMMENTS, Catalogue, RuleEntry, matches

RULES = Catalogue(
    [
        RuleEntry("DLT101", "size-mismatch"),
        RuleEntry("DLT109", "shape-incompatible"),
        RuleEntry("DLT210", "odd-thing", "off"),
        RuleEntry("DLL101", "softmax-twice"),
        RuleEntry("DLS202", "no-activation", "hint"),
    ]
)


def selected(**values) -> set[str]:
    return set(RULES.select(Settings(**values)).codes - ABOUT_COMMENTS)


def test_by_default_all_but_those_that_are_off():
    assert selected() == {"DLT101", "DLT109", "DLL101", "DLS202"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"select": ("DLT",)}, {"DLT101", "DLT109"}),
        ({"select": ("DLT1",)}, {"DLT101", "DLT109"}),
        ({"select": ("dlt109",)}, {"DLT109"}),
        ({"select": ("odd-thing",)}, {"DLT210"}),
        ({"select": ("ALL",)}, {"DLT101", "DLT109", "DLT210", "DLL101", "DLS202"}),
        ({"extend_select": ("DLT210",)}, {"DLT101", "DLT109", "DLT210", "DLL101", "DLS202"}),
        ({"ignore": ("DLT",)}, {"DLL101", "DLS202"}),
        ({"select": ("DLT",), "ignore": ("size-mismatch",)}, {"DLT109"}),
        ({"select": ("DLT109",), "ignore": ("DLT",)}, {"DLT109"}),
        ({"ignore": ("DLT",), "extend_select": ("DLT101",)}, {"DLT101", "DLL101", "DLS202"}),
        ({"extend_ignore": ("DLL",)}, {"DLT101", "DLT109", "DLS202"}),
    ],
)
def test_selectors(values, expected):
    assert selected(**values) == expected


def test_findings_about_comments_are_selected_unless_others_are():
    def about(**values):
        return RULES.select(Settings(**values)).codes & ABOUT_COMMENTS

    assert about() == about(select=("ALL",)) == about(ignore=("DLT",)) == ABOUT_COMMENTS
    assert about(select=("DLT",)) == set()
    assert about(ignore=("unused-suppression",)) == about(select=("invalid-suppression",)) == {"invalid-suppression"}


def test_rules_asked_for_by_name_are_remembered():
    assert RULES.select(Settings(select=("DLT", "no-activation"))).exact == {"DLS202"}


def test_an_unknown_selector_is_named_with_the_nearest_one():
    with pytest.raises(ConfigError) as error:
        RULES.select(Settings(select=("softmax-twce",), origin=Path("/p/dllint.toml")))
    assert str(error.value) == "unknown rule `softmax-twce` in `select` of /p/dllint.toml; did you mean `softmax-twice`?"


def test_the_most_specific_severity_counts():
    chosen = RULES.select(Settings(severity=(("DLT101", "info"), ("DLT", "error"))))
    assert chosen.severity == {"DLT101": "info", "DLT109": "error", "DLT210": "error"}


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("tests/**", "tests/deep/a.py", True),
        ("tests/**", "src/tests.py", False),
        ("test_*.py", "src/deep/test_a.py", True),
        ("!src/**", "src/a.py", False),
        ("!src/**", "other/a.py", True),
    ],
)
def test_patterns_of_per_file_ignores(tmp_path, pattern, path, expected):
    assert matches(tmp_path / path, pattern, tmp_path) is expected


def test_per_file_ignores_add_up(tmp_path):
    settings = Settings(root=tmp_path, per_file_ignores=(("*.py", ("DLL",)), ("a*", ("DLS202",))))
    assert RULES.ignored_in(tmp_path / "a.py", settings) == {"DLL101", "DLS202"}
    assert RULES.ignored_in(tmp_path / "b.py", settings) == {"DLL101"}
