"""Rules are not asked about programs that lack what they need: what they find is as if they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.dev.index import rule_classes
from dllint.engine.topics import Topics
from dllint.lower.document import lower_document
from dllint.rules._index import RULES
from dllint.rules.rule import AnyRule
from dllint.source.document import Document
from tests.rules.test_asked_by_name import found, texts
from tests.rules.test_item_types import GIVEN

#: A layer is built and applied.
LAYER = "import torch\n\nlayer = torch.nn.Linear(2, 3)\nout = layer(torch.zeros(4, 2))\n"
NEEDING = [cls for cls in rule_classes() if cls.needs]


@pytest.mark.parametrize("cls", NEEDING, ids=lambda cls: cls.code)
def test_what_is_not_asked_would_find_nothing(cls: type[AnyRule], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [found(text) for text in texts(cls)]
    assert any(finding.code == cls.code for findings in asked for finding in findings)
    monkeypatch.setattr(Topics, "_is_met", lambda *_: True)
    assert [found(text) for text in texts(cls)] == asked


def test_what_is_needed_are_events_and_calls() -> None:
    assert len(NEEDING) > 10
    for cls in NEEDING:
        assert "program" in cls.topics
        assert all(need in GIVEN or need.startswith("call:") for need in cls.needs)


@pytest.mark.parametrize(
    ("needs", "is_asked"),
    [
        (("event:fit",), False),
        (("event:fit", "event:construct"), True),
        (("call:torch.nn.Linear",), True),
        (("call:torch.nn.*",), True),
        (("call:*.Linear",), True),
        (("call:torch.nn",), False),
        (("call:*.nn",), False),
    ],
)
def test_a_rule_is_asked_about_programs_with_what_it_needs(needs: tuple[str, ...], is_asked: bool) -> None:
    (program,) = lower_document(Document.from_text(Path("layer.py"), LAYER)).programs
    rows = [row._replace(needs=needs) for row in RULES if row.topics == ("program",)][:1]
    assert bool(Topics(rows, lambda *_: True).subscribers(program, False)) is is_asked
