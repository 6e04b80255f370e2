"""The regularisation of weights is so strong that nothing is learnt."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.origins import Given
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
            given = dict.fromkeys(given for call in code.calls() for given in _strong(case, code, call))
            if given:
                edits = tuple(one.code.replace(one.node, _USUAL) for one in given)
                yield f"Lower the penalty on weights to {_USUAL}", edits, 1.0


def _strong(case: Case, code: Code, call: ast.Call) -> Iterator[Given]:
    """The literals behind the factors of a regularizer."""
    module, _, name = code.name(call.func).rpartition(".")
    if name in _PENALTIES and "regularizers" in module:
        factors = (*call.args, *(item.value for item in call.keywords))
        known = (case.origin(code, factor) for factor in factors)
        yield from (given for given in known if given is not None and (number(given.node) or 0.0) > _STRONG)
