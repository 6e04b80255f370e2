"""What rules get to place findings."""

from pathlib import Path

import libcst as cst

from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Severity
from dllint.ir.events import ForwardCall
from dllint.ir.program import Condition, Program, Site
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.source.document import Document


class Example(Rule):
    """A rule."""

    code, name, severity, confidence = "DLX999", "example", Severity.ERROR, Confidence.HIGH
    topics = ("program",)

    def check(self, item, context):
        yield from ()


MAIN = Document.from_text(Path("main.py"), "import library\ny = library.f(\n    1)\n")
LIBRARY = Document.from_text(Path("library.py"), "def f(x):\n    return g(x)\n")
CALL = Site(MAIN, MAIN.body[1], MAIN.body[1].body[0].value)
RETURN = LIBRARY.body[0].body.body[0]
INNER = Site(LIBRARY, RETURN, RETURN.body[0].value, caller=CALL)
CONTEXT = Context(Program("<module>"), MAIN)


def place(location):
    return location.path.name, location.span.first.line, location.span.last.line


def test_a_finding_stands_at_its_node():
    finding = CONTEXT.finding(Example(), CALL, "message")
    assert (finding.code, finding.name, finding.severity, finding.confidence) == (
        "DLX999", "example", Severity.ERROR, Confidence.HIGH,
    )  # fmt: skip
    assert place(finding.location) == ("main.py", 2, 3)
    assert finding.related == ()


def test_another_node_of_the_statement_and_another_severity():
    finding = CONTEXT.finding(Example(), CALL, "message", node=CALL.node.args[0], severity=Severity.INFO)
    assert place(finding.location) == ("main.py", 3, 3)
    assert finding.severity is Severity.INFO


def test_a_fault_in_called_code_stands_there_and_names_the_calls():
    built = CONTEXT.related(CALL, "built here")
    finding = CONTEXT.finding(Example(), INNER, "message", related=[built, built])
    assert place(finding.location) == ("library.py", 2, 2)
    assert [(place(r.location), r.message) for r in finding.related] == [
        (("main.py", 2, 3), "built here"),
        (("main.py", 2, 3), "reached from here"),
    ]
    seen = finding.seen_from(Path("main.py"))
    assert place(seen.location) == ("main.py", 2, 3)
    assert (place(seen.related[0].location), seen.related[0].message) == (("library.py", 2, 2), "it happens here")
    assert finding.seen_from(Path("other.py")) is None


def test_code_that_is_not_of_the_project_is_told_at_the_call():
    context = Context(Program("<module>"), MAIN, is_own=lambda path: path.name != "library.py")
    finding = context.finding(Example(), INNER, "message", node=INNER.node.args[0])
    assert place(finding.location) == ("main.py", 2, 3)
    assert [(place(r.location), r.message) for r in finding.related] == [(("library.py", 2, 2), "it happens here")]


def test_code_of_the_checked_document_is_not_moved_to_its_caller():
    context = Context(Program("<module>"), LIBRARY)
    assert place(context.finding(Example(), INNER, "message").location) == ("library.py", 2, 2)


def test_without_a_frame_in_the_document_the_finding_stays_where_it_is():
    site = Site(LIBRARY, RETURN, RETURN.body[0].value)
    assert place(CONTEXT.finding(Example(), site, "message").location) == ("library.py", 2, 2)


def test_a_site_without_a_statement():
    site = Site(MAIN, None, None)
    assert place(CONTEXT.finding(Example(), site, "message").location) == ("main.py", 1, 1)
    assert CONTEXT.related(site, "x") is None
    assert CONTEXT.related(None, "x") is None


def test_texts():
    assert CONTEXT.text(CALL) == "library.f(\n    1)"
    assert CONTEXT.text(CALL.node.func) == "library.f"
    assert CONTEXT.text(CALL, CALL.node.args[0]) == "1"
    assert CONTEXT.text(None) == ""
    assert CONTEXT.text(cst.parse_expression("(a)")) == "(a)"


def test_a_fix_orders_its_edits():
    first, second = Edit(Path("a.py"), 0, 1, "x"), Edit(Path("a.py"), 5, 6, "y")
    assert CONTEXT.fix("m", [second, first, second], Applicability.SAFE).edits == (first, second)


def test_the_branches_that_lead_there():
    path = (Condition(1, 0, "a is true", True), Condition(2, 1, "b is false", False), Condition(3, 0, "c > 1"))
    assert CONTEXT.condition_note(ForwardCall(CALL, path, callee=None)) == ", when b is false and c > 1"
    assert CONTEXT.condition_note(ForwardCall(CALL, path[:1], callee=None)) == ""
