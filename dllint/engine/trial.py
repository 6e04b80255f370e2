"""An analysis before some edits against the one after them: what they have repaired, and whether they have cost anything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from dllint.analysis.meeting_sizes import MEETING, Meeting, meetings, of_layer
from dllint.domains.agreement import never_agree
from dllint.domains.dim import Dim, DimExpr, is_known, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import DemandedShape, last_size, shape_known
from dllint.engine.analysis import Analysis
from dllint.engine.coverage import Coverage, coverage_of_op
from dllint.engine.dispatch import Raw
from dllint.engine.edits import Places
from dllint.finding import Finding
from dllint.ir.program import Op, Program, Site, TensorVal
from dllint.ir.values import InstanceVal, Value
from dllint.ops.faults import FEATURE_SIZE, RANK

#: Operations that are recorded only where data do not fit as they are; what is computed from them goes with them.
MISFITS = frozenset({"model_input"})


class Place(NamedTuple):
    """Where something stands."""

    path: Path
    start: int
    end: int


class Shown:
    """An analysis by the places of its operations and findings, each looked up once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        #: By ``id`` of the site, which the analysis keeps.
        self._places: dict[int, Place | None] = {}

    def place(self, site: Site | None) -> Place | None:
        """Where a site of the analysis is."""
        if site is None:
            return None
        if id(site) not in self._places:
            self._places[id(site)] = _place(site)
        return self._places[id(site)]

    def ops_at(self, path: Path, start: int) -> Sequence[Op]:
        """The operations at a place."""
        return self._ops.get((path, start), ())

    def raws_at(self, code: str, path: Path, start: int) -> Sequence[Raw]:
        """The findings of a rule at a place."""
        return self._raws.get((code, path, start), ())

    @cached_property
    def entries(self) -> frozenset[str]:
        """The entries that have done anything."""
        return frozenset(program.entry for program in self._programs if program.trace)

    def entry(self, op: Op) -> str:
        """The entry that performs an operation."""
        return self._entry_of.get(id(op), "")

    @cached_property
    def _entry_of(self) -> dict[int, str]:
        return {id(op): program.entry for program in self._programs for op in program.ops}

    @property
    def replayed(self) -> int:
        """The number of operations that are misfits or computed from one."""
        return len(self._replayed)

    def is_replayed(self, op: Op) -> bool:
        """Whether an operation is a misfit or computed from one."""
        return id(op) in self._replayed

    @cached_property
    def _replayed(self) -> frozenset[int]:
        return frozenset(id(op) for program in self.analysis.programs for op in _replayed(program))

    @cached_property
    def known_shares(self) -> dict[tuple[Path, int, str], tuple[float, float]]:
        """By place and kind of operation, the share of results whose shape, and whose element type, is known."""
        counted: dict[tuple[Path, int, str], Coverage] = defaultdict(Coverage)
        for (path, start), ops in self._ops.items():
            for op in ops:
                counted[path, start, op.kind].add(coverage_of_op(op))
        return {key: (one.shape / one.operations, one.dtype / one.operations) for key, one in counted.items() if one.operations}

    @property
    def _programs(self) -> Sequence[Program]:
        return (*self.analysis.programs, *self.analysis.settings)

    @cached_property
    def _ops(self) -> dict[tuple[Path, int], list[Op]]:
        found: dict[tuple[Path, int], list[Op]] = defaultdict(list)
        for program in self._programs:
            for op in program.ops:
                if (place := self.place(op.site)) is not None:
                    found[place.path, place.start].append(op)
        return found

    @cached_property
    def _raws(self) -> dict[tuple[str, Path, int], list[Raw]]:
        found: dict[tuple[str, Path, int], list[Raw]] = defaultdict(list)
        for raw in self.analysis.raws:
            location = raw.finding.location
            found[raw.finding.code, location.path, location.span.start].append(raw)
        return found


