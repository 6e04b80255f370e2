"""Pieces of Keras code without their imports: notebook cells, listings, files that lean on a star import."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_BUILDS: Final = re.compile(r"(?<![\w.])(?:Sequential\(|Input\()")
_LAYER: Final = re.compile(r"(?<![\w.])(?:Dense|Conv[123]D|Convolution[123]D|LSTM|GRU|Embedding)\(")
_TRAINS: Final = re.compile(r"\w\.(?:compile|fit)\(")
_OTHERS: Final = re.compile(r"\b(?:torch|flax|haiku|jax|mxnet|paddle|chainer|lasagne|tflearn|tensorlayer|mindspore)\b")

_DEFINED: Final = re.compile(r"\b(?:class|def|as|import)\s+(\w+)")
_ASSIGNED: Final = re.compile(r"(?<![^\s,;])(\w+)\s*=(?!=)")
_IMPORTS: Final = re.compile(r"\bimport\b([^\n]*)")
_WORD: Final = re.compile(r"\w+")


@lru_cache(maxsize=4)
def is_keras_fragment(text: str) -> bool:
    """Whether a text builds and trains a model in the bare names of Keras, and mentions no other library that has such
    names. Whether it imports them is not looked at."""
    return all(pattern.search(text) for pattern in (_BUILDS, _LAYER, _TRAINS)) and not _OTHERS.search(text)


def binds(text: str, name: str) -> bool:
    """Whether some line of a text may bind a name (a definition, an import, an assignment)."""
    return name in _bound(text)


@lru_cache(maxsize=4)
def _bound(text: str) -> frozenset[str]:
    """The names that some line of a text may bind."""
    imported = (name for line in _IMPORTS.findall(text) for name in _WORD.findall(line))
    return frozenset((*_DEFINED.findall(text), *_ASSIGNED.findall(text), *imported))
