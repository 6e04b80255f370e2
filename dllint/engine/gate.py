"""The fix gate: an edit is offered only if analysing the edited text proves that it repairs its finding and harms nothing.

After the edit (a) the file parses, (b) the finding's condition is proved false, not merely unknown, (c) no finding has
appeared that was not there before, and (d) no fewer values are known than before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dllint.domains.dim import DimExpr, is_known
from dllint.domains.lattice import Unknown
from dllint.domains.shape import shape_known
from dllint.edit import Applicability, Edit, Fix, apply_edits
from dllint.engine.analysis import Analysis
from dllint.engine.apply import edits_by_path, moved, overlap
from dllint.engine.coverage import coverage_of_op
from dllint.engine.dispatch import Raw
from dllint.finding import Finding
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.ir.values import InstanceVal
from dllint.source.document import Document

Analyse = Callable[[Document], Analysis]
#: Up to this many fixes of a file are each tried alone; more are tried together and split where that fails.
_TRIED_ALONE = 3
#: Operations that are recorded only where data do not fit as they are; what is computed from them goes with them.
_MISFITS = frozenset({"model_input"})


@dataclass(slots=True)
class Gate:
    """Tries the fixes of one analysed file; ``analyse`` analyses an edited document from its text."""

    before: Analysis
    analyse: Analyse

    def approve(self, raws: Sequence[Raw]) -> list[Raw]:
        """The findings with those of their fixes that pass; sketches (``DISPLAY``) are never applied and need no proof."""
        candidates = [(raw, fix) for raw in raws for fix in raw.finding.fixes if fix.applicability is not Applicability.DISPLAY]
        if len(candidates) <= _TRIED_ALONE:
            approved = {id(fix) for raw, fix in candidates if self.passes([(raw, fix)])}
        else:
            approved = {id(fix) for _, fix in self._approve_together(candidates)}
        return [_keep_fixes(raw, approved) for raw in raws]

    def _approve_together(self, candidates: Sequence[tuple[Raw, Fix]]) -> list[tuple[Raw, Fix]]:
        if not candidates:
            return []
        first = _first_fixes(candidates)
        if self.passes(first):
            chosen = {id(fix) for _, fix in first}
            return [*first, *self._approve_together([pair for pair in candidates if id(pair[1]) not in chosen])]
        if len(candidates) == 1:
            return []
        middle = len(candidates) // 2
        return [*self._approve_together(candidates[:middle]), *self._approve_together(candidates[middle:])]

    def passes(self, pairs: Sequence[tuple[Raw, Fix]]) -> bool:
        """Whether some fixes, applied together, repair their findings and harm nothing."""
        document = self.before.document
        edits = edits_by_path([fix for _, fix in pairs])
        if list(edits) != [document.path]:
            return False
        own = edits[document.path]
        edited = document.edit(apply_edits(document.text, own))
        if document.problem or edited.problem:
            return False
        try:
            after = self.analyse(edited)
        except Exception:  # an edit whose result cannot be analysed is not proved
            return False
        return (
            len(after.notices) <= len(self.before.notices)
            and _nothing_new(self.before, after, own)
            and _as_much_known(self.before, after, own)
            and all(_proved_false(raw, after, own) for raw, _ in pairs)
        )


def _first_fixes(candidates: Sequence[tuple[Raw, Fix]]) -> list[tuple[Raw, Fix]]:
    """One fix per finding, none of whose edits overlap."""
    chosen: list[tuple[Raw, Fix]] = []
    for raw, fix in candidates:
        others = [edit for _, other in chosen for edit in other.edits]
        clash = any(overlap(edit, other) for edit in fix.edits for other in others if edit != other)
        if not clash and all(raw is not other for other, _ in chosen):
            chosen.append((raw, fix))
    return chosen


def _keep_fixes(raw: Raw, approved: set[int]) -> Raw:
    fixes = tuple(fix for fix in raw.finding.fixes if fix.applicability is Applicability.DISPLAY or id(fix) in approved)
    return replace(raw, finding=replace(raw.finding, fixes=fixes))


def _nothing_new(before: Analysis, after: Analysis, edits: Sequence[Edit]) -> bool:
    old = Counter((f.code, f.location.path, _start_of(f, edits)) for f in before.faults)
    new = Counter((f.code, f.location.path, f.location.span.start) for f in after.faults)
    return not new - old


def _start_of(finding: Finding, edits: Iterable[Edit]) -> int:
    """Where a finding starts after edits of its file."""
    return moved(finding.location.span.start, [edit for edit in edits if edit.path == finding.location.path])


def _as_much_known(before: Analysis, after: Analysis, edits: Sequence[Edit]) -> bool:
    """Whether the edit lost nothing that was known. Operations that stand in the edited text may be gone, and those that it
    adds may work on what is not known."""
    removed = sum(1 for program in before.programs for op in program.ops if _rewritten(op, edits))
    removed += sum(map(_replayed, before.programs))
    lost = before.coverage.shape - after.coverage.shape, before.coverage.dtype - after.coverage.dtype
    unknown = before.coverage.unknown - _lost_to_faults(before, edits) + _added(before, after, edits)
    return after.coverage.unknown <= unknown and max(lost) <= removed


def _lost_to_faults(before: Analysis, edits: Sequence[Edit]) -> int:
    """What was not known of operations that raised and that an edit changes: an edit that mends them makes it known."""
    raised = [op for program in before.programs for op in program.ops if op.faults and _rewritten(op, edits)]
    return sum(coverage_of_op(op).unknown for op in raised)


def _added(before: Analysis, after: Analysis, edits: Sequence[Edit]) -> int:
    """The facts that are missing of operations which the edited text has beside those that it had."""
    old = [op for program in before.programs for op in program.ops if _touched(op.site, edits)]
    places = [(edit.path, start, start + len(edit.content)) for edit in edits for start in (_start_after(edit, edits),)]
    new = [op for program in after.programs for op in program.ops if _stands_in(op.site, places)]
    missing = sum(coverage_of_op(op).unknown for op in new)
    return min(missing, 3 * max(0, len(new) - len(old)))


def _start_after(edit: Edit, edits: Sequence[Edit]) -> int:
    """Where the text that an edit writes starts, when all are applied."""
    before = [other for other in edits if (other.path, other.start, other.end) < (edit.path, edit.start, edit.end)]
    return edit.start + sum(len(other.content) - (other.end - other.start) for other in before if other.path == edit.path)


def _stands_in(site: Site, places: Sequence[tuple[Any, int, int]]) -> bool:
    here = [(start, end) for path, start, end in places if site.document is not None and site.document.path == path]
    span = _span(site) if here else None
    return span is not None and any(start < span[1] and span[0] < end for start, end in here)


def _replayed(program: Program) -> int:
    """How many operations are misfits or computed from one."""
    values: set[int] = set()
    count = 0
    for op in program.ops:
        if op.kind in _MISFITS or any(value.id in values for value in op.inputs):
            count += 1
            values.update(value.id for value in op.outputs)
    return count


def _rewritten(op: Op, edits: Sequence[Edit]) -> bool:
    """Whether an edit changes the operation itself, or the construction of its layer."""
    built = op.layer.site if isinstance(op.layer, InstanceVal) else None
    return _touched(op.site, edits) or (built is not None and _touched(built, edits))


def _touched(site: Site, edits: Sequence[Edit]) -> bool:
    places = [(edit.path, edit.start, edit.end) for edit in edits]
    return _stands_in(site, places)


def _span(site: Site) -> tuple[int, int] | None:
    if site.document is None or site.statement is None:
        return None
    span = site.document.span(site.statement, site.node)
    return span.start, span.end


def _proved_false(raw: Raw, after: Analysis, edits: Sequence[Edit]) -> bool:
    """Whether the condition of a finding was examined again after the edit and does not hold.

    An operation must be performed again at its place, with every argument that was known still known. If the edit rewrote
    or removed the operation itself, its entry must still run; that nothing got lost is then left to the other conditions.
    """
    if any(_is_again(other, raw, edits) for other in after.raws):
        return False
    item = raw.item
    if not isinstance(item, Op):
        return isinstance(item, Program) or _entry_runs(raw.program, after)
    again = [op for op in _ops_at(item, after, edits) if op.kind == item.kind and _same_layer(op, item, edits)]
    if again:
        return all(_as_known(op, item) and not _same_fault(op, item) for op in again)
    if item.kind in _MISFITS and _reached(item, after, edits):
        return True
    return _rewritten(item, edits) and _entry_runs(raw.program, after)


def _is_again(new: Raw, old: Raw, edits: Sequence[Edit]) -> bool:
    """Whether a finding is the one that was there before some edits: of the same rule, at its place, about the same layer."""
    if old.finding.code != new.finding.code or old.finding.location.path != new.finding.location.path:
        return False
    if _start_of(old.finding, edits) != new.finding.location.span.start:
        return False
    return not isinstance(new.item, Op) or not isinstance(old.item, Op) or _same_layer(new.item, old.item, edits)


def _same_layer(new: Op, old: Op, edits: Sequence[Edit]) -> bool:
    """Whether two operations apply the layer of one construction, or none."""
    here, there = _built_at(new), _built_at(old)
    if here is None or there is None:
        return here is there
    start = moved(there[1], [edit for edit in edits if edit.path == there[0]])
    return here == (there[0], start)


def _built_at(op: Op) -> tuple[Path, int] | None:
    """The file and the offset at which an operation's layer is built."""
    site = op.layer.site if op.layer is not None else None
    span = _span(site) if site is not None else None
    return None if site is None or span is None else (site.document.path, span[0])