class Trial:
    """The effects of some edits of the checked file."""

    def __init__(self, before: Shown, after: Shown, places: Places) -> None:
        self._before, self._after, self._places = before, after, places

    @property
    def is_harmless(self) -> bool:
        """Whether there is no new finding, and no less is known than before."""
        return self._nothing_new() and self._as_much_known()

    def repairs(self, raw: Raw) -> bool:
        """Whether the condition of a finding was examined again after the edits and does not hold.

        An operation must be performed again at its place, with every argument that was known still known. If the edits rewrote
        or removed the operation itself, its entry must still run; that nothing got lost is then left to the other conditions.
        """
        finding, item = raw.finding, raw.item
        again = self._after.raws_at(finding.code, finding.location.path, self._start_of(finding))
        if any(self._is_again(other, raw) for other in again):
            return False
        if not isinstance(item, Op):
            return isinstance(item, Program) or raw.program.entry in self._after.entries
        ops = self._ops_again(item)
        same = [op for op in ops if op.kind == item.kind and self._same_layer(op, item)]
        if same:
            return all(not _same_fault(op, item) for op in same) and all(
                _as_known(op, item) and _fits(op, item) for op in self._of_entry(same, raw)
            )
        if item.kind in MISFITS and ops and not any(op.faults for op in ops):
            return True  # something is still computed there
        return self._rewritten(item) and raw.program.entry in self._after.entries

    def _nothing_new(self) -> bool:
        before, after = self._before.analysis, self._after.analysis
        old = Counter((f.code, f.location.path, self._start_of(f)) for f in before.faults)
        new = Counter((f.code, f.location.path, f.location.span.start) for f in after.faults)
        return not new - old

    def _as_much_known(self) -> bool:
        """Whether the edits lost nothing that was known. Operations that stand in the edited text may be gone, and those that
        they add may work on what is not known."""
        before, after = self._before.analysis, self._after.analysis
        rewritten = [op for program in before.programs for op in program.ops if self._rewritten(op)]
        removed = len(rewritten) + self._before.replayed
        lost = before.coverage.shape - after.coverage.shape, before.coverage.dtype - after.coverage.dtype
        # What was not known of operations that raised: an edit that mends them makes it known, if their operands are.
        raised = sum(_would_be_known(op) for op in rewritten if op.faults)
        unknown = before.coverage.unknown - raised + self._added()
        return after.coverage.unknown <= unknown and (max(lost) <= removed or self._known_at_each_place())

    def _known_at_each_place(self) -> bool:
        """Whether every operation outside the edits is performed again and as often known as it was: a loop whose values no
        longer change is executed fewer times, and then fewer known facts are counted though none is lost."""
        after = self._after.known_shares
        for (path, start, kind), shares in self._before.known_shares.items():
            ops = [op for op in self._before.ops_at(path, start) if op.kind == kind]
            if any(map(self._rewritten, ops)) or all(map(self._before.is_replayed, ops)):
                continue
            again = after.get((path, self._moved(path, start), kind))
            if again is None or any(new < old for new, old in zip(again, shares, strict=True)):
                return False
        return True

    def _added(self) -> int:
        """The facts that are missing of operations which the edited text has beside those that it had."""
        before, after = self._before.analysis, self._after.analysis
        old = sum(self._touched(op.site) for program in before.programs for op in program.ops)
        new = [op for program in after.programs for op in program.ops if self._written(op.site)]
        missing = sum(coverage_of_op(op).unknown for op in new)
        return min(missing, 3 * max(0, len(new) - old))

    def _start_of(self, finding: Finding) -> int:
        """Where a finding of before starts after the edits."""
        location = finding.location
        return self._moved(location.path, location.span.start)

    def _moved(self, path: Path, start: int) -> int:
        return self._places.moved(start) if path == self._places.path else start

    def _rewritten(self, op: Op) -> bool:
        """Whether an edit changes the operation itself, or the construction of its layer."""
        built = op.layer.site if isinstance(op.layer, InstanceVal) else None
        return self._touched(op.site) or self._touched(built)

    def _touched(self, site: Site | None) -> bool:
        place = self._before.place(site)
        return place is not None and place.path == self._places.path and self._places.touch(place.start, place.end)

    def _written(self, site: Site) -> bool:
        place = self._after.place(site)
        return place is not None and place.path == self._places.path and self._places.wrote(place.start, place.end)

    def _ops_again(self, item: Op) -> Sequence[Op]:
        """The operations at the place of one of before, after the edits."""
        place = self._before.place(item.site)
        return () if place is None else self._after.ops_at(place.path, self._moved(place.path, place.start))

    def _of_entry(self, ops: Sequence[Op], raw: Raw) -> Sequence[Op]:
        """Those of some operations after the edits that stand for the one of a finding: those of its entry, and there the one
        that is as far from the first, if the entry performs as many as before. What others know was never known to it."""
        entry, item = raw.program.entry, raw.item
        own = [op for op in ops if self._after.entry(op) == entry]
        place = self._before.place(item.site) if isinstance(item, Op) else None
        if place is None or not isinstance(item, Op) or not own:
            return ops
        old = [
            op
            for op in self._before.ops_at(place.path, place.start)
            if op.kind == item.kind and self._before.entry(op) == entry and _is_of_one_layer(op, item)
        ]
        number = next((number for number, op in enumerate(old) if op is item), None)
        return own if number is None or len(old) != len(own) else own[number : number + 1]

    def _is_again(self, new: Raw, old: Raw) -> bool:
        """Whether a finding of the same rule at the same place as one of before is about the same layer."""
        return not isinstance(new.item, Op) or not isinstance(old.item, Op) or self._same_layer(new.item, old.item)

    def _same_layer(self, new: Op, old: Op) -> bool:
        """Whether two operations apply the layer of one construction, or none."""
        here = self._after.place(new.layer.site) if new.layer is not None else None
        there = self._before.place(old.layer.site) if old.layer is not None else None
        if here is None or there is None:
            return here is there
        return (here.path, here.start) == (there.path, self._moved(there.path, there.start))


