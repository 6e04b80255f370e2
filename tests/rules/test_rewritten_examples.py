"""Each rule of training, initial values, devices and reproducibility tells the fault of its Bad examples however they are
written, and says nothing of its Good ones: the forms are those of `tests/rules/rewriting/forms.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.dev.index import rule_classes
from dllint.engine.session import Session
from dllint.rules.rule import Rule
from tests.rules.harness import MARKED, Page, mark_of
from tests.rules.rewriting.forms import FORMS, Files
from tests.rules.rewriting.program import parts

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


def _rewritten(section: str) -> Iterator[tuple[str, int, str, int, Files]]:
    for code, rule in RULES.items():
        for number, text in enumerate(Page.of(rule).snippets(section)):
            program = parts(text)
            for name, form in FORMS.items():
                for place, files in enumerate(form(program)):
                    yield code, number, name, place, files


def _cases(section: str) -> list[object]:
    return [
        pytest.param(code, files, id=f"{code}-{number}-{name}-{place}")
        for code, number, name, place, files in _rewritten(section)
        if section != "Bad" or name not in MISSED.get(code, ())
    ]


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


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize(("code", "files"), _cases("Bad"))
def test_a_bad_example_is_told_in_every_form(code: str, files: Files, tmp_path: Path) -> None:
    assert code in _told(RULES[code], files, tmp_path), "\n".join(files.values())


@pytest.mark.sampled(every=17)
@pytest.mark.parametrize(("code", "files"), _cases("Good"))
def test_a_good_example_is_silent_in_every_form(code: str, files: Files, tmp_path: Path) -> None:
    assert code not in _told(RULES[code], files, tmp_path), "\n".join(files.values())


@pytest.mark.parametrize("code", RULES)
def test_each_rule_is_asked_in_several_forms(code: str) -> None:
    """Forms that do not apply: without statements beside definitions there is no end to move; without
    arguments by name that are written as such there are no settings, and without blocks no steps in helpers."""
    forms = {name for text in Page.of(RULES[code]).snippets("Bad") for name, form in FORMS.items() if any(form(parts(text)))}
    assert {"renamed", "aliased"} <= forms
    assert len(forms) >= 4, forms
