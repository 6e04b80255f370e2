"""A message is the fact: one short sentence that names the code and the sizes or types. What to do stands in the advice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dllint.dev.index import rule_classes
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.engine.dispatch import Raw
from dllint.finding import Finding, Severity
from dllint.ir.program import Program
from dllint.rules.rule import Rule
from dllint.source.document import Document
from tests.rules.harness import PATH, Page, session, snippets, unmarked

CASES = Path(__file__).parent
#: Rules of the tensor family whose fault is not in the sizes of a tensor: what their messages must show instead.
OTHER_EVIDENCE = {
    "DLT115": r"the pair \(output, state\)",
    "DLT118": r"\d|has no `->`|takes a list of metrics",
    "DLT122": r"\(\d+(, \d+)*\), but is given \(\d+(, \d+)*\)",
    "DLT125": r"the pair \(values, indices\)",
    "DLT124": r"runs only if .+ (=|is a multiple of) .+",
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
    analyser = session(today="[DLA" in text).analyser(PATH)
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


LONGEST_FACT, LONGEST_ADVICE, USUAL_FACT = 160, 130, 120
_CODE = re.compile(r"`[^`]*`")
#: What belongs into the advice.
_ADVISING = re.compile(
    r";|\b(use|write|set|add|insert|delete|remove|replace|wrap|convert|declare|consider|should|instead|try|please|fix)\b"
)
#: Verbs an advice begins with.
_IMPERATIVE = re.compile(
    r"(add|apply|bind|build|call|change|compare|count|declare|delete|divide|drop|encode|feed|fit|flatten|give|hold|insert|iterate|keep|leave"
    r"|make|merge|move|name|number|pass|put|remove|rename|reshape|return|scale|set|shift|split|squeeze|subtract|take|transform"
    r"|transpose|unpack|use|wrap|write|convert|to swap axes use)\b"
)


def found_in(texts: list[str]) -> Iterator[Finding]:
    for text in texts:
        yield from findings_of(text)


@cache
def findings_of(text: str) -> tuple[Finding, ...]:
    return tuple(raw.finding for raw in raws(text))


@pytest.mark.parametrize("rule", list(rule_classes()), ids=lambda rule: rule.code)
def test_a_message_is_a_fact_and_the_advice_an_instruction(rule: type[Rule]) -> None:
    for finding in found_in(Page.of(rule).snippets("Bad") + cases_of(rule.code)):
        assert_fact(finding.message)
        assert_advice(finding.advice)


def cases_of(code: str) -> list[str]:
    """The Markdown cases that a rule occurs in."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*/*.md")))
    return [snippet for text in texts for snippet in snippets(text) if code in snippet]


def assert_fact(message: str) -> None:
    fact = message.partition(", when ")[0]  # conditions may be many
    assert "\n" not in message
    assert not message.endswith((".", "…"))
    assert len(fact) <= LONGEST_FACT, message
    assert not _ADVISING.search(_CODE.sub("", fact)), message
    assert not any("…" in code for code in _CODE.findall(fact)), message


def assert_advice(advice: str) -> None:
    assert advice
    assert "\n" not in advice
    assert not advice.endswith(".")
    assert len(advice) <= LONGEST_ADVICE, advice
    assert _IMPERATIVE.match(advice), advice


def test_facts_are_short() -> None:
    texts = [text for rule in rule_classes() for text in (*Page.of(rule).snippets("Bad"), *cases_of(rule.code)[::4])]
    lengths = sorted(len(finding.message) for finding in found_in(texts))
    assert lengths[len(lengths) * 9 // 10] <= USUAL_FACT


def test_tensors_of_different_ranks_are_told_by_their_axes() -> None:
    (raw,) = raws("import torch\ny = torch.cat([torch.zeros(3), torch.zeros(2, 2)])\n")
    assert raw.finding.message == "`torch.cat` joins shapes (3,) and (2, 2) of 1 and 2 axes"
    assert raw.finding.advice == "insert the missing axis, as all tensors that are joined need as many"
