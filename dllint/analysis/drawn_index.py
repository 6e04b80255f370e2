"""Probabilities that are taken where they chose themselves: what was drawn by them is not 0 there.

Policy gradients take the logarithm of the probability of the action that was drawn (``torch.log(probs[action])``), or of the
largest one. However small probabilities become, that one is none of those that have rounded to 0. The same holds where zeros
and ones that were drawn by probabilities choose between them and their complements (``p * b + (1 - p) * (1 - b)``).

Where a document draws by probabilities somewhere, an index that nothing is known of (a parameter, what was kept in a buffer) is
taken for one that was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from dllint.analysis.draws import draws_by_probabilities
from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having, having_any
from dllint.ops.ranges.spec import LAYOUT, MOVES, laid_out, maker_of
from dllint.ops.traits import Trait

_TAKING: Final = having(Trait.INDEXES)
#: Operations that choose by probabilities.
_CHOOSING: Final = having(Trait.PICKS_LARGE)
#: The largest of them.
_LARGEST: Final = having(Trait.LARGEST)
#: Calls that draw by the probabilities that they are given, by name and parameter.
_DRAWS: Final = {"numpy.random.choice": "p", "random.choices": "weights"}
_SAMPLE: Final = ".sample"
#: Comparisons, which draw zeros and ones where a side is drawn evenly.
_COMPARISONS: Final = having(Trait.ORDERS)
_EVEN: Final = having(Trait.DRAWS_EVENLY)
_SUMS: Final = having_any(Trait.ADDS | Trait.SUBTRACTS)
_STEPS: Final = LAYOUT | MOVES
_DEEPEST: Final = 12


def is_of_chosen(operand: Value, facts: Facts) -> bool:
    """Whether a tensor holds the probabilities of what was chosen by these same probabilities."""
    if _is_chosen_by_mask(operand, facts):
        return True
    value = laid_out(operand)
    for _ in range(_DEEPEST):
        maker = maker_of(value)
        if maker is None:
            return False
        if maker.kind in _LARGEST:
            return True
        if maker.kind in _TAKING and any(_is_chosen(index, _origin(maker), facts) for index in _indices(maker)):
            return True
        if maker.kind not in _STEPS | _TAKING:
            return False
        value = next(iter(maker.inputs), None)
    return False


def _is_chosen_by_mask(operand: Value, facts: Facts) -> bool:
    """Whether a tensor is the sum of probabilities and complements that what was drawn by them has chosen."""
    total = maker_of(laid_out(operand))
    if total is None or total.kind not in _SUMS:
        return False
    terms = [maker for value in total.inputs if (maker := maker_of(laid_out(value))) is not None]
    return len(terms) > 1 and all(does(term, Trait.MULTIPLIES) and _holds_draw(term, facts) for term in terms)


def _holds_draw(product: Op, facts: Facts) -> bool:
    """Whether a factor was drawn by what the other factor is made of."""
    if len(product.inputs) != len(("x", "y")):
        return False
    for mask, other in (product.inputs, product.inputs[::-1]):
        behind = {id(step) for step in _choices(other, facts)}
        if any(
            _is_draw(step) and any(id(_source(drawn_by)) in behind for drawn_by in step.inputs)
            for step in _choices(mask, facts)
        ):
            return True
    return False


def _is_draw(op: Op) -> bool:
    makers = (maker_of(value) for value in op.inputs)
    return does(op, Trait.DRAWS_TRUTH) or (op.kind in _COMPARISONS and any(m is not None and m.kind in _EVEN for m in makers))


def _indices(op: Op) -> Iterator[Any]:
    index = op.args.get("index")
    yield from index if isinstance(index, tuple) else (index,)


def _is_chosen(index: Value, probabilities: Op | None, facts: Facts) -> bool:
    """Whether an index was chosen by the probabilities that an operation makes. Of a number that was read from a tensor it is
    only known that something was drawn by them."""
    if probabilities is None:
        return False
    if _is_open(index, facts) and draws_by_probabilities(probabilities.site.document):
        return True
    if isinstance(index, TensorVal):
        return any(step.kind in _CHOOSING and _origin(step) is probabilities for step in _choices(index, facts))
    if not isinstance(index, Unknown):
        return False
    if index.detail.endswith(_SAMPLE):
        return True
    return any(origin is probabilities for origin in _drawn_by(facts))


def _is_open(index: Value, facts: Facts) -> bool:
    """Whether an index is made of what nothing is known of."""
    if not isinstance(index, TensorVal):
        return isinstance(index, Unknown)
    return index.producer is None or any(_is_given(step) for step in _choices(index, facts))


def _is_given(op: Op) -> bool:
    """Whether an operation takes what nothing is known of, or stands for it."""
    if does(op, Trait.PLACEHOLDER) or any(value.producer is None for value in op.inputs):
        return True
    parts = [part for value in op.args.values() for part in (value if isinstance(value, tuple) else (value,))]
    return any(isinstance(part, Unknown) for part in parts)


def _choices(index: TensorVal, facts: Facts) -> Iterator[Op]:
    if index.producer is not None:
        yield index.producer
        yield from facts.ancestors(*index.producer.inputs)


def _drawn_by(facts: Facts) -> Iterator[Op | None]:
    """The operations that make the probabilities that something is drawn by."""
    yield from (_origin(op) for op in facts.ops if op.kind in _CHOOSING)
    for event in facts.events(events.LibraryCall):
        parameter = _DRAWS.get(event.name)
        given = event.bound.get(parameter) if parameter is not None else None
        if isinstance(given, TensorVal):
            yield _source(given)


def _origin(op: Op) -> Op | None:
    """The operation that makes the probabilities that an operation takes."""
    return _source(next(iter(op.inputs), None))


def _source(value: Value) -> Op | None:
    for _ in range(_DEEPEST):
        maker = maker_of(value)
        if maker is None or maker.kind not in _STEPS | _TAKING or not maker.inputs:
            return maker
        value = maker.inputs[0]
    return None
