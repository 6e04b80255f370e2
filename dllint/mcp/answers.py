"""What the tools answer, as plain data: the SDK derives the schemas of the structured output from these classes.

Lines and columns are 1-based; columns count code points. ``place`` is ``path:line:column``, in a notebook
``path:cell 3:line:column``.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """A finding: the fact, what to change, the line itself, and places that explain it."""

    place: str
    code: str
    rule: str
    severity: str
    confidence: str
    message: str
    advice: str
    source: str
    related: list[str] = field(default_factory=list)
    has_fix: bool = False


@dataclass(frozen=True)
class CheckAnswer:
    """The findings in some files. ``not_shown`` findings were cut; ``notes`` say what was left out and why."""

    findings: list[Fault]
    not_shown: int
    files: int
    notes: list[str]


@dataclass(frozen=True)
class RulePage:
    """The page of a rule in Markdown; ``cut`` characters of it are left out."""

    code: str
    name: str
    severity: str
    confidence: str
    page: str
    cut: int


@dataclass(frozen=True)
class Known:
    """What is known of an expression or a name: shapes with element types, ranges, layers, parameters."""

    place: str
    expression: str
    known: str


@dataclass(frozen=True)
class PlaceAnswer:
    """What is known at a place; ``not_shown`` expressions were cut."""

    at: list[Known]
    not_shown: int


@dataclass(frozen=True)
class ModelTable:
    """A model: totals, and a table of its modules. Counts are numbers, or texts where sizes are symbols; with
    ``parameters_complete`` or ``mult_adds_complete`` false, they are lower bounds. ``not_shown`` lines of the table
    were cut."""

    model: str
    place: str
    parameters: int | str
    trainable: int | str
    parameters_complete: bool
    mult_adds: int | str | None
    mult_adds_complete: bool
    table: str
    not_shown: int


@dataclass(frozen=True)
class SummaryAnswer:
    """The models of a file; ``not_shown`` models were cut."""

    models: list[ModelTable]
    not_shown: int


@dataclass(frozen=True)
class TextEdit:
    """Replace the range of a file (of a notebook: of the 1-based ``cell``) by ``new``; ``old`` is what stands there."""

    path: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    old: str
    new: str
    cell: int | None = None


@dataclass(frozen=True)
class Repair:
    """Edits that belong together and remove a finding. ``safe``: the program computes the same afterwards, or what is replaced
    fails on every run; others change what it computes."""

    place: str
    code: str
    message: str
    title: str
    safe: bool
    edits: list[TextEdit]


@dataclass(frozen=True)
class FixesAnswer:
    """The proved fixes of a file; ``without_fix`` findings have none, ``not_shown`` fixes were cut."""

    fixes: list[Repair]
    without_fix: int
    not_shown: int


@dataclass(frozen=True)
class RunAnswer:
    """What a diagnosed run has found; ``output`` is the end of what the program wrote to standard error."""

    status: int
    verdict: str
    findings: list[Fault]
    not_shown: int
    output: list[str]
