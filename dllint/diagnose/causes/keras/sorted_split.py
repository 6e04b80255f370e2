"""``validation_split`` takes the end of data that is sorted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

#: How samples are taken from a value in an order.
_TAKEN: Final = {"array": "[{order}]", "table": ".iloc[{order}]"}


class SortedSplit(Hypothesis):
    """``fit`` shuffles after it has split the data."""

    kind = "sorted-split"
    supports: ClassVar = {"evaluation of other classes": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Give ``fit`` the samples in a random order, the same for inputs and targets."""
        code = case.sources.code(case.symptom.place.path) if case.symptom.place is not None else None
        argument = code.at(case.symptom.place) if code is not None and case.symptom.place is not None else None
        if code is None or argument is None:
            return
        call = next((node for node in (argument, *code.parents(argument)) if isinstance(node, ast.Call)), None)
        given = _samples(call) if call is not None else []
        taken = [_TAKEN[kind] for kind in _kinds(case) if kind in _TAKEN]
        if len(given) != 2 or len(taken) != 2:
            return
        drawn, imports = code.spelled("numpy.random.default_rng")
        order = next(name for name in ("order", "shuffled", "random_order") if name not in code.names)
        line = f"{order} = {drawn}(0).permutation(len({code.source(given[0])}))"
        edits = (code.insert_before(code.statement(given[0]), line), *imports)
        yield (
            "Shuffle inputs and targets before they are split",
            (*edits, *(code.insert_at_end(node, how.format(order=order)) for node, how in zip(given, taken, strict=True))),
            1.0,
        )


def _kinds(case: Case) -> tuple[str, ...]:
    """The kinds of the inputs and of the targets that are split."""
    return next((record.kinds for record in case.run.held_out if record.place == case.symptom.place), ())


def _samples(call: ast.Call) -> list[ast.expr]:
    """Inputs and targets, if they are values that can be indexed where they stand."""
    named = {item.arg: item.value for item in call.keywords}
    given = [*call.args[:2], *(named[name] for name in ("x", "y") if name in named)]
    return [node for node in given if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)]
