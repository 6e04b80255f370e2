"""Losses that give a number for each sample, also where the number of samples is not known.

Nothing is said of what is not known, but where batches of a loader are gone through that gives more than one sample: code that
takes its samples one by one has losses of one number, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.one_pass import in_one_pass
from dllint.analysis.own_statements import enclosing
from dllint.analysis.questioned import assigned_around, collect_assigned
from dllint.analysis.typestate.loaders import constructions, loader_of
from dllint.domains.dim import Dim
from dllint.domains.finite import finite
from dllint.domains.lattice import Unknown
from dllint.ir.events import Backward, LibraryCall
from dllint.ir.program import Op, Site, TensorVal
from dllint.ir.values import unwrap
from dllint.ops.kinds import does, having_any
from dllint.ops.traits import Trait
from dllint.source.walk import walk

#: Losses whose operands have an axis for the samples, but for a single sample that has none.
_OF_SAMPLES: Final = having_any(Trait.CLASS_LOSS | Trait.BINARY_LOSS)
_OF_CLASSES: Final = having_any(Trait.CLASS_LOSS)
_EACH: Final = "none"
#: A loader gives so many samples at once, if it is not told.
_DEFAULT: Final = 1


def unreduced_loss(backward: Backward, facts: Facts) -> Op | None:
    """The loss of a number for each sample that is differentiated, as it is or after what keeps its shape."""
    value = backward.target
    while isinstance(value, TensorVal) and value.producer is not None and not value.modified:
        op = value.producer
        if value.varies and not in_one_pass(facts.program.trace, op, backward):
            return None
        if does(op, Trait.LOSS):
            return op if op.args.get("reduction") == _EACH and _has_samples(op, backward, facts) else None
        if len(op.inputs) != 1 or not (does(op, Trait.KEEPS_SHAPE) or _is_scaled(op)):
            return None
        value = op.inputs[0]
    return None


def _is_scaled(op: Op) -> bool:
    """Whether an operation multiplies by a number, or divides."""
    numbers = (finite(unwrap(op.args.get(name))) for name in ("x", "y"))
    return (does(op, Trait.MULTIPLIES) or does(op, Trait.DIVIDES)) and any(number is not None for number in numbers)


def _has_samples(loss: Op, backward: Backward, facts: Facts) -> bool:
    """Whether a loss compares several samples, as far as is known: by the sizes of an operand, else since a batch is given."""
    known = [sizes for name in ("x", "target") if (sizes := _sizes(loss, name)) is not None]
    if known:
        return not any(all(size == 1 for size in sizes) for sizes in known)
    return loss.kind in _OF_SAMPLES and _is_of_batch(backward, facts) and not any(map(_picks, loss.site.stack()))


def _sizes(loss: Op, name: str) -> tuple[Dim, ...] | None:
    """The sizes of an operand's axes but for that of the scores for classes; ``None`` if they are not known."""
    value = loss.args.get(name)
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown):
        return None
    is_scores = name == "x" and loss.kind in _OF_CLASSES
    return (*value.shape[:1], *value.shape[2:]) if is_scores and len(value.shape) > 1 else () if is_scores else value.shape


def _is_of_batch(backward: Backward, facts: Facts) -> bool:
    """Whether the innermost loop around a backward goes over a loader, as it is, that is told to give several samples."""
    loop = facts.training.innermost(backward)
    node = loop.edge.node if loop is not None else None
    if loop is None or not isinstance(node, cst.For) or any(isinstance(part, cst.BaseComp) for part in walk(node.iter)):
        return False
    own = (call for call in facts.training.before(loop) if isinstance(call, LibraryCall) and call.site.statement is node)
    loader = loader_of(loop, facts.training, constructions(facts.training)) if any(own) else None
    return loader is not None and unwrap(loader.bound.get("batch_size", _DEFAULT)) not in (None, 1)


def _picks(site: Site) -> bool:
    """Whether what a loss is given may be a part of a batch: an element is taken of something else than of all that a loader
    gives at once."""
    loops = [part for part in enclosing(site) if isinstance(part, cst.For)]
    given = dict(assigned_around(site))
    for loop in loops:
        collect_assigned(loop, given)
    whole = {name for loop in loops for name in _whole(loop)}
    seen, todo = set[str](), [site.node]
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, cst.Subscript) and not (_is_by_key(part) or _is_one_of(part.value, whole)):
                return True
            if isinstance(part, cst.Name) and part.value not in seen:
                seen.add(part.value)
                todo += given.get(part.value, ())
    return False


def _is_by_key(part: cst.Subscript) -> bool:
    """Whether something is taken from a dictionary: samples have no names."""
    index = part.slice[0].slice
    return isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString)


def _is_one_of(node: cst.BaseExpression, names: set[str]) -> bool:
    return isinstance(node, cst.Name) and node.value in names


def _whole(loop: cst.For) -> Iterator[str]:
    """The name for all that is gone over: ``batch`` in ``for batch in loader`` and ``for i, batch in enumerate(loader)``."""
    target: cst.CSTNode = loop.target
    if isinstance(target, cst.Tuple) and isinstance(loop.iter, cst.Call) and _is_counted(loop.iter):
        target = target.elements[-1].value
    if isinstance(target, cst.Name):
        yield target.value


def _is_counted(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value == enumerate.__name__