def _place(site: Site) -> Place | None:
    if site.document is None or site.statement is None:
        return None
    span = site.document.span(site.statement, site.node)
    return Place(site.document.path, span.start, span.end)


def _replayed(program: Program) -> Iterator[Op]:
    values: set[int] = set()
    for op in program.ops:
        if op.kind in MISFITS or any(value.id in values for value in op.inputs):
            yield op
            values.update(value.id for value in op.outputs)


def _fits(new: Op, old: Op) -> bool:
    """Whether a feature size that was not the declared one is proved to be it now. A size that inputs decide is not: it would
    only keep the fault from being seen. What other operations demand counts where the fault is against their demand. A tensor
    with another number of axes must have the declared size at its place, too, and sizes that never agreed must be the same."""
    if not old.faults and any(never_agree(met.left, met.right) is not None for met in _meetings(old)):
        return all(same(met.left, met.right) or 1 in (met.left, met.right) for met in _meetings(new))
    x, before = new.args.get("x"), old.args.get("x")
    if not isinstance(x, TensorVal) or not isinstance(before, TensorVal):
        return True
    for fault in old.faults:
        declared = new.args.get(fault.operand)
        if fault.kind == FEATURE_SIZE and isinstance(declared, (int, DimExpr)):
            is_last = fault.axis is None or fault.axis in (-1, (before.type.rank or 0) - 1)
            is_asked = isinstance(before.shape, DemandedShape) and isinstance(x.shape, DemandedShape)
            size = (last_size(x.shape) if is_asked else _last(x)) if is_last else _size(x, fault.axis)
            if size is None or not same(size, declared):
                return False
        if fault.kind == RANK and (met := of_layer(new)) is not None and not same(met.left, met.right):
            return False
    return True


def _meetings(op: Op) -> Iterator[Meeting]:
    return meetings(op) if op.kind in MEETING else iter(())


def _last(x: TensorVal) -> Dim | None:
    """The last size of a tensor as what made it says; what the next operation demands of it proves nothing, unless it is an
    input, of which all operations have to demand the same."""
    return None if isinstance(x.shape, DemandedShape) and x.producer is not None else last_size(x.shape)


def _size(x: TensorVal, axis: int | None) -> Dim | None:
    shape = x.shape
    return shape[axis] if axis is not None and not isinstance(shape, Unknown) and -len(shape) <= axis < len(shape) else None


def _would_be_known(op: Op) -> int:
    """The facts that are missing of the results of an operation that raises, and that it gives when it does not: shapes, if
    those of its operands are known, and element types, if those are."""
    found = coverage_of_op(op)
    shapes = all(shape_known(value.shape) for value in op.inputs)
    types = all(not isinstance(value.dtype, Unknown) for value in op.inputs)
    missing_types = found.operations - found.dtype
    return (found.unknown - missing_types if shapes else 0) + (missing_types if shapes and types else 0)


def _is_of_one_layer(one: Op, other: Op) -> bool:
    return one.layer is other.layer or (
        one.layer is not None and other.layer is not None and one.layer.site is other.layer.site
    )


def _as_known(new: Op, old: Op) -> bool:
    """Whether every argument of an operation that was known before an edit still is, and of tensors of which only some was
    known, the rank and the last size."""
    return all(
        (_known(new.args.get(name)) if _known(value) else _in_part_as_known(new.args.get(name), value))
        for name, value in old.args.items()
    )


def _in_part_as_known(new: Value, old: Value) -> bool:
    if not isinstance(old, TensorVal):
        return True
    if not isinstance(new, TensorVal):
        return isinstance(old.shape, Unknown) and _last(old) is None
    ranks = isinstance(old.shape, Unknown) or not isinstance(new.shape, Unknown)
    before, after = _last(old), _last(new)
    return ranks and (before is None or not is_known(before) or (after is not None and is_known(after)))


def _known(value: Value) -> bool:
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
