"""A reader who sees only the message can state the change: it names the code, the actual sizes or types, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dllint.dev.index import rule_classes
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.engine.dispatch import Raw
from dllint.finding import Severity
from dllint.ir.program import Program
from dllint.rules.rule import Rule
from dllint.source.document import Document
from tests.rules.harness import PATH, Page, session, snippets, unmarked

CASES = Path(__file__).parent
#: Rules of the tensor family whose fault is not in the sizes of a tensor: what their messages must show instead.
OTHER_EVIDENCE = {
    "DLT115": r"returns \(output, state\)",
    "DLT118": r"\d|has no `->`",
    "DLT122": r"\(\d+(, \d+)*\), but is given \(\d+(, \d+)*\)",
}


def examples() -> Iterator[tuple[str, str]]:
    for rule in rule_classes():
        yield from ((rule.code, text) for text in Page.of(rule).snippets("Bad"))
    for path in sorted(CASES.glob("tensor/*.md")):
        title = path.read_text(encoding="utf-8")
        code = re.search(r"DLT\d{3}", title)
        assert code is not None, f"{path.name} names its rule"
        yield from ((code[0], text) for text in snippets(title))


def raws(text: str) -> list[Raw]:
    analyser = session().analyser(PATH)
    found = analyser.analyse(Document.from_text(PATH, unmarked(text))).raws
    return [raw for raw in found if raw.finding.severity in (Severity.ERROR, Severity.WARNING)]


def evidence(program: Program) -> set[str]:
    """The shapes and element types of all tensors of a program, as messages write them."""
    values = [value for op in program.ops for value in (*op.inputs, *op.outputs)]
    shapes = {show_shape(value.shape) for value in values if not isinstance(value.shape, Unknown)}
    axes = {f"{size} on axis" for value in values if not isinstance(value.shape, Unknown) for size in value.shape}
    return shapes | axes | {value.dtype.name for value in values if isinstance(value.dtype, DType)}


@pytest.mark.parametrize(
    ("code", "text"), [pytest.param(*example, id=f"{n}-{example[0]}") for n, example in enumerate(examples())]
)
def test_a_message_shows_the_sizes_it_is_about(code: str, text: str) -> None:
    for raw in raws(text):
        finding = raw.finding
        if not finding.code.startswith("DLT"):
            continue
        wanted = OTHER_EVIDENCE.get(finding.code)
        if wanted is not None:
            assert re.search(wanted, finding.message), finding.message
        else:
            assert any(shape in finding.message for shape in evidence(raw.program)), finding.message


@pytest.mark.parametrize("rule", list(rule_classes()), ids=lambda rule: rule.code)
def test_a_message_is_one_line_that_names_the_code_and_the_change(rule: type[Rule]) -> None:
    for text in Page.of(rule).snippets("Bad"):
        for raw in raws(text):
            message = "; ".join(filter(None, (raw.finding.message, raw.finding.advice)))
            assert "\n" not in message
            assert not message.endswith(".")
            assert len(message) < 320, message
            assert re.search(r"; .|, expected|: .* not divisible by", message), "a remedy follows the fault"


def test_tensors_of_different_ranks_are_told_by_their_axes() -> None:
    (raw,) = raws("import torch\ny = torch.cat([torch.zeros(3), torch.zeros(2, 2)])\n")
    assert raw.finding.message == (
        "`torch.cat` joins shapes (3,) and (2, 2) of 1 and 2 axes; all need as many, so insert the missing axis"
    )
