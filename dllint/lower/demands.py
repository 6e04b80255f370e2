"""Shapes of inputs inferred from the first operation that is applied to them.

A model's input is often seen first by a layer that takes one rank only: ``Conv2d(3, …)`` makes it ``(B, 3, H, W)``. The
type of such an input is then refined in place, back through operations that keep the shape. What operations demand
stands in :mod:`dllint.ops.layers`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from dllint.domains.atoms import Origin
from dllint.domains.dim import Dim, DimExpr, symbol
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import DemandedShape, OpenShape, Shape, TensorType
from dllint.ir.program import JOIN, Condition, Framework, TensorVal
from dllint.ir.values import Value
from dllint.lower import exceptions, image_sizes, late
from dllint.ops.asked_shapes import asked, behind
from dllint.ops.kinds import having
from dllint.ops.layers import layer
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from dllint.lower.parts import Refines
    from dllint.lower.state import Identities, Run

#: Operations whose result has their input's shape.
TRANSPARENT = having(Trait.KEEPS_SHAPE) - having(Trait.TAKES_DATA)


def refine(m: Refines, kind: str, framework: Framework, args: Mapping[str, Value], typed: dict[str, Value]) -> bool:
    """Give an operand of unknown rank the shape the operation demands, unless the program is ready for its failure. One that
    was made in arms of a branch gets it only if no arm gives another rank that will do. Returns whether operands other than
    ``x`` have got one, too."""
    _by_layer(m, kind, framework, args, typed)
    if any(map(measures, m.control.path)):
        return False
    refined = False
    for x, shape in asked(kind, framework, args):
        late.complete(m.journal, x)
        if isinstance(x.type.shape, Unknown) and not exceptions.expects_fault(m.control, framework):
            ranks = _ranks_of_arms(x)
            if ranks is None or ranks == {len(shape)}:
                settle(m, x, _same_symbols(m, x, shape))
        refined = True
    return refined


#: Conditions on the rank or on sizes: what is done under one shows nothing of other runs.
_MEASURE: Final = re.compile(r"\b(?:n?dim|shape|size|ndimension|rank)\b")


def measures(condition: Condition) -> bool:
    """Whether a condition is on the rank or on sizes."""
    return condition.of_rank or _MEASURE.search(condition.text) is not None


def _by_layer(m: Refines, kind: str, framework: Framework, args: Mapping[str, Value], typed: dict[str, Value]) -> None:
    asks = layer(kind)
    x = args.get("x")
    if asks.demand is not None and isinstance(x, TensorVal):
        late.complete(m.journal, x)
        typed["x"] = x.type
    if not isinstance(x, TensorVal) or not isinstance(x.type.shape, Unknown):
        return
    if (asks.demand is None and not asks.last_axis) or exceptions.expects_fault(m.control, framework):
        return
    if asks.demand is None:
        _refine_last(m, x, args.get(asks.last_axis))
        typed["x"] = x.type
        return
    demand = asks.demand(framework, args)
    ranks = _ranks_of_arms(x)
    if demand is not None and (ranks is None or ranks & {*demand.ranks} == {demand.ranks[0]}):
        settle(m, x, _same_symbols(m, x, demand.shape(args)), demand.dtype)
        typed["x"] = x.type


def _refine_last(m: Refines, x: TensorVal, size: Value) -> None:
    """Give a tensor of unknown shape the size of its last axis that an operation demands."""
    last = size[-1] if isinstance(size, tuple) and size else size
    if isinstance(last, (int, DimExpr)) and not isinstance(x.type.shape, OpenShape) and _ranks_of_arms(x) is None:
        reason = x.type.shape
        assert isinstance(reason, Unknown)
        _settle(m, x, DemandedShape(reason.reason, reason.detail, last))


#: So many tensors are looked at for the ranks that a tensor may have.
_MOST: Final = 50


def _ranks_of_arms(x: TensorVal) -> frozenset[int] | None:
    """The ranks among which that of a tensor is, if it was made in the arms of branches and all of theirs are known."""
    todo, seen, ranks = [x], set[int](), set[int]()
    while todo:
        value = todo.pop()
        if value.id in seen:
            continue
        seen.add(value.id)
        if value.type.rank is not None:
            ranks.add(value.type.rank)
        elif (sources := _same_rank(value)) and len(seen) < _MOST:
            todo += sources
        else:
            return None
    return frozenset(ranks)


def _same_rank(x: TensorVal) -> list[TensorVal]:
    """The tensors of which one has the rank of ``x``; none, if that is not known."""
    if x.producer is None:
        return []
    args = x.producer.args
    sources = [args.get("x"), args.get("y")] if x.producer.kind == JOIN else [args.get("x")] * (x.producer.kind in TRANSPARENT)
    tensors = [source for source in sources if isinstance(source, TensorVal)]
    return tensors if len(tensors) == len(sources) else []


def _same_symbols(m: Refines, x: TensorVal, shape: Shape) -> Shape:
    """The demanded shape with one symbol per axis of the tensor, whichever path asks."""
    if x in m.known.seeds and (sides := image_sizes.sides_of(m.options, m.run, shape)) is not None:
        shape = tuple(sides.get(repr(s), s) for s in shape)
    names = enumerate(shape)
    origin = origin_of_sizes(m.known, x)
    return tuple(m.derive(("axis", x.id, len(shape), i), partial(_from, s, origin)) if _is_fresh(s) else s for i, s in names)


def origin_of_sizes(known: Identities, x: TensorVal) -> Origin:
    """The origin of the sizes of a tensor of unknown rank: an input of the entry, or something else."""
    producer = x.producer
    source = producer.args.get("x") if producer is not None and producer.kind in TRANSPARENT else None
    if isinstance(source, TensorVal):
        return origin_of_sizes(known, source)
    return "input" if x in known.seeds else "value"


def _fixed(run: Run, x: TensorVal, shape: Shape) -> Shape:
    """The shape with the sizes that an assertion in this entry fixes; the others are registered for assertions."""
    out = []
    for axis, size in enumerate(shape):
        place = (x.name, len(shape), axis)
        if isinstance(size, DimExpr) and size.symbol is not None and _is_fresh(size):
            run.axes[size.symbol] = place
            out.append(run.fixed.get(place, size))
        else:
            out.append(size)
    return tuple(out)


def _from(size: Dim, origin: Origin) -> Dim:
    if origin == "input" or not isinstance(size, DimExpr) or size.symbol is None:
        return size
    return symbol(repr(size), origin, optional=size.symbol.optional)


def _is_fresh(size: Dim) -> bool:
    return isinstance(size, DimExpr) and size.symbol is not None and size.symbol.origin == "input"


def settle(m: Refines, x: TensorVal, shape: Shape, dtype: DType | None = None) -> None:
    """Refine the unknown shape of a tensor, and of the tensors it was made from by operations that keep the shape."""
    if not isinstance(x.type.shape, Unknown):
        return
    if isinstance(x.type.shape, OpenShape) and shape:
        shape = (*shape[:-1], x.type.shape.last)
    if x in m.known.seeds:
        shape = _fixed(m.run, x, shape)
    _settle(m, x, shape, dtype)
    source = behind(x.producer, shape) if x.producer is not None else None
    if source is not None:
        settle(m, *source)


def _settle(m: Refines, x: TensorVal, shape: Shape | Unknown, dtype: DType | None = None) -> None:
    known = dtype if dtype is not None and isinstance(x.type.dtype, Unknown) and x in m.known.seeds else x.type.dtype
    m.journal.set_attribute(x, "type", TensorType(shape, known))
