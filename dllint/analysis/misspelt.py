"""Names below the modules of a library that no release has, and that are one slip away from one that today's has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from dllint.analysis.removed import removed
from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.frameworks.history.record import KINDS, identifiers, public_names
from dllint.frameworks.nearest_names import nearest
from dllint.source.document import Document

_SPELLINGS: Final = (("tensorflow.keras.", "keras."), ("tf_keras.", "keras."))
#: What the modules are usually called.
_CALLED: Final = {
    "torch": ("torch",), "nn": ("torch.nn", "tensorflow.nn"), "F": ("torch.nn.functional",),
    "functional": ("torch.nn.functional",), "optim": ("torch.optim",), "init": ("torch.nn.init",),
    "lr_scheduler": ("torch.optim.lr_scheduler",), "layers": ("keras.layers",), "losses": ("keras.losses",),
    "metrics": ("keras.metrics",), "optimizers": ("keras.optimizers",), "callbacks": ("keras.callbacks",),
    "applications": ("keras.applications",), "tf": ("tensorflow",), "tensorflow": ("tensorflow",), "math": ("tensorflow.math",),
}  # fmt: skip
#: A name below a module by what it is called; what an import statement takes from a module.
_BELOW: Final = re.compile(rf"(?<![\w.])(?:\w+\.)*({'|'.join(_CALLED)})\.(\w+)")
_IMPORTED: Final = re.compile(r"\bfrom\s+((?:torch|keras|tensorflow|tf_keras)[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)")
#: So short a name is near too many.
_SHORT: Final = 4
#: Names whose lengths differ by so much are not near each other.
_NEAR: Final = 3


class Misspelt(NamedTuple):
    """A use of a name, the part of it that names nothing, and what was meant."""

    use: SymbolUse
    module: str
    written: str
    near: str

    @property
    def is_last(self) -> bool:
        """Whether the use ends with the part."""
        return self.use.name.endswith(f".{self.written}")


def misspelt(document: Document) -> Iterator[Misspelt]:
    """All uses of names that are misspelt; those of a name that its import misspells already are left out."""
    if not any(document.of_parts(may_be_misspelt)):
        return
    told: set[str] = set()
    for use in symbol_uses(document):
        found = _misspelt(use)
        if found is not None and (use.imported or use.local not in told):
            if use.imported:
                told.add(use.local)
            yield found


def may_be_misspelt(text: str) -> bool:
    """Whether a text may name something that its library lacks, by its words."""
    return any(_is_near(called, word) for called, word in set(_BELOW.findall(text))) or any(
        _near(in_own_spelling(module), word)
        for module, part in _IMPORTED.findall(text)
        if in_own_spelling(module) in public_names()
        for word in re.findall(r"\w+", part)
    )


@cache
def _is_near(called: str, word: str) -> bool:
    modules = _CALLED[called]
    return not any(word in public_names()[module] for module in modules) and any(_near(module, word) for module in modules)


def in_own_spelling(name: str) -> str:
    """A name of Keras, by whichever package it is reached."""
    return next((new + name.removeprefix(old) for old, new in _SPELLINGS if name.startswith(old)), name)


def _misspelt(use: SymbolUse) -> Misspelt | None:
    name = in_own_spelling(use.name)
    parts = name.split(".")
    modules = (end for end in range(len(parts) - 1, 0, -1) if ".".join(parts[:end]) in public_names())
    end = next(modules, 0)
    if not end:
        return None
    module, written = ".".join(parts[:end]), parts[end]
    near = _near(module, written)
    if not near or removed(use.name) is not None or removed(name) is not None or _was_keras(module, written):
        return None
    return Misspelt(use, module, written, near)


def _was_keras(module: str, written: str) -> bool:
    """Whether a module of Keras may have had a name in an old release."""
    return module.startswith("keras.") and any(written in identifiers(kind)[1] for kind in KINDS)


@cache
def _near(module: str, written: str) -> str:
    """The name of a module that was meant; empty if the module has what is written, or nothing is near."""
    names = public_names()[module]
    if written in names or len(written) < _SHORT or written.startswith("_") or f"{module}.{written}" in public_names():
        return ""
    lower = written.lower()
    likely = [name for name in names if name[:1].lower() == lower[:1] and abs(len(name) - len(lower)) < _NEAR]
    return nearest(written, likely)
