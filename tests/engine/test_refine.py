"""From raw findings to reports: what is dropped, changed and merged."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest

from dllint.config.options import Settings
from dllint.config.selection import Catalogue, RuleEntry
from dllint.config.targets import Targets
from dllint.domains.dtype import FLOAT32
from dllint.domains.shape import TensorType
from dllint.edit import Applicability, Edit, Fix
from dllint.engine.dispatch import Raw
from dllint.engine.refine import Policy, refine
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Condition, Fault, Op, Program, Site, TensorVal
from dllint.source.document import Document
from dllint.source.pragmas import Suppressions

PATH = Path("/p/a.py")
RULES = Catalogue([RuleEntry("DLT101", "size"), RuleEntry("DLT109", "shape"), RuleEntry("DLS202", "soft", "hint")])


class Suppressing:
    suppresses = ("DLT109",)


class Plain:
    suppresses = ()


def document(text: str = "a(x)\nb(x)\n") -> Document:
    return Document.from_text(PATH, text)


def site(doc: Document, number: int, caller: Site | None = None) -> Site:
    statement = doc.body[number]
    assert isinstance(statement, cst.SimpleStatementLine)
    return Site(doc, statement, statement.body[0].value, caller)


def op(where: Site, *, faulty: bool = True, path: tuple[Condition, ...] = ()) -> Op:
    result = TensorVal(TensorType((1,), FLOAT32))
    return Op("linear", {}, (result,), where, "torch", "a", faults=(Fault("feature-size"),) if faulty else (), path=path)


def raw(item: Op, program: Program, code: str = "DLT101", rule=Plain, **values) -> Raw:
    location = item.site.document.location(item.site.statement, item.site.node)
    fields = {
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "message": "m",
        "name": RULES.entries[code].name,
        **values,
    }
    return Raw(Finding(code=code, location=location, **fields), item, program, rule())


def refined(*raws: Raw, programs=None, ignored=frozenset(), min_confidence="low", **settings) -> list[Finding]:
    policy = Policy(RULES.select(Settings(**settings)), RULES, ignored, min_confidence, Targets(Path("program.py")))
    programs = programs or list(dict.fromkeys(r.program for r in raws))
    return [r.finding for r in refine(raws, programs, policy, Suppressions.of, document())]


def test_the_same_place_is_reported_once_with_the_strongest_evidence():
    doc = document()
    program = Program("<module>")
    branch = op(site(doc, 0), path=(Condition(1, 0, "flag"),))
    called = op(site(doc, 0, caller=site(doc, 1)))
    direct = op(site(doc, 0))
    kept = refined(*(raw(item, program, message=text) for item, text in ((branch, "if"), (called, "call"), (direct, "plain"))))
    assert [finding.message for finding in kept] == ["plain"]


def test_one_repair_is_one_root_cause():
    doc = document()
    program = Program("<module>")
    fix = Fix("f", (Edit(PATH, 0, 1, "c"),), Applicability.UNSAFE)
    kept = refined(raw(op(site(doc, 0)), program, fixes=(fix,)), raw(op(site(doc, 1)), program, fixes=(fix,)))
    assert [finding.location.span.first.line for finding in kept] == [1]


def test_a_rule_makes_others_redundant_at_its_place_only():
    doc = document()
    program = Program("<module>")
    first, second = op(site(doc, 0)), op(site(doc, 1))
    kept = refined(raw(first, program, rule=Suppressing), raw(first, program, "DLT109"), raw(second, program, "DLT109"))
    assert [(finding.code, finding.location.span.first.line) for finding in kept] == [("DLT101", 1), ("DLT109", 2)]


@pytest.mark.parametrize(("faulty_entry", "fine_entry", "kept"), [
    ("Net.forward", "<module>", 0),
    ("<module>", "Net.forward", 1),
    ("Net.forward", "Other.forward", 1),
])  # fmt: skip
def test_an_invented_call_yields_to_a_real_one(faulty_entry, fine_entry, kept):
    doc = document()
    faulty, fine = Program(faulty_entry), Program(fine_entry)
    fine.trace.append(op(site(doc, 0), faulty=False))
    bad = op(site(doc, 0))
    faulty.trace.append(bad)
    assert len(refined(raw(bad, faulty), programs=[faulty, fine])) == kept


def test_selection_confidence_and_per_file_ignores():
    doc = document()
    found = raw(op(site(doc, 0)), Program("<module>"), confidence=Confidence.MEDIUM)
    assert refined(found, ignore=("DLT",)) == []
    assert refined(found, min_confidence="high") == []
    assert refined(found, ignored=frozenset({"DLT101"})) == []
    assert len(refined(found, min_confidence="medium")) == 1


def test_a_hint_stays_a_hint_unless_asked_for():
    found = raw(op(site(document(), 0)), Program("<module>"), "DLS202", severity=Severity.WARNING)
    assert refined(found)[0].severity is Severity.HINT
    assert refined(found, extend_select=("DLS202",))[0].severity is Severity.WARNING
    assert refined(found, extend_select=("DLS",))[0].severity is Severity.HINT
    assert refined(found, severity=(("soft", "error"),))[0].severity is Severity.ERROR


def test_comments_suppress_at_the_place_and_inside_the_called_module():
    here = document("a(x)  # dllint: ignore[DLT101]\nb(x)\n")
    assert refined(raw(op(site(here, 0)), Program("<module>"))) == []
    assert len(refined(raw(op(site(here, 1)), Program("<module>")))) == 1
    inner = Document.from_text(Path("/p/b.py"), "c(x)  # dllint: ignore\n")
    plain = document()
    item = op(site(inner, 0, caller=site(plain, 0)))
    placed = Finding("DLT101", "size", "m", Severity.ERROR, Confidence.HIGH, plain.location(plain.body[0]))
    assert refined(Raw(placed, item, Program("<module>"), Plain())) == []