def _entry_runs(program: Program, after: Analysis) -> bool:
    return any(other.entry == program.entry and bool(other.trace) for other in (*after.programs, *after.settings))


def _reached(item: Op, after: Analysis, edits: Sequence[Edit]) -> bool:
    """Whether something is still computed, and nothing misfits, at an operation's place after the edits."""
    found = _ops_at(item, after, edits)
    return bool(found) and not any(op.faults for op in found)


def _ops_at(item: Op, after: Analysis, edits: Sequence[Edit]) -> list[Op]:
    """The operations at an operation's place after the edits."""
    place = _span(item.site)
    if place is None:
        return []
    path, start = item.site.document.path, place[0]
    if path == after.document.path:
        start = moved(start, edits)
    return [op for program in (*after.programs, *after.settings) for op in program.ops if _starts_at(op.site, path, start)]


def _starts_at(site: Site, path: Any, start: int) -> bool:
    span = _span(site) if site.document is not None and site.document.path == path else None
    return span is not None and span[0] == start


def _as_known(new: Op, old: Op) -> bool:
    """Whether every argument of an operation that was known before an edit still is."""
    return all(_known(new.args.get(name)) for name, value in old.args.items() if _known(value))


def _known(value: Any) -> bool:
    """Whether a value is known as far as a rule may have to know it: of tensors, rank and sizes."""
    if isinstance(value, TensorVal):
        return shape_known(value.shape)
    if isinstance(value, tuple):
        return all(map(_known, value))
    if isinstance(value, DimExpr):
        return is_known(value)
    return not isinstance(value, Unknown)


def _same_fault(new: Op, old: Op) -> bool:
    kinds = {fault.kind for fault in old.faults}
    return any(fault.kind in kinds for fault in new.faults)
