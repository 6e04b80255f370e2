"""Whether a document draws by probabilities: numbers, or the members of a distribution.

A purely syntactic fact: what was drawn goes through lists, buffers and other methods, on ways that the interpreter does not
follow.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from dllint.source.document import Document
from dllint.source.memo import of_node
from dllint.source.walk import dotted, walk

#: The last names of calls that draw by what they are given, or make a distribution of it; of some only with a keyword.
_CALLS: Final = {
    "choice": "p",
    "choices": "weights",
    "multinomial": None,
    "categorical": None,
    "Categorical": None,
    "OneHotCategorical": None,
}


def draws_by_probabilities(document: Document) -> bool:
    """Whether a call in a document does."""
    return any(map(_draws, document.body))


@of_node
def _draws(statement: cst.CSTNode) -> bool:
    return any(isinstance(node, cst.Call) and _is_draw(node) for node in walk(statement))


def _is_draw(call: cst.Call) -> bool:
    name = (dotted(call.func) or "").rpartition(".")[2]
    if name not in _CALLS:
        return False
    keyword = _CALLS[name]
    given = {argument.keyword.value for argument in call.args if argument.keyword is not None}
    return keyword is None or keyword in given
