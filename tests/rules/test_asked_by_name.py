"""Rules are not asked about calls whose name says that they find nothing there: what they find is as if they were."""

from __future__ import annotations

import pytest

from dllint.config.discovery import Configuration
from dllint.dev.index import rule_classes
from dllint.engine.session import Session
from dllint.engine.topics import Topics
from dllint.finding import Finding
from dllint.rules._index import RULES
from dllint.rules.rule import Rule
from tests.rules.harness import PATH, TODAY, Page

CHOOSY = [cls for cls in rule_classes() if cls.calls or "may_concern" in vars(cls)]
#: One call with another spelling of its name, and inside another function, on whatever a page shows.
AROUND = "import torch\nfrom torch import nn\n\n\ndef other(x):\n    return nn.Linear(3, 4)(torch.relu(x))\n\n\n"


def found(text: str) -> list[Finding]:
    overrides = {"select": ("ALL",), "target": TODAY}
    return Session(Configuration(isolated=True, overrides=overrides)).check_bytes(PATH, text.encode()).findings


def texts(cls: type[Rule]) -> list[str]:
    page = Page.of(cls)
    shown = [*page.snippets("Bad"), *page.snippets("Good")]
    return [*shown, *(AROUND + text for text in shown if "__future__" not in text)]


@pytest.mark.parametrize("cls", CHOOSY, ids=lambda cls: cls.code)
def test_what_is_not_asked_would_find_nothing(cls: type[Rule], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [found(text) for text in texts(cls)]
    assert any(finding.code == cls.code for findings in asked for finding in findings)
    monkeypatch.setattr(Topics, "_concerns", lambda *_: True)
    assert [found(text) for text in texts(cls)] == asked


def test_only_rules_of_calls_choose() -> None:
    assert len(CHOOSY) > 10
    assert all("event:call" in cls.topics for cls in CHOOSY)


def test_a_rule_says_in_one_way_what_it_chooses() -> None:
    assert not [cls.code for cls in CHOOSY if cls.calls and "may_concern" in vars(cls)]


@pytest.mark.parametrize(
    ("pattern", "name", "concerns"),
    [
        ("torch.load", "torch.load", True),
        ("torch.load", "torch.loads", False),
        ("torch.optim.*", "torch.optim.Adam", True),
        ("torch.optim.*", "keras.optimizers.Adam", False),
        ("*.load_state_dict", "torch.nn.Module.load_state_dict", True),
        ("*.load_state_dict", "torch.nn.Module.state_dict", False),
    ],
)
def test_the_index_tells_which_calls_concern_a_rule(pattern: str, name: str, concerns: bool) -> None:
    rows = [next(row for row in RULES if row.topics == ("event:call",))._replace(calls=(pattern,))]

    def ask(code: str, name: str) -> bool:
        raise AssertionError(f"{code} was asked about {name}")

    assert Topics(rows, ask)._of_name(name) == [row.code for row in rows if concerns]
