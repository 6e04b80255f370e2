"""Each rule of training, initial values, devices and reproducibility tells the fault of its Bad examples however they are
written, and says nothing of its Good ones: the forms are those of `tests/rules/rewriting/forms.py`."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.dev.index import rule_classes
from dllint.engine.session import Session
from dllint.rules.rule import Rule
from tests.rules.harness import MARKED, Page, mark_of
from tests.rules.rewriting.forms import FORMS, Files
from tests.rules.rewriting.program import Parts, parts
from tests.sampling import thinned

FAMILIES = ("DLO", "DLI", "DLR", "DLG")
RULES = {rule.code: rule for rule in rule_classes() if rule.code.startswith(FAMILIES)}
_STEPS = ("steps_in_helpers", "steps_in_other_file", "steps_in_static_methods")
_CLASSES = ("end_in_method", "in_class", "in_class_of_other_file")
_HELPERS = ("end_in_helper", "end_in_decorated_helper", "end_in_other_file", "start_in_helper", "start_in_other_file")
#: Code → the forms that its rule does not follow yet.
MISSED = {
    "DLG101": _CLASSES,
    "DLG103": _CLASSES,
    "DLG107": ("end_in_decorated_helper", "end_in_other_file", "end_in_method"),
    "DLO112": _CLASSES,
    "DLO113": (*_STEPS, "end_in_other_file"),
    "DLO118": (*_STEPS, *_CLASSES),
    "DLO120": _STEPS,
    "DLO126": ("end_in_other_file", "start_in_other_file"),
    "DLR102": ("end_in_other_file", "start_in_other_file"),
    "DLR106": (*_HELPERS, *_STEPS, *_CLASSES),
}


@cache
def _examples(code: str, section: str) -> list[Parts]:
    return [parts(text) for text in Page.of(RULES[code]).snippets(section)]


def _cases(section: str) -> list[object]:
    """The examples of a section with each form, which is made where the case runs: to make all takes longer than the sample."""
    return [
        pytest.param(code, number, form, id=f"{code}-{number}-{form}")
        for code, rule in RULES.items()
        for number in range(len(Page.of(rule).snippets(section)))
        for form in FORMS
        if section != "Bad" or form not in MISSED.get(code, ())
    ]


def _rewritten(code: str, section: str, number: int, form: str) -> list[Files]:
    """An example in the places where a form applies to it, or some of them."""
    return thinned(FORMS[form](_examples(code, section)[number]), 3, number)


def _told(rule: type[Rule], files: Files, folder: Path) -> list[str]:
    """The codes of findings of the rule's severity or above, in whichever file they are told."""
    for name, text in files.items():
        ast.parse(text)
        (folder / name).write_text(text, encoding="utf-8")
    session = Session(Configuration(isolated=True, overrides={"select": ("ALL",)}))
    results = [session.check_file(folder / name) for name in files]
    assert not any(result.notices for result in results)
    levels = (*MARKED["error"], *MARKED[mark_of(rule)])
    return [finding.code for result in results for finding in result.findings if finding.severity in levels]


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("code", "number", "form"), _cases("Bad"))
def test_a_bad_example_is_told_in_every_form(code: str, number: int, form: str, tmp_path: Path) -> None:
    for files in _rewritten(code, "Bad", number, form):
        assert code in _told(RULES[code], files, tmp_path), "\n".join(files.values())


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize(("code", "number", "form"), _cases("Good"))
def test_a_good_example_is_silent_in_every_form(code: str, number: int, form: str, tmp_path: Path) -> None:
    for files in _rewritten(code, "Good", number, form):
        assert code not in _told(RULES[code], files, tmp_path), "\n".join(files.values())


@pytest.mark.parametrize("code", RULES)
def test_each_rule_is_asked_in_several_forms(code: str) -> None:
    """Forms that do not apply: without statements beside definitions there is no end to move; without
    arguments by name that are written as such there are no settings, and without blocks no steps in helpers."""
    forms = {name for program in _examples(code, "Bad") for name, form in FORMS.items() if any(form(program))}
    assert {"renamed", "aliased"} <= forms
    assert len(forms) >= 4, forms
