"""Every rule's page is its first test: Bad is found, Good and the look-alikes are not, and the fix of Bad removes it."""

from __future__ import annotations

import pytest

from dllint.config.selection import UNUSED_SUPPRESSION
from dllint.dev.index import rule_classes
from dllint.rules.rule import Rule
from tests.rules.harness import (
    PATH,
    Page,
    expected,
    findings,
    fixed,
    is_about_releases,
    mark_of,
    reports,
    session,
    told,
    unmarked,
)

RULES = list(rule_classes())
SECTIONS = ["What it finds", "Why it is bad", "Bad", "Good", "When it stays silent", "References"]
by_code = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


@by_code
def test_names_agree(rule: type[Rule]) -> None:
    stem = rule.__module__.rpartition(".")[2]
    assert rule.name == stem.replace("_", "-")
    assert rule.__name__ == "".join(part.capitalize() for part in stem.split("_"))
    assert list(Page.of(rule).sections) == SECTIONS


@by_code
def test_bad_is_found(rule: type[Rule]) -> None:
    for text in Page.of(rule).snippets("Bad"):
        marked = expected(text, mark_of(rule))
        assert marked, "a Bad example marks its faulty line"
        assert {code for _, code in marked} == {rule.code}
        assert told(text, mark_of(rule), is_about_releases(rule)) == marked


@by_code
def test_good_is_silent(rule: type[Rule]) -> None:
    for text in Page.of(rule).snippets("Good"):
        assert reports(text, is_about_releases(rule)) == []
        assert rule.code not in {code for _, code in told(text, mark_of(rule), is_about_releases(rule))}


@by_code
def test_look_alikes_are_silent(rule: type[Rule]) -> None:
    assert Page.of(rule).snippets("When it stays silent")
    for text in Page.of(rule).snippets("When it stays silent"):
        assert reports(text, is_about_releases(rule)) == []
        assert rule.code not in {code for _, code in told(text, mark_of(rule), is_about_releases(rule))}


@by_code
def test_fix_removes_the_finding(rule: type[Rule]) -> None:
    today = is_about_releases(rule)
    for text in Page.of(rule).snippets("Bad"):
        plain = unmarked(text)
        result = session(unsafe=True, today=today).check_bytes(PATH, plain.encode())
        if any(finding.fixes for finding in result.findings if finding.code == rule.code):
            after = fixed(plain, today)
            assert after != plain
            compile(after, "fixed", "exec")
            assert reports(after, today) == []


@by_code
def test_a_comment_suppresses_the_finding(rule: type[Rule]) -> None:
    for text in Page.of(rule).snippets("Bad"):
        lines = unmarked(text).splitlines()
        for number in {number for number, _ in expected(text, mark_of(rule))}:
            lines[number - 1] += f"  # dllint: ignore[{rule.code}]"
        found = {finding.code for finding in findings("\n".join(lines) + "\n", is_about_releases(rule))}
        assert found.isdisjoint({rule.code, UNUSED_SUPPRESSION})
