"""Writes to tensors: the value after the write, other tensors over the same memory, and names that hold the tensor.

A tensor value is immutable. A write makes a new one, to which all names that held the old one are bound (:func:`became`).
Tensors over the same memory (views, numpy arrays, other holders) are marked ``modified``: ranges derived from their producers
no longer hold, and operations that read them look for earlier writes (:mod:`dllint.analysis.ranges.writes`). A write that
changes shape or memory (``t_``, ``resize_``, ``x.data = y``, ``out=``) takes effect under every name (``ops/aliases.py``,
``origin``). Where an operation reads the memory that it writes to, its result is unknown. Written numbers are converted to the
tensor's element type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import product, same
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.operands import operands
from dllint.frameworks.views import VIEWS
from dllint.ir.program import Fault, Op, TensorVal, tensors_in
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.lower import exceptions, literals
from dllint.lower.changes import Changes, is_trained
from dllint.lower.writers import WRITERS, is_named_in_place
from dllint.ops import faults
from dllint.ops.aliases import AUGMENTED, origin, possible, replaced, shares, viewed
from dllint.ops.kinds import does, having_any
from dllint.ops.promotion import can_become
from dllint.ops.ranges.parts import is_pointwise
from dllint.ops.spec import Call
from dllint.ops.traits import Trait
from dllint.ops.writes import check_place

if TYPE_CHECKING:
    from dllint.lower.journal import Journal
    from dllint.lower.parts import Leaves, Writes
    from dllint.lower.scopes import Frame, Scope
    from dllint.lower.state import Trail

#: The result of an operation that raises.
RAISED: Final = TensorType(Unknown("raised"), Unknown("raised"))
_ANY: Final = TensorType(Unknown("out", "shape of a result"), Unknown("out", "element type of a result"))
#: Views of views that are looked through, and tensors in one memory whose bounds are moved with what is written.
_MOST_VIEWS: Final = 64
#: Operations of numpy that give an array even if it has no axes; of most others, one element is a number.
_ARRAYS: Final = having_any(Trait.FILLS | Trait.EMPTY | Trait.TAKES_DATA)
#: Operations that take any element type into any other.
_CONVERTING = having_any(Trait.WRITES | Trait.PUTS_NUMBER)


def in_place(m: Writes, target: TensorVal, result: TensorVal) -> None:
    """Record that an operation has written its result to the elements of a tensor, or has replaced the tensor by another view
    of its memory (``t_``)."""
    op = result.producer
    if does(op, Trait.VIEW):
        became(m, target, result)
        return
    if op is not None and _reads_elsewhere(op, target):
        result = applied(m, "overwrite", target, op.spelled)
    if op is not None and op.kind not in _CONVERTING:
        _fail(m, op, _misfit(op, target, result))
    if op is not None and op.faults:
        result.type = RAISED
        return
    if not _may_be_number(target) or target.dtype == result.dtype:
        result.type = target.type
    else:
        result.type = target.type.with_dtype(Unknown("augmented", "an array or a number"))
    written(m.journal, m.trail, target, result)
    hold(m, target, result)


def _reads_elsewhere(op: Op, target: TensorVal) -> bool:
    """Whether an operation takes a part of the tensor that it writes to, of which it may have written some already."""
    parts = (value for value in op.inputs if value.memory is not None and value.memory is target.memory)
    return any(value.shape != target.shape for value in parts)


def _fail(m: Leaves, op: Op, found: tuple[Fault, ...]) -> None:
    """Writing the result of an operation raises: it is caught, or a fault of the operation."""
    if found and m.control.catching:
        exceptions.raise_fault(m, op.framework, found[0].kind)
    op.faults = (*op.faults, *found)


def _misfit(op: Op, target: TensorVal, result: TensorVal) -> tuple[Fault, ...]:
    """Why a result cannot be written to a tensor that keeps its shape and element type; empty if it can."""
    call = Call(op.kind, op.framework)
    if not op.faults:
        check_place(call, target.type, result.type, "x")
    found, place = result.dtype, target.dtype
    if _may_be_number(target) or not isinstance(found, DType) or not isinstance(place, DType):
        return tuple(call.faults)
    if not can_become(op.framework, found, place):
        detail = "a result in place keeps the type of its tensor"
        call.fault(faults.DTYPE, operand="x", expected=found, actual=place, detail=detail)
    return tuple(call.faults)


def written(journal: Journal, trail: Trail, target: TensorVal, result: TensorVal, number: Value = None) -> None:
    """The elements of a tensor were changed, and those of all that share them; ``result`` is what the tensor has become,
    ``number`` what some elements are now, if it is one number."""
    memory = join_memory(journal, result, target)
    changes = trail.changed_memory.get(id(memory))
    if changes is None:
        changes = trail.changed_memory[id(memory)] = Changes(memory)
    changes.note(journal, result, number)
    if next(replaced(target), None) is not None:  # a later write to what the target may be changes the result, too
        result.data = result.reach = result.low = result.high = None
    for other in possible(target, _MOST_VIEWS):
        if other.memory is not memory and not is_trained(other):
            for sharer in islice(other.memory or (other,), _MOST_VIEWS):
                literals.forget(journal, sharer, number)
                trail.assigned[sharer.id] = result.id


def became(m: Writes, old: TensorVal, new: TensorVal) -> None:
    """Replace a tensor by its new value with another shape, type or memory, under every name that holds it."""
    first, sure = origin(old)
    hidden = old.producer is None and isinstance(old.shape, Unknown)  # what may be a view may be the tensor itself
    for other in _objects(old.memory or ()):
        source, surely = origin(other)
        if not other.is_same_object(old) and (hidden or source.is_same_object(first)):
            retyped = other.dtype != new.dtype
            certain = sure and surely and not hidden
            lost = None if certain else applied(m, "overwrite", other, "out=", resized=True, retyped=retyped)
            _replace(m.frame, m.journal, other, new if lost is None else lost)
    _replace(m.frame, m.journal, old, new)


def _objects(values: Iterable[TensorVal]) -> list[TensorVal]:
    """The latest values of some tensors."""
    return list({value.origin or value.id: value for value in values}.values())


def _replace(frame: Frame, journal: Journal, old: TensorVal, new: TensorVal) -> None:
    """Put a tensor in the place of another one wherever names lead to it."""
    seen: set[int] = set()
    new.origin, new.name = old.origin or old.id, new.name or old.name
    present: Frame | None = frame
    while present is not None:
        scope: Scope | None = present.scope
        while scope is not None:
            _replace_in(journal, scope.vars, old, new, seen)
            scope = scope.parent
        present = present.parent
    journal.note_lasting(old, "modified")
    old.modified = True


def _replace_in(journal: Journal, places: dict[str, Value], old: TensorVal, new: TensorVal, seen: set[int]) -> None:
    """Put the new tensor in the place of the old one in a namespace and what it holds."""
    if id(places) in seen:
        return
    seen.add(id(places))
    for name, value in list(places.items()):
        found = _replaced(journal, value, old, new, seen)
        if found is not value:
            journal.set_item(places, name, found)


def _replaced(journal: Journal, value: Value, old: TensorVal, new: TensorVal, seen: set[int]) -> Value:
    if isinstance(value, TensorVal):
        return new if value.is_same_object(old) else value
    if isinstance(value, tuple):
        parts = tuple(_replaced(journal, part, old, new, seen) for part in value)
        return parts if any(part is not before for part, before in zip(parts, value, strict=True)) else value
    if isinstance(value, ListVal) and id(value) not in seen:
        seen.add(id(value))
        items = [_replaced(journal, item, old, new, seen) for item in value.items]
        if any(item is not before for item, before in zip(items, value.items, strict=True)):
            journal.before_list_change(value.items)
            value.items[:] = items
    elif isinstance(value, DictVal):
        _replace_in(journal, value.items, old, new, seen)
    elif isinstance(value, InstanceVal):
        _replace_in(journal, value.attrs, old, new, seen)
    return value


def written_out(m: Writes, out: Value, result: Value, spelled: str) -> Value:
    """Handle ``out=``: the results are written to existing tensors, which take their shapes."""
    if isinstance(out, tuple):
        parts: tuple[Value, ...] = result if isinstance(result, tuple) and len(result) == len(out) else (None,) * len(out)
        makers = {part.producer for part in parts if isinstance(part, TensorVal)}
        if any(_reads(op, one) for op in makers for one in out if isinstance(one, TensorVal)):
            parts = (None,) * len(out)
        found = tuple(written_out(m, one, part, spelled) for one, part in zip(out, parts, strict=True))
        return found if isinstance(result, tuple) else m.unknown("out", spelled)  # some then give nothing
    if isinstance(out, Unknown) and isinstance(result, TensorVal):
        shape = result.shape if result.framework == "torch" else _ANY.shape  # others broadcast the result to what they write to
        result.type = TensorType(shape, Unknown("out", spelled))
        return result
    if not isinstance(out, TensorVal):
        return result if out is None else m.unknown("out", spelled)
    if isinstance(result, TensorVal) and "torch" in {out.framework, result.framework} and out.framework != result.framework:
        return m.unknown("out", spelled)
    if not isinstance(result, TensorVal):
        lost = _changed(m, out, applied(m, "overwrite", out, f"{spelled}(out=)", resized=True))
        return lost if isinstance(result, (Unknown, NoneType)) else m.unknown("out", spelled)
    _check_out(m, out, result, spelled)
    kept = not isinstance(out.shape, Unknown) and out.shape == result.shape
    if not kept and out.framework != "torch":  # the result is broadcast to the array
        return _changed(m, out, applied(m, "copy_into", out, f"{spelled}(out=)", src=result), kept=True)
    if _fills(result, out):
        return _changed(m, out, applied(m, "overwrite", out, f"{spelled}(out=)"), kept=True)
    shared = out.memory is not None and len(out.memory) > 1  # a view of another shape may fill a part of the elements
    reads = _reads(result.producer, out)
    if (shared and not kept) or reads:  # what the operation has not read yet is overwritten
        new = applied(m, "overwrite", out, f"{spelled}(out=)", resized=not kept)
        if not kept and not reads:
            new.type = TensorType(result.shape, out.dtype, Unknown("layout", "out"))
        return _changed(m, out, new, kept)
    return _changed(m, out, applied(m, "copy_into", out, f"{spelled}(out=)", src=result, resized=not kept), kept)


def _changed(m: Writes, out: TensorVal, new: TensorVal, kept: bool = False) -> TensorVal:
    """Handle a tensor that ``out=`` has written to; ``kept`` if its shape is unchanged."""
    if kept:
        new.type = out.type
    written(m.journal, m.trail, out, new)
    if kept:
        hold(m, out, new)
    else:
        became(m, out, new)
    return new


def _fills(result: TensorVal, out: TensorVal) -> bool:
    """Whether a row of numbers is written to a tensor of another shape with as many elements, which it keeps."""
    maker = result.producer
    of_numbers = does(maker, Trait.COUNTS_UP) or does(maker, Trait.FILLS | Trait.CONTINUOUS)
    if not of_numbers or not isinstance(out.shape, tuple) or not isinstance(result.shape, tuple):
        return False
    return out.shape != result.shape and same(product(out.shape), product(result.shape))


def _reads(op: Op | None, out: TensorVal) -> bool:
    """Whether an operation takes elements of the tensor that it writes to, and not just the one at each place."""
    if op is None or is_pointwise(op):
        return False
    memory = out.memory or [out]
    return any(value in memory or value.is_same_object(out) for name, value in op.args.items() if name != "out"
               for value in tensors_in(value))  # fmt: skip


def _check_out(m: Leaves, out: TensorVal, result: TensorVal, spelled: str) -> None:
    """Record a fault if the result would be converted to a lower type, or to any other where the function converts nothing. A
    result made from sizes and numbers alone takes the type of its tensor."""
    op = result.producer
    if op is None or all(name == "out" for name, value in op.args.items() if any(tensors_in(value))):
        return
    if not isinstance(result.dtype, DType) or not isinstance(out.dtype, DType):
        return
    asked = operands(spelled)
    differs = asked is not None and bool(asked.exact) and out.dtype != result.dtype
    if differs or not can_become(op.framework, result.dtype, out.dtype):
        _fail(m, op, (Fault(faults.DTYPE, operand="out", expected=result.dtype, actual=out.dtype),))


def applied(m: Writes, kind: str, x: TensorVal, spelled: str, **args: Value) -> TensorVal:
    """The result of an operation on a tensor, as a tensor."""
    result = m.emit(kind, {"x": x, **args}, framework=x.framework, spelled=spelled)
    return result if isinstance(result, TensorVal) else m.tensor(_ANY, framework=x.framework)


def overwritten(m: Writes, target: TensorVal, spelled: str) -> TensorVal:
    """Handle a method or function without a model that has changed the elements of a tensor."""
    new = applied(m, "overwrite", target, spelled)
    in_place(m, target, new)
    return new


def after_call(m: Writes, name: str, arguments: Arguments, bound: Mapping[str, Value], result: Value) -> Value:
    """Apply what a torch or numpy function or method writes, by its name and arguments (the receiver first). Returns the result
    of the call."""
    if not name.startswith(("torch.", "numpy.")):
        return result
    _update_statistics(m, name, bound)
    if isinstance(result, TensorVal) and _is_laid_out_as_asked(arguments, bound) and result not in arguments.args:
        result.type = replace(result.type, strides=Unknown("layout", "memory_format"))
    out = unwrap(bound.get("out", arguments.kwargs.get("out")))
    if out is not None:
        return written_out(m, out, result, name)
    if name.startswith("torch.Tensor.") and is_named_in_place(name) and not isinstance(arguments.args[0], TensorVal):
        return _of_unknown(result)
    if bound.get("overwrite_input", arguments.kwargs.get("overwrite_input")) not in (None, False):
        if isinstance(first := _first(arguments), TensorVal):  # numpy sorts parts of it
            overwritten(m, first, name)
        return result
    target = _target(name, arguments, bound)
    new = result if isinstance(result, TensorVal) else None
    if target is None or (new is not None and new.is_same_object(target)):
        return result
    if new is None or new.producer is None or new.producer.args.get("x") is not target:
        if name.rpartition(".")[2].startswith(_RESHAPING):
            return _changed(m, target, applied(m, "overwrite", target, name, resized=True))
        new = overwritten(m, target, name)
        return result if name.startswith("numpy.") else new
    in_place(m, target, new)
    return new


#: Memory formats in which a result is laid out as it is without one.
_USUAL_FORMATS: Final = frozenset({"torch.contiguous_format", "torch.preserve_format"})


def _is_laid_out_as_asked(arguments: Arguments, bound: Mapping[str, Value]) -> bool:
    """Whether a call may ask for another memory format of its result than the usual one (``memory_format=``)."""
    asked = unwrap(bound.get("memory_format", arguments.kwargs.get("memory_format")))
    return asked is not None and not (isinstance(asked, LibSymbol) and asked.name in _USUAL_FORMATS)


#: How methods begin that give their receiver another shape.
_RESHAPING: Final = ("resize", "sparse_resize", "as_strided")
#: Functions that move running statistics in training, or unless an argument says that they are used as they are.
_STATISTICS: Final = {
    **dict.fromkeys(("torch.nn.functional.batch_norm", "torch.native_batch_norm", "torch.batch_norm"), ("training", False)),
    **dict.fromkeys(("torch.nn.functional.instance_norm", "torch.instance_norm"), ("use_input_stats", True)),
}


def _update_statistics(m: Writes, name: str, bound: Mapping[str, Value]) -> None:
    switch, default = _STATISTICS.get(name, ("", False))
    if switch and bound.get(switch, default) is not False:
        for kept in ("running_mean", "running_var"):
            if isinstance(tensor := unwrap(bound.get(kept)), TensorVal):
                overwritten(m, tensor, name)


def _target(name: str, arguments: Arguments, bound: Mapping[str, Value]) -> TensorVal | None:
    """The tensor that a call changes, if it changes one."""
    changes = bound.get("inplace", arguments.kwargs.get("inplace")) is True
    if not changes and not is_named_in_place(name) and name not in WRITERS:
        return None
    first = _first(arguments)
    if not isinstance(first, TensorVal) or (name.startswith("torch.nn.init.") and is_trained(first)):
        return None
    return first


def _first(arguments: Arguments) -> Value:
    return arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None)


def _of_unknown(result: Value) -> Value:
    """The result of a method in place on an unknown tensor, whose shape and element type it keeps."""
    if isinstance(result, TensorVal):
        result.type = TensorType(Unknown("no-tensor", "in place"), Unknown("no-tensor", "in place"))
    return result


def augmented(m: Writes, old: Value, result: Value, special: str) -> Value:
    """The value of ``old`` after ``old += …``, whose operator has the method ``special`` (``add``): tensors of torch and arrays
    of numpy are changed in place, and keep their shape and element type, whatever is known of the result."""
    if isinstance(old, TensorVal) and isinstance(result, Unknown) and old.framework in ("torch", "numpy"):
        return result if _may_be_number(old) else overwritten(m, old, f"operator.i{special}")
    _written_back(m, old, result)
    return result


def _written_back(m: Writes, old: Value, result: Value) -> None:
    if not isinstance(old, TensorVal) or not isinstance(result, TensorVal) or result.producer is None:
        return
    spelled = f"operator.i{result.producer.spelled.removeprefix('operator.')}"
    if spelled not in AUGMENTED or result.framework not in ("torch", "numpy") or result.framework != old.framework:
        return
    if old.type.rank != 0 or not _may_be_number(old):
        result.producer.spelled = spelled
        in_place(m, old, result)


def _may_be_number(value: TensorVal) -> bool:
    """Whether a value of numpy may be a number and no array: its name is bound anew then, to a result of its own type."""
    if value.framework != "numpy" or value.type.rank:
        return False
    return value.type.rank is None or value.producer is None or value.producer.kind not in _ARRAYS


def hold(m: Writes, changed: TensorVal, result: TensorVal) -> None:
    """Rebind the names that hold a tensor to its new value. If no name holds it and a loop is running, the next pass may find
    either."""
    held = m.rebind(changed, result)
    if m.control.passes > 0 and not held:
        _make_stale(m.journal, changed)


# --- who shares elements ------------------------------------------------------------------------------------------------


def note_views(journal: Journal, op: Op) -> None:
    """The results of an operation that are views share the elements of what they are views of."""
    if op.framework not in ("torch", "numpy") or not shares(op):
        return
    for output in op.outputs:
        source = viewed(op, output.index)
        if isinstance(source, TensorVal):
            join_memory(journal, output, source)


def join_memory(journal: Journal, tensor: TensorVal, source: TensorVal) -> list[TensorVal]:
    """Note that a tensor shares the elements of another one; all that do."""
    if source.memory is None:
        journal.note_lasting(source, "memory")
        source.memory = [source]
    journal.note_lasting(source.memory, None)
    source.memory.append(tensor)
    tensor.memory = source.memory
    return source.memory


def find_stale(journal: Journal, trail: Trail, op: Op) -> None:
    """Mark the operands of an operation whose elements, or those of the tensors they are views of, were written since they were
    made."""
    for operand in op.inputs:
        changed = [tensor for tensor in possible(operand, _MOST_VIEWS) if _last_change(trail, tensor) > operand.id]
        for tensor in changed:
            _make_stale(journal, tensor)
        if changed:
            _make_stale(journal, operand)


def _make_stale(journal: Journal, tensor: TensorVal) -> None:
    if not tensor.stale:
        journal.note_lasting(tensor, "stale")
        tensor.stale = True


def _last_change(trail: Trail, tensor: TensorVal) -> int:
    """The ``id`` of what the latest change of a tensor's elements has made; 0 if there was none."""
    changes = trail.changed_memory.get(id(tensor.memory))
    last = changes.last if changes is not None and not is_trained(tensor) else 0
    return max(last, trail.assigned.get(tensor.id, 0))


def possible_view(m: Writes, name: str, value: Value) -> TensorVal | None:
    """The result of a function that is not followed and may share the elements of the tensor it gets; ``None`` for others."""
    source = unwrap(value)
    if name not in VIEWS or not isinstance(source, TensorVal):
        return None
    unknown = m.unknown("unmodelled-call", name)
    view = m.tensor(TensorType(unknown, unknown, unknown), framework=source.framework)
    join_memory(m.journal, view, source)
    return view
