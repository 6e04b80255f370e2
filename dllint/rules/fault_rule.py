"""Rules about faults that an operation has already proved: they put the proof into a sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from dllint.domains.shape import show_shape
from dllint.edit import Fix
from dllint.finding import Finding, Related, Releases, Severity
from dllint.fixes.boundary import offering
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.faults import MISSING
from dllint.ops.whole import is_of_float
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import layer_name, operand, operation


class FaultRule(Rule[Op]):
    """Reports the faults of the kinds among its topics. Evidence is where the layer was built and its input was made."""

    topics: ClassVar[tuple[str, ...]]

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """One finding per fault of the op that is this rule's to report."""
        for fault in item.faults:
            if f"fault:{fault.kind}" in self.topics and self.concerns(item, fault, context):
                message = self.message(item, fault, context) + context.condition_note(item)
                yield context.finding(
                    self,
                    self.place(item, fault),
                    message,
                    advice=fault.advice or self.advice(item, fault, context),
                    related=self.evidence(item, fault, context),
                    fixes=self.fixes(item, fault, context),
                    severity=self.severity_of(item, fault),
                    releases=self.releases(item, fault),
                    kind="" if is_whatever_the_value(fault) else fault.kind,
                )

    def concerns(self, op: Op, fault: Fault, context: Context) -> bool:
        """Whether this fault is reported by this rule and not by a more special one."""
        return True

    @abstractmethod
    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The fact in one short sentence, with the actual sizes or types."""

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The change that the rule advises."""
        return ""

    def severity_of(self, op: Op, fault: Fault) -> Severity:
        """The severity, if the fault is certain."""
        return self.severity

    def releases(self, op: Op, fault: Fault) -> Releases | None:
        """The releases that refuse this, if older ones did not."""
        return None

    def place(self, op: Op, fault: Fault) -> Op:
        """The operation at which the fault is reported: where what is wrong was written."""
        return op

    @offering
    def fixes(self, op: Op, fault: Fault, context: Context) -> list[Fix]:
        """The edits that make the fault go away, the preferred one first."""
        return []

    def evidence(self, op: Op, fault: Fault, context: Context) -> list[Related]:
        """Where the layer was built and where the tensors at fault were made."""
        return [*built(op, context), *operand_origins(op, fault, context)]


def is_whatever_the_value(fault: Fault) -> bool:
    """Whether a fault of an argument is there for all its values: a float in the place of a whole number, or none given."""
    return is_of_float(fault) or fault.detail == MISSING


def built(op: Op, context: Context) -> list[Related]:
    """The place at which the op's layer is constructed."""
    site = getattr(op.layer, "site", None)
    if site is None or site.node is None or site.node is op.site.node:
        return []
    return [related for related in (context.related(site, f"{layer_name(op.layer, context)} is built here"),) if related]


def operand_origins(op: Op, fault: Fault, context: Context) -> list[Related]:
    """The places at which the tensors of a fault were made."""
    named = op.args.get(fault.operand) if fault.operand else None
    tensors = list(op.inputs[:4]) if len(fault.shapes) > 1 or named is None else []
    first = operand(op, fault.operand)
    if not tensors and first is not None:
        tensors = [first]
    out = []
    for tensor in tensors:
        if (related := origin(tensor, op, context)) is not None and related not in out:
            out.append(related)
    return out


def origin(tensor: TensorVal, op: Op, context: Context) -> Related | None:
    """The place at which one tensor was made, with its shape; ``None`` if that is the op's own place."""
    maker = tensor.producer
    if maker is None or maker.site.node is op.site.node:
        return None
    related: Related | None = context.related(maker.site, f"{operation(maker, context)} gives shape {show_shape(tensor.shape)}")
    return related
