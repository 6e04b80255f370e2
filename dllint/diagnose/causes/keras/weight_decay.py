"""The regularisation of weights is so strong that nothing is learnt."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.weight_decay import WeightDecay
from dllint.edit import Edit

_PENALTIES: Final = ("L1", "L2", "L1L2", "l1", "l2", "l1_l2")
#: Penalties from here on are strong: Keras's default is 0.01.
_STRONG: Final = 0.02
_USUAL: Final = "1e-4"


class KerasRegularizer(WeightDecay):
    """A regularizer with a literal factor above the usual ones."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A usual factor, everywhere at once."""
        for code in case.codes() if is_keras(case) else ():
            edits = tuple(code.replace(node, _USUAL) for call in code.calls() for node in _strong(code, call))
            if edits:
                yield f"Lower the penalty on weights to {_USUAL}", edits, 1.0


def _strong(code: Code, call: ast.Call) -> Iterator[ast.expr]:
    module, _, name = code.name(call.func).rpartition(".")
    if name in _PENALTIES and "regularizers" in module:
        given = (*call.args, *(item.value for item in call.keywords))
        yield from (node for node in given if (number(node) or 0.0) > _STRONG)
